import asyncio
import importlib
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.runtime.application import HEAD, Application, short, until
from whet.domain.version import digest_of
from whet.runtime import configure, flush
from whet.runtime.registry import DECLARED
from whet.runtime.reload.compatibility import Incompatible
from whet.runtime.reload.loading import load
from whet.runtime.reload.module import swap
from whet.runtime.reload.watcher import LOOK_EVERY_SECONDS
from whet.store.process_identity import parse, this_process

ONE = "@tool\ndef answer(x=0):\n    return 1\n"
TWO = "@tool\ndef answer(x=0):\n    return 2\n"


def test_a_published_version_answers_within_a_second_through_every_reference_to_the_tool(
    application: Application,
) -> None:
    answer = application.load(ONE).answer
    assert answer() == 1
    application.publish(TWO)
    assert until(lambda: answer() == 2) < 1
    until(lambda: application.runs(TWO))
    application.publish("@tool\ndef answer(x=0, y=0):\n    return 3\n")
    assert until(lambda: answer() == 3) < 1
    assert answer(0, 1) == 3


def test_publishing_the_original_source_restores_the_original_function_and_its_state(application: Application) -> None:
    counting = "seen = []\n@tool\ndef answer():\n    seen.append(1)\n    return len(seen)\n"
    module = application.load(counting)
    assert module.answer() == 1
    application.publish("@tool\ndef answer():\n    return -1\n")
    until(lambda: module.answer() == -1)
    seen = len(module.seen)
    application.publish(counting)
    until(lambda: module.answer() > 0)
    assert len(module.seen) == seen + 1


def test_globals_are_fresh_except_those_listed_in_whet_keep(application: Application) -> None:
    module = application.load("kept, fresh = [], []\n@tool\ndef answer(x):\n    kept.append(x); fresh.append(x)\n")
    module.answer(1)
    application.publish(
        '__whet_keep__ = ("kept", "unheard_of")\nkept, fresh = [], []\n'
        "@tool\ndef answer(x):\n    kept.append(x); fresh.append(x)\n    return len(kept), len(fresh)\n"
    )
    until(lambda: module.answer(2) is not None)
    kept, fresh = module.answer(3)
    assert module.kept[0] == 1
    assert kept == len(module.kept) > fresh


POINTS = "{}class Point:\n    pass\n@tool\ndef make(x=0):\n    return Point()\n@tool\ndef number():\n    return {}\n"


def test_the_new_version_has_its_own_classes_unless_they_are_kept(application: Application) -> None:
    module = application.load(POINTS.format("", 1))
    module.number()
    application.publish(POINTS.format("", 2))
    until(lambda: module.number() == 2)
    assert not isinstance(module.make(), module.Point)
    with pytest.raises(pickle.PicklingError):
        pickle.dumps(module.make())
    application.publish(POINTS.format("", 1))
    until(lambda: module.number() == 1)
    application.publish(POINTS.format('__whet_keep__ = ["Point"]\n', 3))
    until(lambda: module.number() == 3)
    assert isinstance(pickle.loads(pickle.dumps(module.make())), module.Point)


def test_a_pickled_tool_and_an_inherited_method_run_the_new_version(application: Application) -> None:
    methods = "class Base(BaseTool):\n    def run(self, x):\n        return {}, x, self.factor\n    factor = 2\n"
    module = application.load(ONE + methods.format(1))
    heir = type("Heir", (module.Base,), {"factor": 3, "__module__": application.name})()
    instance, pickled = module.Base(), pickle.dumps(module.answer)
    assert (instance.run(0), module.answer()) == ((1, 0, 2), 1)
    application.publish(TWO + methods.format(2))
    until(lambda: instance.run(0) == (2, 0, 2))
    assert pickle.loads(pickled)() == 2
    assert heir.run(5) == (2, 5, 3)


def test_tools_of_a_version_call_each_other_within_that_version(application: Application) -> None:
    both = "@tool\ndef inner():\n    return {0}\n@tool\ndef outer():\n    return {0}, inner()\n"
    module = application.load(both.format(1))
    assert module.outer() == (1, 1)
    application.publish(both.format(2))
    until(lambda: module.outer()[0] == 2)
    assert module.outer() == (2, 2)
    assert module.inner() == 2


def test_a_tool_that_a_version_adds_is_captured_and_disappears_with_it(
    application: Application, tmp_path: Path
) -> None:
    module = application.load(ONE)
    module.answer()
    adding = f'@tool(name="{application.name}.more")\ndef more():\n    return 7\n@tool\ndef answer(x=0):\n    return more()\n'
    application.publish(adding)
    until(lambda: module.answer() == 7)
    assert f"{application.name}.more" not in DECLARED
    assert f"{application.name}.more" in captured(tmp_path)
    application.publish(TWO)
    until(lambda: module.answer() == 2)
    application.publish(ONE)
    until(lambda: module.answer() == 1)


def captured(folder: Path) -> set[str]:
    assert flush()
    with closing(sqlite3.connect(folder / ".whet" / "executions.db")) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM tools")}


def test_a_manifest_that_cannot_be_read_is_reported_and_changes_nothing(
    application: Application, tmp_path: Path
) -> None:
    module = application.load(ONE)
    module.answer()
    application.publish(TWO)
    until(lambda: module.answer() == 2)
    (tmp_path / ".whet" / "registry" / "modules" / f"{application.name}.json").write_text("{")
    until(lambda: "cannot be read" in application.reported()["problem"])
    assert module.answer() == 2


CASES = "@tool(side_effects=False, cases=[Case((1,), 2), Case((0,), error=ValueError)])\ndef answer(x=0):\n"
REFUSED = [
    ("def answer(x=0)\n", "SyntaxError"),
    ("import nowhere_to_be_found\n" + TWO, "ModuleNotFoundError"),
    ("raise SystemExit(3)\n", "SystemExit"),
    ("def answer(x=0):\n    return 2\n", "has no tool"),
    ("@tool\ndef answer():\n    return 2\n", "x is gone"),
    ("@tool\ndef answer(x):\n    return 2\n", "x must now be given"),
    ("@tool\ndef answer(x=0, *, y):\n    return 2\n", "y is new and must be given"),
    ("@tool\nasync def answer(x=0):\n    return 2\n", "would become async"),
    (CASES + "    return 5\n", "fails its case"),
    (CASES + "    raise KeyError(x)\n", "fails its case"),
    (CASES + "    return 2\n", "fails its case"),
    ('__whet_keep__ = "kept"\n' + TWO, "must be a list of names"),
]


@pytest.mark.parametrize(("source", "why"), REFUSED)
def test_an_incompatible_version_never_answers(application: Application, source: str, why: str) -> None:
    module = application.load(ONE)
    assert module.answer() == 1
    application.publish(source)
    assert why in application.refuses(source)
    assert module.answer() == 1
    assert application.reported()["versions"] == [short(ONE)]
    application.publish(TWO)
    until(lambda: module.answer() == 2)


def test_a_version_that_passes_its_cases_is_put_to_use(application: Application) -> None:
    module = application.load(ONE)
    module.answer()
    application.publish(CASES + "    if not x:\n        raise ValueError\n    return x + 1\n")
    until(lambda: module.answer(4) == 5)


def test_cases_of_a_tool_with_side_effects_are_not_run_in_the_application(application: Application) -> None:
    module = application.load(ONE)
    module.answer()
    application.publish("@tool(cases=[Case((1,), 3)])\ndef answer(x=0):\n    return 2\n")
    until(lambda: module.answer() == 2)


def test_a_source_that_does_not_match_its_digest_is_refused_until_it_does(
    application: Application, tmp_path: Path
) -> None:
    module = application.load(ONE)
    digest = application.publish(TWO).current.digest
    (tmp_path / ".whet" / "registry" / "sources" / f"{digest}.py").write_text(HEAD + TWO.replace("2", "666"))
    assert module.answer() == 1
    assert "does not match its digest" in application.refuses(TWO)
    assert module.answer() == 1
    application.versions.add((HEAD + TWO).encode())
    until(lambda: module.answer() == 2)


def test_a_method_is_not_replaced_if_the_rest_of_its_class_changes(application: Application) -> None:
    old = "class Adder(BaseTool):\n    def run(self, x):\n        return x + self.more()\n    def more(self):\n        return 1\n"
    adder = application.load(old).Adder()
    assert adder.run(1) == 2
    application.publish(old.replace("return 1", "return 2"))
    assert "more of Adder changes than run" in application.refuses(old.replace("return 1", "return 2"))
    with_super = old.replace("x + self.more()", "x + super().__sizeof__()")
    application.publish(with_super)
    assert "super()" in application.refuses(with_super)
    assert adder.run(1) == 2


def test_a_module_loaded_from_an_unknown_source_is_not_reloaded(application: Application) -> None:
    application.load(ONE)
    application.publish(TWO)
    module = application.load("@tool\ndef answer(x=0):\n    return 'by hand'\n")
    module.answer()
    until(lambda: application.reported()["problem"])
    assert "none of the versions" in application.reported()["problem"]
    assert module.answer() == "by hand"


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Let threads take turns fifty times as often as usual, so that a short test sees many interleavings."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 50)
    yield
    sys.setswitchinterval(usual)


def test_twenty_threads_never_see_a_mixture_of_two_versions(application: Application, frequent_switches: None) -> None:
    text = "VERSION = {0}\ndef half():\n    return VERSION\n@tool\ndef answer():\n    return {0}, half(), VERSION\n"
    module = application.load(text.format(0))
    tools = [DECLARED[f"{application.name}.answer"]]
    wrong: list[object] = []
    seen: set[int] = set()
    done = threading.Event()

    def call() -> None:
        latest = 0
        while not done.is_set():
            first, *rest = module.answer()
            if rest != [first, first] or first < latest:
                wrong.append((latest, first, rest))
            latest = first
            seen.add(first)

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for number in range(1, 51):
        source = (HEAD + text.format(number)).encode()
        swap(load(digest_of(source), source, tools, None), tools)
        until(lambda number=number: number in seen)  # type: ignore[misc]
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert seen >= set(range(1, 51))


def replace_with(application: Application, source: str) -> None:
    data = (HEAD + source).encode()
    tools = [tool for tool in DECLARED if tool.source.module == application.name]
    swap(load(digest_of(data), data, tools, None), tools)


def test_a_call_in_flight_finishes_on_the_old_version(application: Application) -> None:
    text = "@tool\ndef answer(started, go_on):\n    started.set()\n    go_on.wait(5)\n    return {}\n"
    module = application.load(text.format(1))
    started, go_on, results = threading.Event(), threading.Event(), []
    thread = threading.Thread(target=lambda: results.append(module.answer(started, go_on)))
    thread.start()
    started.wait(5)
    replace_with(application, text.format(2))
    go_on.set()
    thread.join()
    assert (results, module.answer(started, go_on)) == ([1], 2)


def test_generators_and_coroutines_in_flight_finish_on_the_old_version(application: Application) -> None:
    text = (
        "import asyncio\n@tool\ndef count():\n    yield {0}\n    yield {0}\n"
        "@tool\nasync def wait(event):\n    await event.wait()\n    return {0}\n"
        "@tool\nasync def stream():\n    yield {0}\n    await asyncio.sleep(0)\n    yield {0}\n"
    )
    module = application.load(text.format(1))

    async def story() -> tuple[list[int], int, list[int], int]:
        event = asyncio.Event()
        counting, waiting, streaming = module.count(), asyncio.create_task(module.wait(event)), module.stream()
        items, streamed = [next(counting)], [await anext(streaming)]
        await asyncio.sleep(0)
        replace_with(application, text.format(2))
        event.set()
        return (
            [*items, *counting],
            await waiting,
            [*streamed, *[item async for item in streaming]],
            await module.wait(event),
        )

    assert asyncio.run(story()) == ([1, 1], 1, [1, 1], 2)
    assert list(module.count()) == [2, 2]


def test_loading_a_version_does_not_change_declared_tools_or_modules(application: Application) -> None:
    module = application.load(ONE)
    declared = DECLARED[f"{application.name}.answer"]
    source = (HEAD + TWO).encode()
    version = load(digest_of(source), source, [declared], None)
    assert DECLARED[f"{application.name}.answer"] is declared
    assert sys.modules[application.name] is module
    assert version.module is not module
    assert module.answer() == 1
    with pytest.raises(Incompatible):
        load("0" * 64, source, [declared], None)


def test_a_forked_child_reloads_too_and_writes_its_own_report(application: Application) -> None:
    module = application.load(ONE)
    assert module.answer() == 1
    application.publish(ONE + "\n")
    until(lambda: application.reported()["versions"])
    child = os.fork()
    if child == 0:
        try:
            until(lambda: module.answer() == 2)
            os._exit(0)
        finally:
            os._exit(1)
    application.publish(TWO)
    assert os.waitpid(child, 0)[1] == 0
    until(lambda: module.answer() == 2)


def test_the_report_identifies_the_process_as_the_store_does(application: Application) -> None:
    from whet.runtime.reload.report import process

    assert parse(process()) == this_process()


def test_a_reloaded_module_of_a_package_can_import_its_neighbours(application: Application, tmp_path: Path) -> None:
    package = tmp_path / f"{application.name}_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "near.py").write_text("VALUE = 40")
    application.file, application.name = package / "far.py", f"{package.name}.far"
    text = HEAD + "from .near import VALUE\n@tool\ndef answer(x=0):\n    return VALUE + {}\n"
    application.source = text.format(1).encode()
    application.file.write_bytes(application.source)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        answer = importlib.import_module(application.name).answer
    assert answer() == 41
    application.publish(text.format(2).removeprefix(HEAD))
    until(lambda: answer() == 42)


PROGRAM = (
    "import time\n@tool\ndef answer(x=0):\n    return {}\n"
    "if __name__ == '__main__':\n    print(answer(), flush=True)\n"
    "    while answer() == 1:\n        time.sleep(0.01)\n    print(answer(), flush=True)\n"
)


def test_the_main_program_is_reloaded_without_running_it_again(application: Application, tmp_path: Path) -> None:
    (tmp_path / "whet.toml").touch()
    application.source = (HEAD + PROGRAM.format(1)).encode()
    application.file.write_bytes(application.source)
    with subprocess.Popen([sys.executable, application.file], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "1\n"
        application.publish(PROGRAM.format(2))
        assert program.communicate(timeout=20)[0] == "2\n"
    assert program.returncode == 0


def test_another_state_folder_is_another_registry(application: Application, tmp_path: Path) -> None:
    module = application.load(ONE)
    module.answer()
    application.publish(TWO)
    until(lambda: module.answer() == 2)
    configure(state=tmp_path / "other")
    application.publish("@tool\ndef answer(x=0):\n    return 3\n")
    time.sleep(3 * LOOK_EVERY_SECONDS)
    assert module.answer() == 2
    assert application.versions.running() == []


WRITER = """
import sys
from pathlib import Path
from whet.domain.clock import now
from whet.store.versions import Cause, Versions
versions, base = Versions(Path(sys.argv[1])), Path(sys.argv[3]).read_bytes()
print("ready", flush=True)
number = int(sys.argv[4])
while True:
    number += 1
    source = base.replace(b"return 1", b"return %d" % number) + b"#" * 100_000
    cause = Cause(why=f"version {number}", deployment=f"version {number}", at=now())
    versions.publish(sys.argv[2], "path", base, source, cause)
"""


@pytest.mark.slow
def test_killing_the_publisher_at_any_moment_leaves_a_working_version(application: Application, tmp_path: Path) -> None:
    module = application.load(ONE)
    answers = [module.answer()]
    for attempt in range(1, 9):
        command = [
            sys.executable,
            "-c",
            WRITER,
            str(tmp_path / ".whet"),
            application.name,
            str(application.file),
            str(attempt * 10_000),
        ]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.02 * attempt)
        writer.kill()
        writer.communicate()
        manifest = application.versions.manifest(application.name)
        if manifest is not None:
            source = application.versions.source(manifest.current.digest)
            until(lambda source=source: b"return %d\n" % module.answer() in source)  # type: ignore[misc]
            answers.append(module.answer())
    assert answers == sorted(answers)
    assert answers[-1] > 10_000
    assert application.reported()["refused"] == {}


DYING = """
import sys, time
sys.path.insert(0, sys.argv[1])
from {name} import answer
for _ in range(80):
    assert answer() == 1
    time.sleep(0.01)
"""


@pytest.mark.slow
@pytest.mark.parametrize("where", ["import os; os._exit(9)\n{}", "{}    import os; os._exit(9)\n"])
@pytest.mark.parametrize("on_trial", [True, False])
def test_a_version_that_killed_three_processes_is_refused_by_the_fourth(
    application: Application, tmp_path: Path, where: str, on_trial: bool
) -> None:
    (tmp_path / "whet.toml").touch()
    application.source = (HEAD + ONE).encode()
    application.file.write_bytes(application.source)
    deadly = where.format("@tool\ndef answer(x=0):\n")
    deadly += "" if deadly.endswith("_exit(9)\n") else "    return 1\n"
    application.try_out(deadly, share=1.0) if on_trial else application.publish(deadly)
    command = [sys.executable, "-c", DYING.format(name=application.name), str(tmp_path)]
    assert [subprocess.run(command, check=False).returncode for _ in range(4)] == [9, 9, 9, 0]
