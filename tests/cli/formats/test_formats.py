"""The formats of `whet prove`: every program that reads one gets the deciding annotation, at its line, and nothing else."""

import json
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from whet.app.proofs.prove import ProvedChange
from whet.cli.formats import NAMES, Output, parse, render, write_files
from whet.cli.formats.annotations import annotations
from whet.domain.annotation import Annotation, Level, fingerprints
from whet.domain.change import Change, ChangeStatus
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.errors import UsageError

CHEAT = SafeguardResult(
    "hard-coded answers",
    Verdict.INCONCLUSIVE,
    "stats.py: line 5 answers `values == [2, 4, 9]` with what the tests expect",
)
NOTED = SafeguardResult("mutants", Verdict.PASSED, "fine", ("stats.py, line 7: no test notices `<` replaced by `<=`",))
UNUSED = SafeguardResult("doctests", None, "the file has no doctest")


def change(path: str) -> Change:
    return Change(
        path=path, status=ChangeStatus.MODIFIED, old_mode="100644", new_mode="100644", old_blob="a", new_blob="b",
        added_lines=1, removed_lines=1,
    )  # fmt: skip


def proof(
    verdict: Verdict, *safeguards: SafeguardResult, guard: tuple[GuardFinding, ...] = (), **check: object
) -> ProvedChange:
    result = CheckResult(
        check="tests", verdict=verdict, reason="r", red=("t.py::test_a",), green=("t.py::test_a",),
        reverted=("t.py::test_a",), safeguards=safeguards, **check,  # type: ignore[arg-type]  # fields by name
    )  # fmt: skip
    reasons = () if verdict is Verdict.PASSED else ("tests: hard-coded answers: stats.py: line 5 answers it",)
    evidence = Evidence(
        proposal="x-1", signature="", base="b" * 40, tree="t" * 40, patch_digest="p", policy_digest="q",
        verdict=verdict, reasons=reasons, checks=(result,), guard=guard, containment=None,
        cost=Cost(seconds=1.0, suite_runs=1), made_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    patch = Patch(
        base="b", tree="t", diff="", digest="p", changes=(change("stats.py"), change("pkg/stats.py")), summary=""
    )
    return ProvedChange(patch, evidence)


def test_a_deciding_safeguard_is_a_warning_at_its_line() -> None:
    found = annotations(proof(Verdict.INCONCLUSIVE, CHEAT, NOTED, UNUSED))
    assert [(annotation.rule, annotation.level, annotation.path, annotation.line) for annotation in found] == [
        ("verdict", Level.WARNING, "stats.py", 5),
        ("tests.hard-coded_answers", Level.WARNING, "stats.py", 5),
        ("tests.mutants", Level.NOTE, "stats.py", 7),
    ]


def test_a_failed_proof_is_an_error_and_names_the_tests_that_got_worse() -> None:
    found = annotations(proof(Verdict.FAILED, regressed=("t.py::test_b",), missing=("t.py::test_c",)))
    assert [annotation.level for annotation in found] == [Level.ERROR] * 3
    assert [annotation.text for annotation in found[1:]] == [
        "t.py::test_b is worse with the change",
        "t.py::test_c is gone with the change",
    ]


def test_a_remark_of_the_guard_stands_at_its_file_and_line() -> None:
    finding = GuardFinding(rule="needs_review", severity="raise", path="pkg/stats.py", reason="it calls eval (line 3)")
    (annotation,) = annotations(proof(Verdict.PASSED, guard=(finding,)))
    assert (annotation.rule, annotation.level, annotation.path, annotation.line) == (
        "guard.needs_review",
        Level.NOTE,
        "pkg/stats.py",
        3,
    )


def test_a_path_is_not_taken_for_the_end_of_a_longer_one() -> None:
    words = SafeguardResult("mutants", Verdict.INCONCLUSIVE, "pkg/stats.py, line 9: no test runs it")
    assert [(annotation.path, annotation.line) for annotation in annotations(proof(Verdict.INCONCLUSIVE, words))][
        1
    ] == (
        "pkg/stats.py",
        9,
    )


def test_a_fingerprint_survives_a_moved_line() -> None:
    first, moved = (
        Annotation(rule="r", level=Level.NOTE, text=f"see line {line}", path="a.py", line=line) for line in (3, 8)
    )
    assert first.fingerprint == moved.fingerprint
    assert fingerprints([first, moved])[0] == first.fingerprint
    assert len(set(fingerprints([first, moved]))) == 2


def test_a_passed_proof_has_no_failure_in_any_format() -> None:
    passed = proof(Verdict.PASSED, NOTED, UNUSED)
    assert "::error" not in (text := render("github", passed))
    assert "::warning" not in text
    assert text.startswith("::notice title=whet%3A passed::Proved: 1 test")
    assert {result["level"] for result in json.loads(render("sarif", passed))["runs"][0]["results"]} == {"note"}
    assert {entry["severity"] for entry in json.loads(render("gitlab", passed))} == {"info"}
    assert fromstring(render("junit", passed)).get("failures") == "0"


@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.INCONCLUSIVE])
def test_a_proof_that_did_not_pass_fails_in_every_format(verdict: Verdict) -> None:
    unproven = proof(verdict, CHEAT)
    command = "::error" if verdict is Verdict.FAILED else "::warning"
    assert f"{command} file=stats.py,line=5,title=whet%3A verdict::" in render("github", unproven)
    (run,) = json.loads(render("sarif", unproven))["runs"]
    assert run["results"][0]["level"] == ("error" if verdict is Verdict.FAILED else "warning")
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 5}
    assert run["properties"]["verdict"] == verdict
    assert json.loads(render("gitlab", unproven))[0]["location"] == {"path": "stats.py", "lines": {"begin": 5}}
    assert int(fromstring(render("junit", unproven)).get("failures", "0")) >= 1
    assert json.loads(render("json", unproven))["verdict"] == verdict
    assert verdict.value.upper() in render("text", unproven)


def test_the_junit_file_skips_safeguards_that_did_not_apply() -> None:
    suite = fromstring(render("junit", proof(Verdict.INCONCLUSIVE, CHEAT, UNUSED)))
    assert [case.get("name") for case in suite if case.find("skipped") is not None] == ["doctests"]
    assert suite.get("skipped") == "1"


EVIL = "x\n::error::owned%0A::set-output\x00\x1b[8m<script>&\u202e"


def test_foreign_text_starts_no_command_and_breaks_no_file() -> None:
    evil = proof(Verdict.FAILED, SafeguardResult("mutants", Verdict.FAILED, EVIL), regressed=(f"t.py::test[{EVIL}]",))
    lines = render("github", evil).splitlines()
    assert all(line.startswith(("::error file=", "::error title=")) for line in lines)
    assert not any("\x1b" in line or "\u202e" in line for line in lines)
    assert fromstring(render("junit", evil)).get("failures") == "3"
    json.loads(render("sarif", evil))
    json.loads(render("gitlab", evil))


def test_a_secret_in_a_test_id_is_in_no_format() -> None:
    secret = "ghp_" + "a1B2" * 9
    leaking = proof(Verdict.FAILED, regressed=(f"t.py::test[{secret}]",))
    for name in NAMES:
        assert secret not in render(name, leaking), name


def test_github_gets_at_most_the_annotations_that_it_shows() -> None:
    many = proof(Verdict.FAILED, regressed=tuple(f"t.py::test_{number}" for number in range(80)))
    lines = render("github", many).splitlines()
    assert len(lines) == 50
    assert lines[-1] == "::notice title=whet::32 more annotations are in the job summary"


def test_one_format_goes_to_standard_output_and_the_others_to_files(tmp_path: Path) -> None:
    outputs = parse(["github", f"sarif={tmp_path}/whet.sarif"])
    assert outputs == [Output("github", None), Output("sarif", tmp_path / "whet.sarif")]
    write_files(outputs, proof(Verdict.PASSED))
    assert [file.name for file in tmp_path.iterdir()] == ["whet.sarif"]


@pytest.mark.parametrize(
    ("requested", "message"),
    [
        (["xml"], "there is no format 'xml'"),
        (["sarif="], "'sarif=' names no file"),
        (["json", "github"], "only one format can go to standard output"),
    ],
)
def test_a_wrong_format_is_refused_before_anything_runs(requested: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(requested)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"missing/whet.sarif cannot be written: No such file"):
        write_files([Output("sarif", tmp_path / "missing" / "whet.sarif")], proof(Verdict.PASSED))
