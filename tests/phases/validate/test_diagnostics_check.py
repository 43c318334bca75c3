"""The check of linter and type checkers: only what the patch adds counts, by the configuration of the base."""

import json
import sqlite3
from collections.abc import Callable

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate import Claim
from whet.phases.validate.diagnostics_check import DiagnosticsCheck
from whet.sandbox.sandbox import Finished, Job, Sandbox, Session
from whet.store.store import FILE_NAME

RUFF = '[tool.ruff.lint]\nselect = ["F"]\n'
POLICY = 'environment = "development"\n'
BASE = "import os\n\n\ndef area(width: int, height: int) -> int:\n    return width * height\n"


class CountingSandbox:
    """A sandbox that counts its jobs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox, self.jobs = sandbox, 0

    def start(self, job: Job) -> Session:
        self.jobs += 1
        return self._sandbox.start(job)

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        self.jobs += 1
        return self._sandbox.run(job, on_line)


def check(repo: Repo, files: dict[str, str]) -> CheckResult | None:
    """Return the result of the check for a patch that writes these files."""
    return check_and_count(repo, files)[0]


def check_and_count(repo: Repo, files: dict[str, str]) -> tuple[CheckResult | None, int]:
    """Return the result of the check for a patch that writes these files, and how often it ran a tool."""
    kit = open_project(repo.root).kit
    kit.suite.sandbox = sandbox = CountingSandbox(kit.suite.sandbox)
    tree = repo.git.with_files(repo.git.tree_of("HEAD"), {path: text.encode() for path, text in files.items()})
    patch = repo.git.patch("HEAD", tree, "a change")
    return DiagnosticsCheck(kit).check(Claim(patch=patch, targets={})), sandbox.jobs


def project(make_repo: MakeRepo, settings: str = RUFF, policy: str = POLICY) -> Repo:
    return make_repo({"shapes.py": BASE, "pyproject.toml": settings, "whet.toml": policy, ".gitignore": ".whet\n"})


def test_an_old_finding_that_moves_is_not_new(make_repo: MakeRepo) -> None:
    result = check(project(make_repo), {"shapes.py": f'"""Shapes."""\n\n{BASE}'})
    assert result is not None
    assert (result.verdict, result.regressed) == (Verdict.PASSED, ())
    assert result.reason == "no new findings (ruff)"


def test_a_new_finding_makes_it_inconclusive_and_is_named_with_its_line(make_repo: MakeRepo) -> None:
    result = check(project(make_repo), {"shapes.py": BASE.replace("width * height", "width * heigth")})
    assert result is not None
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.regressed == ("ruff F821: shapes.py, line 5: Undefined name `heigth`",)
    assert result.reason == "1 new finding: ruff F821: shapes.py, line 5: Undefined name `heigth` (ruff)"


def test_a_second_finding_of_the_same_kind_is_new(make_repo: MakeRepo) -> None:
    result = check(project(make_repo), {"shapes.py": BASE, "more.py": "import os\n"})
    assert result is not None
    assert result.regressed == ("ruff F401: more.py, line 1: `os` imported but unused",)


@pytest.mark.parametrize(("setting", "verdict"), [("failed", Verdict.FAILED), ("inconclusive", Verdict.INCONCLUSIVE)])
def test_the_policy_says_what_a_new_finding_means(make_repo: MakeRepo, setting: str, verdict: Verdict) -> None:
    repo = project(make_repo, policy=f'{POLICY}[checks]\ndiagnostics = "{setting}"\n')
    result = check(repo, {"more.py": "import os\n"})
    assert result is not None
    assert result.verdict is verdict


def test_a_patch_cannot_switch_off_the_rule_that_judges_it(make_repo: MakeRepo) -> None:
    silenced = {"more.py": "import os\n", "pyproject.toml": '[tool.ruff.lint]\nselect = ["E9"]\n'}
    result = check(project(make_repo), silenced)
    assert result is not None
    assert result.verdict is Verdict.INCONCLUSIVE


def test_a_patch_cannot_add_a_file_that_switches_the_rule_off(make_repo: MakeRepo) -> None:
    result = check(project(make_repo), {"more.py": "import os\n", "ruff.toml": '[lint]\nselect = ["E9"]\n'})
    assert result is not None
    assert result.regressed == ("ruff F401: more.py, line 1: `os` imported but unused",)


def test_a_finding_counts_in_a_project_that_has_ruff_mend_it(make_repo: MakeRepo) -> None:
    result = check(project(make_repo, f"[tool.ruff]\nfix = true\n{RUFF}"), {"more.py": "import os\n"})
    assert result is not None
    assert result.regressed == ("ruff F401: more.py, line 1: `os` imported but unused",)


@pytest.mark.parametrize(
    ("settings", "policy"),
    [('[project]\nname = "shapes"\n', POLICY), (RUFF, f'{POLICY}[checks]\ndiagnostics = "off"\n')],
    ids=["no tool is configured", "the policy leaves them out"],
)
def test_there_is_no_result_without_a_tool(make_repo: MakeRepo, settings: str, policy: str) -> None:
    assert check(project(make_repo, settings, policy), {"more.py": "import os\n"}) is None


@pytest.mark.whets_python
def test_a_type_error_that_the_patch_adds_is_found_by_mypy(make_repo: MakeRepo) -> None:
    repo = project(make_repo, "[tool.mypy]\nstrict = true\n")
    result = check(repo, {"shapes.py": BASE.replace("width * height", "str(width * height)")})
    assert result is not None
    assert result.verdict is Verdict.INCONCLUSIVE
    assert [text.partition(", line 5: ")[0] for text in result.regressed] == ["mypy return-value: shapes.py"]


def test_a_checker_that_is_not_installed_is_named_and_does_not_decide(make_repo: MakeRepo) -> None:
    result = check(project(make_repo, f"{RUFF}[tool.ty.rules]\nall = 'error'\n"), {"notes.md": "A note.\n"})
    assert result is not None
    assert result.verdict is Verdict.PASSED
    assert result.details["skipped"] == ["ty is configured and not installed in the target's environment"]


@pytest.mark.whets_python
def test_a_checker_that_does_not_run_on_the_base_does_not_decide(make_repo: MakeRepo) -> None:
    result = check(
        project(make_repo, "[tool.mypy]\npython_version = '1.0'\nfiles = ['missing.py']\n"), {"notes.md": "x\n"}
    )
    assert result is not None
    assert result.verdict is Verdict.PASSED
    assert "mypy did not run" in result.details["skipped"][0]


def test_a_second_proof_does_not_run_the_tool_on_the_base_again(make_repo: MakeRepo) -> None:
    repo = project(make_repo)
    first, first_jobs = check_and_count(repo, {"notes.md": "A note.\n"})
    second, second_jobs = check_and_count(repo, {"more.py": "import os\n"})
    assert (first_jobs, second_jobs) == (2, 1)
    assert first is not None
    assert second is not None
    assert (first.verdict, second.verdict) == (Verdict.PASSED, Verdict.INCONCLUSIVE)
    assert second.regressed == ("ruff F401: more.py, line 1: `os` imported but unused",)


def test_a_tool_that_finds_nothing_with_the_patch_does_not_run_on_the_base(make_repo: MakeRepo) -> None:
    result, jobs = check_and_count(project(make_repo), {"shapes.py": BASE.removeprefix("import os\n")})
    assert result is not None
    assert (result.verdict, jobs) == (Verdict.PASSED, 1)


def test_the_patch_is_never_judged_by_recorded_findings(make_repo: MakeRepo) -> None:
    repo = project(make_repo)
    for _ in range(2):
        result = check(repo, {"more.py": "import os\n"})
        assert result is not None
        assert result.verdict is Verdict.INCONCLUSIVE
        rewrite(repo, lambda report: json.dumps({**report, "findings": []}))


NEW = {"tool": "ruff", "rule": "F401", "path": "more.py", "line": 1, "message": "`os` imported but unused"}


@pytest.mark.parametrize(
    "entry",
    [
        lambda _: "{",
        lambda report: json.dumps({**report, "findings": [NEW, {**NEW, "line": "first"}]}),
        lambda report: json.dumps({**report, "findings": [*report["findings"], NEW], "tree": "0" * 40}),
        lambda report: json.dumps({**report, "findings": [*report["findings"], NEW], "tool": "mypy"}),
    ],
    ids=["not JSON", "a finding of another form", "of another tree", "of another tool"],
)
def test_a_damaged_or_foreign_record_is_ignored(make_repo: MakeRepo, entry: Callable[[dict[str, object]], str]) -> None:
    repo = project(make_repo)
    check(repo, {"notes.md": "A note.\n"})
    rewrite(repo, entry)
    result, jobs = check_and_count(repo, {"more.py": "import os\n"})
    assert result is not None
    assert (result.verdict, jobs) == (Verdict.INCONCLUSIVE, 2)


def rewrite(repo: Repo, entry: Callable[[dict[str, object]], str]) -> None:
    """Replace the recorded findings of every tree."""
    connection = sqlite3.connect(repo.root / ".whet" / FILE_NAME, isolation_level=None)
    rows = connection.execute("SELECT key, report FROM diagnostic_runs").fetchall()
    assert rows
    for key, report in rows:
        connection.execute("UPDATE diagnostic_runs SET report = ? WHERE key = ?", (entry(json.loads(report)), key))
    connection.close()
