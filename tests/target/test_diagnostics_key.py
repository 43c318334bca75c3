"""The key of recorded findings: equal for an equal run, another one if anything is different that findings depend on."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.support import MakeRepo
from whet.config import Config
from whet.domain.containment import Containment
from whet.errors import EnvironmentProblem
from whet.git.git import Git
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job
from whet.target.interpreter import Interpreter
from whet.target.linters import diagnostics as module
from whet.target.linters.diagnostics import Diagnostics
from whet.target.suite import Overlay, Suite

PYTHON = Interpreter(path="/env/bin/python", version="3.11.4", readable=(), has_pytest=True)
NONE = Containment(
    backend="none", version="", uid=0, namespaces=(), network=False, seccomp=False, writable=(), limits={}
)
NO_OVERLAY: Overlay = MappingProxyType({})


@pytest.fixture
def suite(make_repo: MakeRepo) -> Suite:
    root = make_repo({"pyproject.toml": "[tool.mypy]\nstrict = true\n"}).root
    return Suite(Git(root), Bubblewrap(), PYTHON, Config())


class Prints(Bubblewrap):
    """A sandbox in which every command prints one line as its result."""

    def __init__(self, line: bytes) -> None:
        super().__init__()
        self._line = line

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        return Finished(exit_code=0, output="", lines=(self._line,), seconds=0.1, stopped_by="", containment=NONE)


def key(suite: Suite, tool: str = "mypy", tree: str = "t", configuration: Overlay = NO_OVERLAY) -> str:
    return Diagnostics(suite, suite.git.tree_of("HEAD")).key(tool, tree, configuration)


def test_the_key_stays_the_same(suite: Suite) -> None:
    assert key(suite) == key(replace(suite))


def with_memory(suite: Suite) -> Suite:
    sandbox = suite.policy.sandbox.model_copy(update={"memory_mb": suite.policy.sandbox.memory_mb + 1})
    return replace(suite, policy=suite.policy.model_copy(update={"sandbox": sandbox}))


@pytest.mark.parametrize(
    "line",
    [
        b'{"severity": "error"}',
        b'{"severity": "error", "file": "a", "message": "m", "line": 1e999}',
        b"{" * 9,
        b'{"severity": ',
    ],
)
def test_an_answer_of_a_checker_that_cannot_be_read_is_a_problem_of_the_environment(suite: Suite, line: bytes) -> None:
    """A plug-in of the project runs in the checker, and prints what it likes."""
    tree = suite.git.tree_of("HEAD")
    checked = Diagnostics(replace(suite, sandbox=Prints(line)), tree)
    with pytest.raises(EnvironmentProblem, match="the answer of mypy cannot be read"):
        checked.run("mypy", tree)


@pytest.mark.parametrize(
    "other",
    [
        lambda suite: key(suite, tool="ty"),
        lambda suite: key(suite, tree="u"),
        lambda suite: key(suite, configuration={"mypy.ini": b"[mypy]"}),
        lambda suite: key(suite, configuration={"mypy.ini": None}),
        lambda suite: key(replace(suite, interpreter=replace(PYTHON, version="3.11.5"))),
        lambda suite: key(replace(suite, extra_files={"secret.py": b"x = 1"})),
        lambda suite: key(with_memory(suite)),
    ],
    ids=["tool", "tree", "configuration", "removed configuration", "interpreter", "extra file", "limits"],
)
def test_the_key_depends_on(suite: Suite, other: Callable[[Suite], str]) -> None:
    assert other(suite) != key(suite)


def test_the_key_depends_on_the_version_of_the_checker(suite: Suite, tmp_path: Path) -> None:
    keys = set()
    for version in ("1.0", "1.1"):
        folder = tmp_path / version
        (folder / f"mypy-{version}.dist-info").mkdir(parents=True)
        keys.add(key(replace(suite, interpreter=replace(PYTHON, imported=(str(folder),)))))
    assert len(keys) == 2


def test_the_key_depends_on_the_version_of_ruff(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(suite, tool="ruff")
    monkeypatch.setattr(module, "version", lambda _: "0.0.1")
    assert key(suite, tool="ruff") != before
