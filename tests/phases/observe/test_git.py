"""The target's own history becomes findings: churn, reverts, and fixes that follow fixes."""

import io
import json
import os
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from tests.support import MakeRepo, Repo
from whet.app.findings.scan import RankedFinding, Scan
from whet.app.project import Project, open_project
from whet.cli.views.scan import scan_table
from whet.config import Config
from whet.domain.finding import Finding
from whet.domain.past_commit import CommitKind, PastCommit
from whet.domain.reported import AnalyserResult, TroubledHistory
from whet.domain.signal import Signal
from whet.git.history import LoggedCommit
from whet.phases.diagnose.step import find
from whet.phases.observe.git import GitHistory
from whet.phases.observe.history import kind_of, troubles
from whet.phases.observe.step import observe, skipped

NOW = datetime(2026, 3, 1, tzinfo=UTC)
POLICY = '[target]\nbranch = "main"\n[observe]\nsources = ["git"]\n'
BODY = "This reverts commit 0123456789abcdef0123456789abcdef01234567."


@pytest.mark.parametrize(
    ("subject", "body", "kind"),
    [
        ("Fix rounding of totals", "", "fix"),
        ("fix: rounding", "", "fix"),
        ("fix(cart)!: rounding", "", "fix"),
        ("cart: fixes rounding", "", "fix"),
        ("Bugfix for empty carts", "", "fix"),
        ("Handle empty carts, fixes #12", "", "fix"),
        ("Fix typo in the help", "", "change"),
        ("docs: fix the example", "", "change"),
        ("tests: fix a flaky test", "", "change"),
        ("Fixture for carts", "", "change"),
        ("Fixed-point numbers", "", "change"),
        ("Prefix names", "", "change"),
        ("Add a cart", "This fixes nothing.", "change"),
        ('Revert "Fix rounding"', BODY, "revert"),
        ('Revert "Fix rounding"', "This rolls back 0123456789abcdef: more calls fail", "revert"),
        ('Revert "Revert "Add carts""', BODY, "change"),
        ('Revert "Reapply "Add carts""', BODY, "change"),
        ('Reapply "Add carts"', BODY, "change"),
        ("Revert to tabs", "", "change"),
    ],
)
def test_a_commit_is_what_its_message_says(subject: str, body: str, kind: str) -> None:
    assert kind_of(subject, body) == CommitKind(kind)


def past(days: float, kind: str, *paths: str, functions: Iterable[str] = ()) -> PastCommit:
    at = NOW - timedelta(days=days)
    name = f"{days}{kind}{paths}"
    return PastCommit(id=name, at=at, subject=name, kind=CommitKind(kind), paths=paths, functions=tuple(functions))


def kinds(commits: Iterable[PastCommit], window_days: float = 1.0) -> list[tuple[str, str, int]]:
    paths = {f"{name}.py" for name in "abcdefghij"}
    recent = troubles(commits, paths, NOW - timedelta(days=window_days), pattern=3)
    return [(trouble.kind, trouble.subject, len(trouble.commits)) for trouble in recent]


def test_a_function_whose_fixes_are_followed_by_fixes_is_named_instead_of_its_file() -> None:
    fixes = [past(days, "fix", "a.py", functions=["a.py::C.total"]) for days in (0, 3, 10)]
    assert kinds(fixes) == [("fix_on_fix", "a.py::C.total", 3)]
    elsewhere = [past(days, "fix", "a.py", functions=[f"a.py::f{days}"]) for days in (0, 3, 10)]
    assert kinds(elsewhere) == [("fix_on_fix", "a.py", 3)]


def test_fixes_are_no_trouble_if_they_are_far_apart_or_few_among_other_changes() -> None:
    assert kinds([past(days, "fix", "a.py") for days in (0, 15, 30)]) == []
    fixes = [past(days, "fix", "a.py") for days in (0, 2, 4)]
    changes = [past(days, "change", "a.py") for days in (0.5, 1, 3)]
    assert kinds([*fixes, *changes]) == []
    assert kinds([*fixes, *changes[:2]]) == [("fix_on_fix", "a.py", 3)]


def test_reverts_count_per_file_from_three_on() -> None:
    reverts = [past(days, "revert", "a.py", "b.py") for days in (0, 40)]
    assert kinds(reverts) == []
    assert kinds([*reverts, past(80, "revert", "b.py", "gone.py")]) == [("reverts", "b.py", 3)]


def test_churn_is_a_file_far_above_the_rest_and_not_the_busiest_of_busy_ones() -> None:
    quiet = [past(days, "change", f"{name}.py") for name in "bcdefghij" for days in (5, 6)]
    busy = [past(days / 10, "change", "a.py") for days in range(12)]
    assert kinds([*busy, *quiet]) == [("churn", "a.py", 12)]
    assert kinds([*busy[:9], *quiet]) == []
    assert kinds([*busy, *quiet[:8]]) == [], "five files are too few to speak of the rest"
    alike = [
        past(days, "change", f"{name}.py") for number, name in enumerate("bcdefghij") for days in range(number + 2)
    ]
    assert kinds([*busy, *alike]) == []


def test_a_trouble_that_ended_before_the_window_is_not_reported() -> None:
    fixes = [past(days, "fix", "a.py") for days in (2, 3, 4)]
    assert kinds(fixes) == []
    assert kinds(fixes, window_days=7) == [("fix_on_fix", "a.py", 3)]


def total(expression: str) -> str:
    return f"RATE = 1\n\n\nclass Cart:\n    def total(self, prices):\n        return {expression}\n\n\ndef other():\n    return 1\n"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    test = "from cart import Cart\n\ndef test_total(): assert Cart().total([1]) == 1\n"
    return make_repo({"cart.py": total("0"), "tests/test_cart.py": test, "whet.toml": POLICY, ".gitignore": ".whet/\n"})


def fix(repo: Repo, number: int) -> None:
    repo.commit({"cart.py": total(f"sum(prices) + {number} - {number}")}, f"Fix the total, try {number}")


def look(repo: Repo) -> tuple[list[Finding], tuple[str, ...], Project]:
    project = open_project(repo.root)
    base = project.git.resolve("HEAD")
    signals = observe(base, project.engines.sources, project.progress)
    return list(find(signals, project.engines.analyzers, base)), skipped(project.engines.sources), project


def test_fixes_of_one_function_in_a_real_history_are_listed_and_no_engine_acts(repo: Repo) -> None:
    for number in range(3):
        fix(repo, number)
    [finding], sentences, project = look(repo)
    assert finding.title == "fixes of Cart.total in cart.py are followed by fixes: 3 within 1 day"
    assert sentences == ()
    [place] = project.engines.analyzers["history"].places(finding, "HEAD")
    assert (place.path, place.line, place.function) == ("cart.py", 5, "Cart.total")
    assert not any(engine.can_help(finding) for engine in project.engines.proposers.values())
    console = Console(width=250, file=io.StringIO())
    result = Scan(repo.head, 3, 1, 1, 0.1, (RankedFinding(finding, ()),))
    console.print(scan_table(result))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "fixes of Cart.total in cart.py are followed by fixes" in text
    assert "nothing is proposed" in text


def test_a_finding_in_a_file_with_a_troubled_history_comes_earlier(repo: Repo) -> None:
    commits = [past(days, "fix", "cart.py") for days in (0, 1, 2)]
    [trouble] = troubles(commits, {"cart.py"}, NOW - timedelta(days=1), pattern=3)
    facts = TroubledHistory(trouble=trouble.kind, path=trouble.path, commits=3, commits_read=3)
    history = [Signal.of("git", trouble.subject, facts, NOW)] * 3
    analyzers = open_project(repo.root).engines.analyzers
    results = [
        Signal.of(
            "sarif", rule, AnalyserResult(tool="x", level="error", message="bad", path=path, line=1, why_not=""), NOW
        )
        for rule, path in (("A", "cart.py"), ("B", "other.py"))
    ]
    plain = {finding.subjects[0]: finding for finding in find(results, analyzers, "HEAD")}
    ranked = {finding.subjects[0]: finding for finding in find([*history, *results], analyzers, "HEAD")}
    assert ranked["A"].score == round(plain["A"].score + 0.03, 3)
    assert ranked["A"].reasons[-1] == "the history of its file shows trouble"
    assert ranked["B"] == plain["B"]
    assert ranked["cart.py"].reasons[-1] != "the history of its file shows trouble"


def test_churn_is_told_in_a_plain_sentence(repo: Repo) -> None:
    facts = TroubledHistory(trouble="churn", path="a.py", commits=40, commits_read=500, usual=3.0, newest="0123 Change")
    signals = [Signal.of("git", "a.py", facts, NOW)] * 3
    [finding] = find(signals, open_project(repo.root).engines.analyzers, "HEAD")
    assert finding.title == "a.py changes far more often than the rest: in 40 commits"
    assert finding.reasons[0] == "three quarters of the files are in 3 or fewer commits"


def test_a_second_look_reads_only_new_commits_and_a_rewritten_history_is_followed(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        fix(repo, number)
    look(repo)
    _, _, project = look(repo)
    read: list[list[str]] = []
    source = GitHistory(project.kit)
    logged = project.git.logged

    def recorded(names: list[str]) -> list[LoggedCommit]:
        read.append(names)
        return logged(names)

    monkeypatch.setattr(project.git, "logged", recorded)
    first = source.observe(repo.head)
    fix(repo, 3)
    assert len(source.observe(repo.head)) == 4
    assert read == [[repo.head]]
    repo.sh("git", "reset", "--quiet", "--hard", "HEAD~1")
    assert source.observe(repo.head) == first
    repo.sh("git", "reset", "--quiet", "--hard", "HEAD~1")
    assert source.observe(repo.head) == ()
    assert len(read) == 1
    (repo.root / ".whet/history.json").write_text("[]")
    assert source.observe(repo.head) == ()
    assert len(read) == 2, "a damaged memory is read again"
    assert len(json.loads((repo.root / ".whet/history.json").read_text())["commits"]) == 3


def test_a_shallow_clone_says_so_and_sees_what_is_fetched_later(repo: Repo, tmp_path: Path) -> None:
    for number in range(3):
        fix(repo, number)
    repo.sh("git", "clone", "--quiet", "--depth=3", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    findings, sentences, _ = look(shallow)
    assert findings == []
    assert sentences == ("git: the clone is shallow, so older commits are not seen",)
    shallow.sh("git", "fetch", "--quiet", "--unshallow")
    [finding], sentences, _ = look(shallow)
    assert finding.subjects == ("cart.py::Cart.total",)
    assert sentences == ()


def test_a_clone_without_the_old_content_counts_fixes_by_file(repo: Repo, tmp_path: Path) -> None:
    for number in range(3):
        fix(repo, number)
    repo.sh("git", "config", "uploadpack.allowFilter", "true")
    repo.sh("git", "clone", "--quiet", "--filter=blob:none", f"file://{repo.root}", str(tmp_path / "partial"))
    [finding], [sentence], _ = look(Repo(tmp_path / "partial"))
    assert finding.subjects == ("cart.py",)
    assert sentence == "git: changed functions: 3 fixes skipped: the content of the files is not in this clone"


def test_reverts_renamed_files_odd_names_and_broken_times_do_not_disturb_a_look(repo: Repo) -> None:
    for number in range(3):
        repo.commit({"cart.py": total(f"{number} + 1"), "new\nline ü.py": f"{number}"}, f"Try {number}")
        repo.sh("git", "revert", "--no-edit", "HEAD")
    tree, parent = repo.sh("git", "rev-parse", "HEAD^{tree}"), repo.head
    raw = f"tree {tree}\nparent {parent}\nauthor a <a> 99999999999999999 +0000\ncommitter a <a> x\n\nodd\n"
    command = ["git", "hash-object", "-t", "commit", "-w", "--literally", "--stdin"]
    odd = subprocess.run(command, cwd=repo.root, input=raw.encode(), capture_output=True, check=True, env=os.environ)
    repo.sh("git", "reset", "--quiet", "--hard", odd.stdout.decode().strip())
    [finding], _, _ = look(repo)
    assert finding.title == "changes of cart.py were reverted 3 times"
    repo.sh("git", "mv", "cart.py", "moved.py")
    repo.commit({}, "Move the cart")
    assert look(repo)[0] == [], "a file that is gone is no finding"


def test_what_was_left_out_is_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({f"many/f{number}.py": "" for number in range(101)}, "Fix everything")
    for number in range(3):
        fix(repo, number)
    _, [sentence], project = look(repo)
    assert sentence == ("git: 1 commit skipped: more than 100 files changed, which says little about each of them")
    short = project.policy.sources.model_copy(update={"commits": 2})
    source = GitHistory(project.kit)
    monkeypatch.setattr(source, "_policy", short)
    assert source.observe(repo.head) == ()
    [beginning] = source.skipped
    assert beginning.startswith("commits before ")
    assert beginning.endswith("are left out: the newest 2 count (sources.commits)")


def test_the_history_is_read_only_if_the_source_is_listed() -> None:
    assert "git" not in Config().observe.sources
