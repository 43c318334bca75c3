"""Whole cycles through the command line: real git, real sandbox, nothing replaced."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo

POLICY = '[tests]\nfolders = ["tests"]\n[deploy]\nstrategy = "{strategy}"\n{more}'


def policy(strategy: str = "merge", more: str = "") -> str:
    return POLICY.format(strategy=strategy, more=more)


BUGGY = {
    "shop.py": "def total(prices, rate):\n    return sum(prices) - rate\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2], 1) == 4\n\n\n"
    "def test_nothing():\n    assert total([], 0) == 0\n",
}


def only_proposal(repo: Repo) -> dict[str, object]:
    listed = repo.whet("list", "--json").json
    assert len(listed) == 1, listed
    proposal: dict[str, object] = listed[0]
    return proposal


def run_to_the_gate(repo: Repo) -> str:
    result = repo.whet("run", "--json")
    assert result.code == 5, (result.out, result.err)
    return str(only_proposal(repo)["proposal"])


@pytest.fixture(scope="session")
def waiting_for_an_answer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repo, str]:
    repo = Repo(tmp_path_factory.mktemp("cycle") / "shop")
    repo.root.mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    repo.commit({**BUGGY, "whet.toml": policy()}, "first")
    return repo, run_to_the_gate(repo)


@pytest.fixture
def at_the_gate(waiting_for_an_answer: tuple[Repo, str], tmp_path: Path) -> tuple[Repo, str]:
    """A copy of the shop, with its state, whose fix is proven and waits at the gate."""
    repo, proposal = waiting_for_an_answer
    shutil.copytree(repo.root, tmp_path / "shop", symlinks=True)
    return Repo(tmp_path / "shop"), proposal


def test_a_failing_test_becomes_a_merged_fix_that_can_be_rolled_back(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    before = repo.sh("git", "rev-list", "--max-parents=0", "HEAD")
    assert repo.head == before, "nothing moves before the answer"
    approved = repo.whet("approve", proposal, "--yes", "--json")
    assert approved.code == 0, approved.out
    assert "sum(prices) + rate" in (repo.root / "shop.py").read_text()
    assert repo.dirt() == ""
    trailers = repo.sh("git", "log", "-1", "--format=%(trailers)")
    assert f"Whet-Proposal: {proposal}" in trailers
    assert str(only_proposal(repo)["evidence_digest"]) in trailers
    assert re.search(r"Whet-Ledger: \d+:[0-9a-f]{64}", trailers)
    assert repo.sh("git", "branch", "--list", "whet/*") == ""

    rolled = repo.whet("rollback", proposal, "--why", "prices went up", "--json")
    assert rolled.code == 0, rolled.out
    assert repo.sh("git", "rev-parse", "HEAD^{tree}") == repo.sh("git", "rev-parse", f"{before}^{{tree}}")
    assert "prices went up" in repo.sh("git", "log", "-1", "--format=%B")
    assert only_proposal(repo)["status"] == "rolled_back"
    assert repo.whet("audit", "--json").code == 0


def test_a_rolled_back_patch_is_not_proposed_again(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    first = repo.whet("diff", proposal).out
    repo.whet("approve", proposal, "--yes")
    repo.whet("rollback", proposal, "--why", "no")
    repo.whet("run", "--json")
    later = [row for row in repo.whet("list", "--json").json if row["proposal"] != proposal]
    for row in later:
        assert repo.whet("diff", row["proposal"]).out != first


def test_a_rejection_is_remembered_with_its_reason(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    rejected = repo.whet("reject", proposal, "--why", "the test is wrong")
    assert rejected.code == 0
    row = only_proposal(repo)
    assert (row["status"], row["why"]) == ("rejected", "the test is wrong")
    assert repo.whet("approve", proposal, "--yes").code == 3


def test_the_branch_strategy_leaves_main_alone(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy("branch")})
    before = repo.head
    (repo.root / "shop.py").write_text("# work in progress\n")
    proposal = run_to_the_gate(repo)
    assert repo.whet("approve", proposal, "--yes").code == 0
    assert repo.head == before
    assert (repo.root / "shop.py").read_text() == "# work in progress\n"
    assert "sum(prices) + rate" in repo.sh("git", "show", f"whet/{proposal}:shop.py")
    assert only_proposal(repo)["status"] == "completed"
    assert repo.whet("rollback", proposal).code == 0
    assert repo.sh("git", "branch", "--list", "whet/*") == ""


def test_a_moved_base_needs_a_new_proof_and_a_new_answer(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    first = only_proposal(repo)["evidence_digest"]
    moved = repo.commit({"other.py": "x = 1\n"})
    again = repo.whet("approve", proposal, "--yes", "--json")
    assert again.code == 5, again.out
    row = only_proposal(repo)
    assert row["evidence_digest"] != first
    assert repo.head == moved
    assert repo.whet("approve", proposal, "--yes").code == 0
    assert repo.sh("git", "rev-parse", "HEAD~1") == moved


def test_a_change_of_policy_after_the_proof_refuses_the_deployment(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    (repo.root / "whet.toml").write_text(policy(more="[guard]\nmax_files = 99\n"))
    result = repo.whet("approve", proposal, "--yes", "--json")
    assert result.code == 1
    assert only_proposal(repo)["code"] == "evidence_changed"


def test_a_dirty_checkout_suspends_an_approved_proposal_until_it_is_clean(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "notes.txt": "a\n", "whet.toml": policy()})
    before = repo.head
    proposal = run_to_the_gate(repo)
    (repo.root / "notes.txt").write_text("mine\n")
    result = repo.whet("approve", proposal, "--yes", "--json")
    assert result.code == 3
    assert result.json["error"]["code"] == "worktree_not_clean"
    assert "whet resume" in result.json["error"]["remedy"]
    assert only_proposal(repo)["status"] == "queued"
    assert repo.head == before
    assert (repo.root / "notes.txt").read_text() == "mine\n"
    repo.sh("git", "stash", "--quiet")
    assert repo.whet("resume", "--json").code == 0
    assert only_proposal(repo)["status"] == "merged"


def test_a_failing_smoke_command_rolls_the_deployment_back(make_repo: MakeRepo) -> None:
    smoke = 'smoke = ["python", "-c", "import shop; assert shop.total([1], 1) == 0"]\n'
    repo = make_repo({**BUGGY, "whet.toml": policy(more=smoke)})
    before = repo.sh("git", "rev-parse", "HEAD^{tree}")
    proposal = run_to_the_gate(repo)
    result = repo.whet("approve", proposal, "--yes", "--json")
    assert result.code == 1
    assert only_proposal(repo)["status"] == "rolled_back"
    assert repo.sh("git", "rev-parse", "HEAD^{tree}") == before
    assert repo.dirt() == ""
    assert repo.whet("audit", "--json").code == 0


def test_violations_of_a_rule_are_fixed_file_by_file(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {
            "a.py": "import os\nimport sys\n\n\ndef f():\n    return 1\n",
            "b.py": "import json\n\n\ndef g():\n    return 2\n",
            "tests/test_a.py": "from a import f\nfrom b import g\n\n\ndef test_f():\n    assert f() + g() == 3\n",
            "whet.toml": policy(),
        }
    )
    proposal = run_to_the_gate(repo)
    row = only_proposal(repo)
    assert (row["engine"], row["verdict"]) == ("autofix", "passed")
    assert repo.whet("approve", proposal, "--yes").code == 0
    assert "import" not in (repo.root / "a.py").read_text()
    shown = repo.whet("show", proposal, "--json").json["evidence"]
    assert [check["check"] for check in shown["checks"]] == ["lint", "tests"]
    assert shown["checks"][0]["red"] == shown["checks"][0]["reverted"] == ["F401 a.py"]


def test_a_suggested_case_ships_as_a_test_with_its_fix(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {
            "stats.py": "def mean(values):\n    return sum(values) / len(values)\n",
            "tests/test_stats.py": "from stats import mean\n\n\ndef test_mean():\n    assert mean([1, 3]) == 2\n",
            "whet.toml": policy(),
        }
    )
    assert repo.whet("suggest", "an empty list has mean 0", "--where", "stats.py", "--case", "mean([]) == 0").code == 0
    proposal = run_to_the_gate(repo)
    assert repo.whet("approve", proposal, "--yes").code == 0
    added = [path for path in (repo.root / "tests").iterdir() if path.name.startswith("test_whet_")]
    assert len(added) == 1
    assert "assert mean([]) == 0" in added[0].read_text()
    assert repo.whet("scan", "--json").json["passed"] == 2
    again = repo.whet("run", "--json")
    assert (again.code, again.json) == (0, [])


def test_flaky_tests_are_detected_and_excluded(make_repo: MakeRepo) -> None:
    flaky = "import os\n\n\ndef test_coin():\n    assert os.getpid() % 1 == 0 and id(object()) >= 0 and COIN()\n"
    flaky = "import time\n\n\ndef test_coin():\n    assert int(time.time() * 1000) % 2\n\n\n" + "".join(
        f"def test_coin_{n}():\n    time.sleep(0.001)\n    assert time.time_ns() // 1000 % 2\n\n\n" for n in range(20)
    )
    repo = make_repo({**BUGGY, "tests/test_flaky.py": flaky, "whet.toml": policy()})
    repo.whet("prove", "HEAD..HEAD", "--json")
    result = repo.whet("prove", "--patch", _fix(repo), "--json").json
    check = result["evidence"]["checks"][0]
    assert any(test.startswith("tests/test_flaky.py") for test in check["flaky"])
    assert "tests/test_shop.py::test_total" not in check["flaky"]


def _fix(repo: Repo) -> str:
    original = (repo.root / "shop.py").read_text()
    (repo.root / "shop.py").write_text(original.replace("- rate", "+ rate"))
    (repo.root.parent / "fix.patch").write_text(repo.sh("git", "diff") + "\n")
    (repo.root / "shop.py").write_text(original)
    return str(repo.root.parent / "fix.patch")


@pytest.mark.parametrize(("runner", "verdict", "code"), [("junit", "passed", 0), ("exit", "inconclusive", 7)])
def test_junit_can_prove_a_fix_and_an_exit_code_cannot(
    make_repo: MakeRepo, runner: str, verdict: str, code: int
) -> None:
    more = f'[tests]\nrunner = "{runner}"\ncommand = ["python", "-m", "pytest", "--junitxml=junit.xml", "tests"]\n'
    repo = make_repo({**BUGGY, "whet.toml": more})
    result = repo.whet("prove", "--patch", _fix(repo), "--json")
    assert (result.json["verdict"], result.code) == (verdict, code), result.out


def test_an_inconclusive_proof_needs_a_reason(make_repo: MakeRepo) -> None:
    """The override is recorded with the digest, the reason and the person."""
    repo = make_repo(
        {
            "a.py": "import os\nimport sys\nimport json\n\n\ndef f():\n    return 1\n",
            "whet.toml": 'environment = "development"\n[deploy]\nstrategy = "merge"\n',
        }
    )
    proposal = run_to_the_gate(repo)
    row = only_proposal(repo)
    assert row["verdict"] == "inconclusive"
    assert "asks for a reason" in repo.whet("approve", proposal, "--yes").err
    digest = str(row["evidence_digest"])
    assert repo.whet("approve", proposal, "--yes", "--digest", "deadbeefdead", "--why", "I read it").code == 3
    assert repo.whet("approve", proposal, "--yes", "--digest", digest[:12], "--why", "I read it").code == 0
    approvals = repo.whet("show", proposal, "--json").json["approvals"]
    assert [approval["override"] for approval in approvals if approval["gate"] == "apply"] == [True]
    assert repo.whet("audit", "--json").code == 0


def test_a_low_risk_kind_deploys_without_a_person_in_development_only(make_repo: MakeRepo) -> None:
    files: dict[str, str | bytes] = {
        "a.py": "import os\nimport sys\nimport json\n\n\ndef f():\n    return 1\n",
        "tests/test_a.py": "from a import f\n\n\ndef test_f():\n    assert f() == 1\n",
    }
    auto = '[approve]\napply = "auto"\nauto_kinds = ["behavior_fix"]\n'
    quiet = make_repo({**files, "whet.toml": 'environment = "development"\n' + policy(more=auto)})
    assert quiet.whet("run", "--json").code == 0
    assert quiet.whet("audit", "--json").code == 0
    strict = make_repo({**files, "whet.toml": 'environment = "production"\n' + policy(more=auto)})
    assert strict.whet("run", "--json").code == 5


def test_a_withdrawn_approval_deploys_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy(more='[approve]\nmerge = "confirm"\n')})
    before = repo.head
    proposal = run_to_the_gate(repo)
    assert repo.whet("approve", proposal, "--yes").code == 5, "the merge gate asks too"
    assert repo.whet("withdraw", proposal, "--why", "wait for the release").code == 0
    assert repo.head == before
    assert only_proposal(repo)["status"] == "withdrawn"


def test_a_rejection_at_the_merge_gate_holds_while_the_branch_is_checked_out(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy(more='[approve]\nmerge = "confirm"\n')})
    before = repo.head
    proposal = run_to_the_gate(repo)
    assert repo.whet("approve", proposal, "--yes").code == 5
    repo.sh("git", "switch", "--quiet", f"whet/{proposal}")
    staged = repo.head
    assert repo.whet("reject", proposal, "--why", "the test is wrong").code == 0
    row = only_proposal(repo)
    assert row["status"] == "rejected"
    assert str(row["why"]).startswith(f"the test is wrong; its branch stays: whet/{proposal} is checked out in")
    assert (repo.head, repo.sh("git", "rev-parse", "main"), repo.dirt()) == (staged, before, "")
    assert repo.whet("resume", "--json").json == []
    assert repo.whet("audit", "--json").code == 0
    repo.sh("git", "switch", "--quiet", "main")
    assert repo.whet("rollback", proposal, "--why", "tidy up").code == 0
    assert repo.sh("git", "branch", "--list", "whet/*") == ""


def test_a_dry_run_proves_and_changes_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy()})
    refs = repo.sh("git", "for-each-ref")
    result = repo.whet("run", "--dry-run", "--json")
    assert result.code == 0
    assert result.json[0]["evidence"]["verdict"] == "passed"
    assert "ask at the apply gate, tier confirm" in result.json[0]["next"]
    assert repo.whet("list", "--json").json == []
    assert repo.sh("git", "for-each-ref") == refs


def test_history_names_whets_versions_and_rollback_to_restores_one(at_the_gate: tuple[Repo, str]) -> None:
    repo, proposal = at_the_gate
    repo.whet("approve", proposal, "--yes")
    versions = repo.whet("history", "shop.py", "--json").json
    assert [(version["number"], version["proposal"]) for version in versions] == [(2, proposal), (1, "")]
    assert "+ rate" in repo.whet("history", "shop.py", "--diff", "1", "2", "--json").json["diff"]
    assert repo.whet("rollback", "shop.py", "--to", "1", "--why", "compare").code == 0
    assert "sum(prices) - rate" in (repo.root / "shop.py").read_text()
    assert repo.whet("audit", "--json").code == 0


def test_evidence_is_readable_as_json_and_as_markdown(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy()})
    fix = _fix(repo)
    evidence = json.loads(repo.whet("prove", "--patch", fix, "--json").out)
    assert evidence["verdict"] == "passed"
    assert evidence["evidence"]["containment"]["network"] is False
    text = repo.whet("prove", "--patch", fix, "--format", "markdown").out
    assert "tests/test_shop.py::test_total" in text
    assert "red on revert" in text
    assert Path(fix).exists()


def test_a_refused_patch_ends_with_the_guards_code(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": policy(more='[guard]\nsuffixes = [".md"]\n')})
    result = repo.whet("run", "--json")
    (row,) = repo.whet("list", "--json").json
    assert result.code == 3, result.out
    assert (row["ending"], row["code"]) == ("refused", "diff_suffix_not_allowed")
