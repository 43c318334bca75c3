"""A result stream that the reporter could not have written makes the run incomplete."""

import json

import pytest

from tests.domain.secret_samples import SAMPLES
from whet.domain.containment import Containment
from whet.domain.suite import SuiteReport
from whet.sandbox.sandbox import Finished
from whet.target.result_stream import ResultReader
from whet.target.shown_ids import ShownIds

CONTAINMENT = Containment(
    backend="x", version="1", uid=1, namespaces=(), network=False, seccomp=True, writable=(), limits={}
)  # fmt: skip
FAILURE = {"exception": "E", "message": "m", "frames": [["a.py", 1, "f"]], "text": "t"}
COLLECTED = {"event": "collected", "count": 1}
PASSED = {"event": "outcome", "test": "a::b", "outcome": "passed", "seconds": 0.1, "failure": None}
FAILED = {**PASSED, "outcome": "failed", "failure": FAILURE}
END, END_RED = {"event": "end", "code": 0}, {"event": "end", "code": 1}


def read(*lines: object, code: int = 0) -> SuiteReport:
    reader = ResultReader(None)
    for line in lines:
        reader.line(line if isinstance(line, bytes) else json.dumps(line).encode())
    finished = Finished(exit_code=code, output="", lines=(), stopped_by="", seconds=1.0, containment=CONTAINMENT)
    return reader.report("tree", finished, "")


def test_a_whole_run_is_complete() -> None:
    assert read(COLLECTED, {"event": "start", "test": "a::b"}, PASSED, END).complete
    report = read(COLLECTED, FAILED, END_RED, code=1)
    assert report.complete
    assert report.failures["a::b"].message == "m"


def test_doctests_are_marked_by_the_reporter() -> None:
    assert read(COLLECTED, {**PASSED, "doctest": True}, END).doctests == {"a::b"}
    assert read(COLLECTED, {**PASSED, "doctest": False}, END).doctests == frozenset()
    assert read(COLLECTED, PASSED, END).doctests == frozenset()


def test_digests_come_by_name() -> None:
    assert read(COLLECTED, PASSED, {**END, "looks": {"json": "1"}}).looks == {"json": "1"}
    assert not read(COLLECTED, PASSED, {**END, "looks": ["json"]}).complete


def test_a_file_that_does_not_collect_is_an_outcome_besides_the_collected_tests() -> None:
    broken = {**FAILED, "test": "c.py", "outcome": "error", "collecting": True}
    assert read(broken, COLLECTED, PASSED, END_RED, code=1).complete


INCONSISTENT: dict[str, tuple[list[object], int]] = {
    "nothing": ([], 0),
    "no end": ([COLLECTED, PASSED], 0),
    "something after the end": ([COLLECTED, PASSED, END, PASSED], 0),
    "two ends": ([COLLECTED, PASSED, END, END], 0),
    "a test twice": ([COLLECTED, FAILED, PASSED, END], 0),
    "fewer than collected": ([{**COLLECTED, "count": 2}, PASSED, END], 0),
    "more than collected": ([{**COLLECTED, "count": 0}, PASSED, END], 0),
    "another exit code": ([COLLECTED, PASSED, END], 1),
    "killed after the end": ([COLLECTED, PASSED, END], -9),
    "a failure, and a good end": ([COLLECTED, FAILED, END], 0),
    "no failure, and a bad end": ([COLLECTED, PASSED, END_RED], 1),
    "not JSON": ([b"passed!", COLLECTED, PASSED, END], 0),
    "not an object": ([b"[1]", COLLECTED, PASSED, END], 0),
    "a number": ([b"1", COLLECTED, PASSED, END], 0),
    "too deep": ([b"[" * 100_000, COLLECTED, PASSED, END], 0),
    "an unknown event": ([{"event": "pass all"}, COLLECTED, PASSED, END], 0),
    "no event": ([{}, COLLECTED, PASSED, END], 0),
    "an unknown outcome": ([COLLECTED, {**PASSED, "outcome": "fine"}, END], 0),
    "frames that are no list": ([COLLECTED, {**FAILED, "failure": {**FAILURE, "frames": 3}}, END_RED], 1),
    "a frame of one item": ([COLLECTED, {**FAILED, "failure": {**FAILURE, "frames": [[1]]}}, END_RED], 1),
    "a frame without an end": (
        [COLLECTED, {**FAILED, "failure": {**FAILURE, "frames": [["a", 1e999, "f"]]}}, END_RED],
        1,
    ),
    "a failure without fields": ([COLLECTED, {**FAILED, "failure": {}}, END_RED], 1),
    "a count that is no number": ([{**COLLECTED, "count": "many"}, PASSED, END], 0),
    "an end without a code": ([COLLECTED, PASSED, {"event": "end", "code": None}], 0),
}


@pytest.mark.parametrize(("lines", "code"), INCONSISTENT.values(), ids=INCONSISTENT.keys())
def test_an_inconsistent_stream_is_incomplete(lines: list[object], code: int) -> None:
    assert not read(*lines, code=code).complete


TOKEN = SAMPLES["GitHub, classic"][1]


def test_secrets_in_a_failure_are_redacted() -> None:
    failure = {
        "exception": "ValueError",
        "message": f"{TOKEN} at login(password='swordfish-1')",
        "frames": [["a.py", 1, "f"]],
        "text": f"E   {TOKEN}\nE   - swordfish-1",
        "compared": [f"'{TOKEN}'", "'swordfish-1'"],
    }
    report = read(COLLECTED, {**FAILED, "failure": failure}, END_RED, code=1)
    assert report.failures["a::b"].message == "[redacted: GitHub token] at login(password='[redacted: password]')"
    assert report.failures["a::b"].compared == ("'[redacted: GitHub token]'", "'[redacted: password]'")
    assert TOKEN not in str(report)
    assert "swordfish" not in str(report)


def test_ids_that_differ_only_in_a_secret_stay_two_tests() -> None:
    events = [{**PASSED, "test": f"a::b[{token}]"} for token in (TOKEN, TOKEN[:-1] + "Q")]
    report = read({**COLLECTED, "count": 2}, *events, END)
    assert report.complete
    assert list(report.outcomes) == ["a::b[[redacted: GitHub token]]", "a::b[[redacted: GitHub token]]-2"]


def test_an_id_with_a_secret_cannot_be_reported_twice() -> None:
    event = {**PASSED, "test": f"a::b[{TOKEN}]"}
    assert not read({**COLLECTED, "count": 2}, event, event, END).complete


@pytest.mark.parametrize("padding", range(0, 900, 45))
def test_output_is_redacted_before_it_is_cut(padding: int) -> None:
    finished = Finished(
        exit_code=1, output=f"{TOKEN}{'.' * padding}", lines=(), stopped_by="", seconds=1.0, containment=CONTAINMENT
    )
    problem = ResultReader(None).report("tree", finished, "").problem
    assert not [at for at in range(len(TOKEN) - 6) if TOKEN[at : at + 6] in problem]


def test_the_output_of_a_run_that_broke_off_begins_with_a_whole_line() -> None:
    lines = "\n".join(f"line {number} of the output" for number in range(100))
    finished = Finished(exit_code=1, output=lines, lines=(), stopped_by="", seconds=1.0, containment=CONTAINMENT)
    problem = ResultReader(None).report("tree", finished, "").problem
    assert problem.startswith("ended before its end line: line ")
    assert problem.endswith("line 99 of the output")


def test_a_shown_id_leads_back_to_the_real_one() -> None:
    ids = ShownIds()
    real = [f"a::b[{TOKEN}]", f"a::b[{TOKEN}Q]", "a::c[1]"]
    shown = [ids.shown(test) for test in real]
    assert [ids.real(test) for test in shown] == real
    assert [ids.shown(test) for test in real] == shown
    assert all(map(ids.knows, shown))
    assert not ShownIds().knows(shown[0])
