"""Language servers are asked in the sandbox, and what they say of a tree becomes findings."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.config import parse
from whet.domain.clock import now
from whet.domain.diagnostic import Diagnostic
from whet.domain.finding import Finding
from whet.domain.reported import AnalyserResult
from whet.domain.signal import Signal
from whet.errors import BadConfig
from whet.phases.diagnose.step import find
from whet.phases.observe.diagnostics import ServerDiagnostics
from whet.sandbox.bubblewrap import Bubblewrap
from whet.store.codec import decode
from whet.target.linters import language_servers
from whet.target.scripts import INSIDE

FAKE = Path(__file__).parent / "fake_language_server.py"
SHOP = "import os\n\n\ndef length(word: str) -> str:\n    return len(word)\n\n\nlength(3)\nprint(missing)\n"


def policy(server: str, interpreter: str = "") -> str:
    target = f'[target]\nbranch = "main"\n{f"interpreter = {json.dumps(interpreter)}" if interpreter else ""}\n'
    return f"{target}[[sources.diagnostics]]\n{server}\n"


def looked(repo: Repo) -> tuple[dict[tuple[str, int], Signal], tuple[str, ...]]:
    """Return the signals of a look by rule and line, and what it skipped."""
    source = ServerDiagnostics(open_project(repo.root).kit)
    signals = source.observe("HEAD")
    return {(signal.subject, decode(AnalyserResult, signal.payload).line): signal for signal in signals}, source.skipped


def asked(folder: Path, behaviour: str, **limits: float) -> tuple[list[dict[str, Any]], str]:
    """Run the script that runs inside, on one file, with a server that behaves so. Return its lines and what was printed."""
    (folder / "a.py").write_text("a = 1\nb = 2\n")
    request = {
        "argv": [sys.executable, str(FAKE), behaviour], "files": ["a.py"], "language": "python",
        "settings": {"fake": {"level": "high"}}, "seconds": 20.0, "settle": 0.5, "most": 200, **limits,
    }  # fmt: skip
    reader, writer = os.pipe()
    done = subprocess.run(
        [sys.executable, INSIDE / "language_server.py", str(writer)],
        input=json.dumps(request).encode() + b"\n", capture_output=True, cwd=folder, pass_fds=[writer], check=True, timeout=60,
    )  # fmt: skip
    os.close(writer)
    with os.fdopen(reader, "rb") as lines:
        return [json.loads(line) for line in lines], done.stderr.decode()


@pytest.mark.parametrize(("behaviour", "how"), [("pull", "pull"), ("settles", "push")])
def test_diagnostics_are_pulled_where_announced_and_else_awaited(tmp_path: Path, behaviour: str, how: str) -> None:
    [facts, ending], _ = asked(tmp_path, behaviour)
    assert facts == {"path": "a.py", "diagnostics": [[1, 1, "E1", "wrong"]]}
    assert (ending["how"], ending["silent"]) == (how, 0)


def test_the_server_gets_its_settings_and_a_refusal_of_what_is_unknown(tmp_path: Path) -> None:
    _, printed = asked(tmp_path, "asks")
    assert printed.splitlines() == ['["high", {"fake": {"level": "high"}}]', "-32601"]


def test_files_that_were_not_asked_for_and_floods_are_left_out(tmp_path: Path) -> None:
    [facts, ending], _ = asked(tmp_path, "elsewhere")
    assert (facts["path"], len(facts["diagnostics"]), ending["left_out"]) == ("a.py", 200, 101)


@pytest.mark.parametrize(
    ("behaviour", "problem"),
    [
        ("ends", "the server ended"),
        ("garbage", "the server ended"),
        ("endless", "the server ended"),
        ("refuses", "initialize: no licence"),
        ("silent", "no answer to initialize in time"),
    ],
)
def test_a_server_that_does_not_work_is_a_problem_and_not_a_clean_bill(
    tmp_path: Path, behaviour: str, problem: str
) -> None:
    [ending], _ = asked(tmp_path, behaviour, seconds=0.5 if behaviour == "silent" else 20.0)
    assert ending["problem"] == problem


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [b"no json"],
        [b'{"path": "a.py", "diagnostics": []}'],
        [b'{"path": "a.py", "diagnostics": [[0]]}', b'{"end": true, "left_out": 0, "silent": 0}'],
        [b'{"end": true, "problem": "the server ended"}'],
        [b'{"end": true}'],
        [b"[" * 100_000],
        [b'{"path": "a.py", "diagnostics": [[1e999, 1, "r", "m"]]}', b'{"end": true, "left_out": 0, "silent": 0}'],
        [b'{"end": true, "left_out": 1e999, "silent": 0}'],
    ],
)
def test_an_answer_that_is_damaged_or_incomplete_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(language_servers.ServerSilent):
        language_servers._Answer("fake", ["a.py"]).read(lines)


def test_an_answer_names_only_files_that_were_opened_and_hints_are_counted() -> None:
    more = [[0, 4, "", ""]] * 1000  # the server may have taken over the client that counts
    long = [10**400, 1, "E2", "x" * 100_000]
    facts = {"path": "a.py", "diagnostics": [[0, 1, "E1", "a\nb"], [3, 4, "", "grey"], [4, 9, "", "odd"], long, *more]}
    other = {"path": "../secret", "diagnostics": [[0, 1, "E1", "x"]]}
    ending = {"end": True, "left_out": 2, "silent": 1}
    findings, left_out = language_servers._Answer("fake", ["a.py"]).read(
        [json.dumps(part).encode() for part in (facts, other, ending)]
    )
    assert findings == (
        Diagnostic(tool="fake", rule="E1", path="a.py", line=1, message="a b"),
        Diagnostic(tool="fake", rule="error", path="a.py", line=5, message="odd"),
        Diagnostic(tool="fake", rule="E2", path="a.py", line=10_000_001, message="x" * 2000),
    )
    assert [sentence.partition(" skipped")[0] for sentence in left_out] == ["197 hints", "2 diagnostics", "1 file"]


def test_ruffs_server_is_asked_once_for_a_tree_and_its_errors_are_findings(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    twice = '[[sources.diagnostics]]\nserver = "ty"\n'  # not in the environment of these tests
    repo = make_repo({"shop.py": SHOP, "whet.toml": policy('server = "ruff"') + twice})
    signals, skipped = looked(repo)
    assert set(signals) == {("F821", 9), ("F401", 1)}
    assert len(skipped) == 1
    assert "ty: skipped: not installed in the target's environment" in skipped[0]
    project = open_project(repo.root)
    [finding] = find(tuple(signals.values()), project.engines.analyzers, repo.head)
    assert (finding.title.partition(":")[0], finding.paths) == ("ruff F821", ("shop.py",))

    monkeypatch.setattr(Bubblewrap, "start", None)  # a second look starts nothing
    again = ServerDiagnostics(project.kit)
    assert [signal.payload for signal in again.observe("HEAD")] == [signal.payload for signal in signals.values()]


def test_one_result_from_two_sources_counts_once(make_repo: MakeRepo) -> None:
    project = open_project(make_repo({"a.py": "", "whet.toml": policy('server = "ruff"')}).root)

    def found(**lines: list[int]) -> list[Finding]:
        signals = [
            Signal.of(
                source,
                "F401",
                AnalyserResult(tool="ruff", level="warning", message="m", path="a.py", line=line, why_not=""),
                now(),
            )
            for source in lines
            for line in lines[source]
        ]
        return list(project.engines.analyzers["analyser_results"].findings(signals))

    assert found(sarif=[1, 2], diagnostics=[1, 2]) == []
    assert len(found(sarif=[1, 2], diagnostics=[2, 3])) == 1


@pytest.mark.parametrize("wrong", ["", 'server = "ruff"\ncommand = ["b"]', 'server = "emacs"', 'files = ["/etc/*"]'])
def test_a_server_is_known_or_has_a_command(wrong: str) -> None:
    with pytest.raises(BadConfig):
        parse(f"[[sources.diagnostics]]\n{wrong}\n".encode())


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the interpreter of an environment that has the language servers."""
    folder = tmp_path_factory.mktemp("servers") / "venv"
    venv.create(folder, with_pip=True)
    servers = ["ty", "pyrefly", "basedpyright", "pyright[nodejs]"]
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "pytest", *servers]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip("the package index cannot be reached")
    return str(folder / "bin/python")


@pytest.mark.needs_index
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("server", "rule"),
    [
        ("ty", "unresolved-reference"),
        ("pyrefly", "unknown-name"),
        ("basedpyright", "reportUndefinedVariable"),
        ("pyright", "reportUndefinedVariable"),
    ],
)
def test_real_servers_find_a_name_that_does_not_exist(make_repo: MakeRepo, python: str, server: str, rule: str) -> None:
    repo = make_repo({"shop.py": SHOP, "good.py": "x = 1\n", "whet.toml": policy(f'server = "{server}"', python)})
    signals, skipped = looked(repo)
    assert (rule, 9) in signals
    assert not [sentence for sentence in skipped if "hint" not in sentence]
