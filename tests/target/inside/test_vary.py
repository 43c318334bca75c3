"""vary.py, run without a sandbox on a small project."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from whet.target.scripts import INSIDE

MODULE = """\
import asyncio
import os
import shutil
import sys

_calls = []


def counted(n):
    _calls.append(n)
    return n if len(_calls) < 300 else -n


def placed(n):
    return n if "pytest" in sys.modules else -n


def writing(name):
    with open("log.txt", "a") as file:
        file.write(name)
    return name


def exporting(name):
    os.environ["LAST"] = name
    return name


def applied(work, n):
    return work(n)


def forever(n):
    while n:
        pass
    return n


async def later(n):
    await asyncio.sleep(0)
    return n + 1


def upto(n):
    yield from range(n)


def nested(n):
    def inner(m):
        return n * m
    return inner(2)


class Box:
    size = 0

    def grow(self, by):
        self.size += by
        return self.size


def printing(text):
    print(text)


def sorting(items):
    items.sort()


def typed(n):
    return str(n or "")
"""
TESTS = """\
import asyncio
import mod
import pytest

@pytest.mark.parametrize("n", [*"abcd"])
def test_typed(n):
    mod.typed(n)

def test_table():
    for n in [*"efghij", 3]:
        mod.typed(n)

def test_all():
    mod.counted(5)
    mod.placed(7)
    mod.Box().grow(2)
    mod.writing("a")
    mod.exporting("b")
    mod.applied(abs, -3)
    mod.forever(0)
    asyncio.run(mod.later(1))
    list(mod.upto(3))
    mod.nested(4)
    mod.printing("hello")
    mod.sorting([3, 1])
"""
NAMES = [
    "counted", "placed", "writing", "exporting", "applied", "forever", "later", "upto", "nested", "Box.grow", "printing",
    "sorting", "typed",
]  # fmt: skip


def vary(project: Path, **more: Any) -> dict[str, dict[str, Any]]:
    """Return the report of every function by its name."""
    lines = MODULE.splitlines()
    starts = {
        line.split("def ")[1].split("(")[0]: number for number, line in enumerate(lines, 1) if line.lstrip().startswith(("def ", "async def "))
    }  # fmt: skip
    functions = [
        {
            "path": "mod.py",
            "name": name,
            "line": starts[name.rpartition(".")[2]],
            "method": "." in name,
            "parameters": ["self", "work", "n", "name", "by", "text", "items"],
            "stateful": name == "typed",
        }
        for name in NAMES
    ]
    request = {
        "runner": "pytest", "args": ["-p", "no:cacheprovider"], "tests": ["tests/test_mod.py::test_all"],
        "functions": functions, "words": ["word", 300], "seed": "s", "deep": True, "seconds": 30, "wall_seconds": 200, **more,
    }  # fmt: skip
    reader, writer = os.pipe()
    finished = subprocess.Popen(
        [sys.executable, str(INSIDE / "varied/vary.py"), str(writer)],
        cwd=project,
        stdin=subprocess.PIPE,
        pass_fds=[writer],
    )
    os.close(writer)
    assert finished.stdin is not None
    finished.stdin.write(json.dumps(request).encode())
    finished.stdin.close()
    with os.fdopen(reader) as file:
        events = [json.loads(line) for line in file]
    finished.wait()
    assert events.pop() == {"end": True}
    return {NAMES[event["function"]]: event for event in events}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "tests").mkdir()
    (folder / "mod.py").write_text(MODULE)
    (folder / "tests/test_mod.py").write_text(TESTS)
    return folder


@pytest.fixture(scope="module")
def reports(project: Path) -> dict[str, dict[str, Any]]:
    return vary(project)


def answers(report: dict[str, Any]) -> dict[str, str]:
    """Return the texts of the varied answers by call; exceptions and other ends by their kind."""
    return {item["call"]: item["answer"].get("text", item["answer"]["kind"]) for item in report["varied"]}


def test_every_function_is_asked_with_the_input_of_the_test_and_with_others(reports: dict[str, dict[str, Any]]) -> None:
    assert reports.keys() == {*NAMES} - {"typed"}
    assert reports["nested"]["call"] == "nested(4)"
    assert reports["nested"]["clean"]["text"] == "8"
    assert answers(reports["nested"])["nested(5)"] == "10"
    assert answers(reports["nested"])["nested(300)"] == "600"


def test_a_repeated_call_and_a_call_after_others_show_state(reports: dict[str, dict[str, Any]]) -> None:
    counted = reports["counted"]
    assert (counted["repeat"]["times"], counted["repeat"]["then"]["text"]) == (299, "-5")
    assert counted["after"]["text"] == "-5"
    assert reports["placed"]["repeat"] == {"times": 1000}
    # Every call starts from a copy of the object.
    assert reports["Box.grow"]["repeat"] == {"times": 1000}


def test_a_run_that_is_not_deep_asks_only_for_varied_inputs(
    project: Path, reports: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    shallow = vary(shutil.copytree(project, tmp_path / "copy"), deep=False)["nested"]
    assert answers(shallow) == answers(reports["nested"])
    assert not {"repeat", "after", "sequence"} & shallow.keys()
    assert {"repeat", "after", "sequence"} <= reports["placed"].keys()


def test_a_new_shape_late_in_a_table_is_asked_after_many_calls_and_a_stateful_function_is_asked_deeply(
    project: Path, tmp_path: Path
) -> None:
    tests = [*(f"tests/test_mod.py::test_typed[{n}]" for n in "abcd"), "tests/test_mod.py::test_table"]
    report = vary(shutil.copytree(project, tmp_path / "copy"), tests=tests)["typed"]  # of the last call that was asked
    assert (report["call"], answers(report)["typed(0)"]) == ("typed(3)", "''")
    assert "repeat" in report


def test_a_fresh_process_has_no_test_runner(reports: dict[str, dict[str, Any]]) -> None:
    assert reports["placed"]["clean"]["text"] == "7"
    assert [answer["text"] for answer in reports["placed"]["fresh"]] == ["-7", "-8", "0"]
    assert reports["counted"]["fresh"][0]["text"] == "5"


def test_effects_are_reported_and_files_are_not_written(project: Path, reports: dict[str, dict[str, Any]]) -> None:
    assert reports["writing"]["clean"]["effects"] == ["writes a file"]
    assert (project / "log.txt").read_text() == "a"
    assert reports["exporting"]["clean"]["effects"] == ["sets the environment"]


def test_a_callable_argument_is_made_to_raise(reports: dict[str, dict[str, Any]]) -> None:
    raising = [item for item in reports["applied"]["varied"] if item["kind"] == "raising"]
    assert [item["answer"]["print"] for item in raising] == ["Probe"]


def test_an_endless_call_is_left_out(reports: dict[str, dict[str, Any]]) -> None:
    assert answers(reports["forever"])["forever(1)"] == "slow"
    assert reports["forever"]["clean"]["text"] == "0"


def test_coroutines_generators_and_methods_are_asked(reports: dict[str, dict[str, Any]]) -> None:
    assert answers(reports["later"])["later(2)"] == "3"
    assert answers(reports["upto"])["upto(4)"] == "[0, 1, 2, 3]"
    assert answers(reports["Box.grow"])["Box.grow(3)"] == "3"


def test_printed_text_and_changed_arguments_count_as_the_answer(reports: dict[str, dict[str, Any]]) -> None:
    for name in ("printing", "sorting"):
        prints = {item["answer"]["print"] for item in reports[name]["varied"]}
        assert len(prints) > 3
        assert reports[name]["clean"]["print"] == reports[name]["again"]["print"]
