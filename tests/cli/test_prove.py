"""`whet prove`: invalid requests are refused, and the exit code follows the verdict."""

import hashlib
import json
import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.refusals import refuses, refuses_in_json
from tests.support import CommandResult, MakeRepo, Repo
from whet.app.proofs.changes import each_commit, from_file, from_range
from whet.app.setup.sample_repository import make_sample, without_bugs
from whet.errors import UsageError


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("prove") / "calculator"
    folder.mkdir()
    make_sample(folder)
    return Repo(folder)


@pytest.fixture
def repo(shared: Repo) -> Iterator[Repo]:
    yield shared
    assert shared.dirt() == ""
    assert shared.sh("git", "symbolic-ref", "HEAD") == "refs/heads/main"


def source(repo: Repo) -> str:
    return (repo.root / "calculator.py").read_text()


def calculator_tests(repo: Repo) -> str:
    return (repo.root / "tests/test_calculator.py").read_text()


def patch(repo: Repo, tmp_path: Path, files: dict[str, str | None]) -> Path:
    """Write a patch file without touching the checkout."""
    tree = repo.git.with_files(
        "HEAD", {name: text.encode() if text is not None else None for name, text in files.items()}
    )
    file = tmp_path / "change.patch"
    file.write_bytes(repo.git.diff("HEAD", tree))
    return file


def prove(repo: Repo, tmp_path: Path, files: dict[str, str | None], *options: str) -> CommandResult:
    head = repo.head
    result = repo.whet("prove", "--patch", str(patch(repo, tmp_path, files)), *options, "--json")
    assert repo.head == head
    if "evidence" in result.json:
        follows_the_schema(result.json)
    return result


def follows_the_schema(report: dict[str, Any]) -> None:
    """Check the output of a real proof against the JSON Schema that whet ships, and its digest as docs/evidence.md says."""
    jsonschema.validate(report["evidence"], json.loads((resources.files("whet") / SCHEMA_FILE).read_text()))
    canonical = json.dumps(report["evidence"], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest() == report["digest"]
    assert report["verdict"] == report["evidence"]["verdict"] == report["scope"]["verdict"]
    assert report["summary"].endswith("Not looked at: " + "; ".join(report["scope"]["not_examined"]) + ".")


def verdict(result: CommandResult) -> tuple[int, str]:
    return result.code, result.json["verdict"]


def reasons(result: CommandResult) -> str:
    return "; ".join(result.json["evidence"]["reasons"])


SCHEMA_FILE = "domain/evidence-1.schema.json"
OWN_TEST = "from calculator import add\n\n\ndef test_add_three():\n    assert add(1, 2, 3) == 6\n"
THREE = ("def add(a, b):\n    return a + b", "def add(a, b, c=0):\n    return a + b + c")


# ---- invalid requests -----------------------------------------------------------------------------------------


def test_a_patch_that_does_not_apply_is_refused(repo: Repo, tmp_path: Path) -> None:
    file = tmp_path / "x.patch"
    file.write_text("--- a/calculator.py\n+++ b/calculator.py\n@@ -1 +1 @@\n-not there\n+x\n")
    refuses_in_json(repo.whet("prove", "--patch", str(file), "--json"), 2, "usage", "does not apply", "--base")


HEAD = "diff --git a/calculator.py b/calculator.py\n--- a/calculator.py\n+++ b/calculator.py\n@@ -1,2 +1,2 @@\n"
WHY_NOT = {
    "CRLF in the patch": (f"{HEAD}-a = 1\r\n+a = 2\r\n b = 1\r\n", "a = 1\nb = 1\n", "its lines end with CRLF"),
    "CRLF in the base": (f"{HEAD}-a = 1\n+a = 2\n b = 1\n", "a = 1\r\nb = 1\r\n", "of the base end with CRLF"),
    "a step upwards": (HEAD.replace("/calc", "/../calc") + "-a = 1\n+a = 2\n b = 1\n", "a = 1\nb = 1\n", "not in the"),
    "no diff": ("this is a letter\n", "a = 1\nb = 1\n", "there is no diff in it"),
    "another text": (f"{HEAD}-a = 3\n+a = 2\n b = 1\n", "a = 1\nb = 1\n", "does not apply"),
}


@pytest.mark.parametrize(("diff", "base", "why"), WHY_NOT.values(), ids=WHY_NOT.keys())
def test_the_message_says_why_a_patch_does_not_apply(
    make_repo: MakeRepo, tmp_path: Path, diff: str, base: str, why: str
) -> None:
    git = make_repo({"calculator.py": base.encode()}).git
    file = tmp_path / "x.patch"
    file.write_bytes(diff.encode())
    with pytest.raises(UsageError, match=why):
        from_file(git, git.resolve("HEAD"), file)


@pytest.mark.parametrize("content", [b"", b"hello\n"], ids=["empty", "words"])
def test_a_file_that_is_not_a_patch_proves_nothing(repo: Repo, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.patch"
    file.write_bytes(content)
    result = repo.whet("prove", "--patch", str(file), "--json")
    assert result.code in (2, 7), result.out


def test_a_missing_patch_file_is_refused(repo: Repo, tmp_path: Path) -> None:
    refuses_in_json(repo.whet("prove", "--patch", str(tmp_path / "gone"), "--json"), 2, "usage", "cannot be read")
    refuses_in_json(repo.whet("prove", "--patch", str(tmp_path), "--json"), 2, "usage", "cannot be read")


def test_a_patch_that_is_not_a_plain_file_or_too_large_is_refused(repo: Repo, tmp_path: Path) -> None:
    pipe, huge = tmp_path / "pipe", tmp_path / "huge"
    os.mkfifo(pipe)
    with huge.open("wb") as file:
        file.truncate(5 * 1024**3)
    for name, words in ((pipe, "not a regular file"), ("/dev/zero", "not a regular file"), (huge, "larger than 20 MB")):
        refuses_in_json(repo.whet("prove", "--patch", str(name), "--json"), 2, "usage", words, "git diff")


def test_prove_needs_exactly_one_change(repo: Repo, tmp_path: Path) -> None:
    refuses(repo.whet("prove"), 2, "name one change")
    refuses(repo.whet("prove", "--branch", "main", "--patch", "x"), 2, "name one change")
    refuses(repo.whet("prove", "main..main", "--branch", "main"), 2, "name one change")


@pytest.mark.parametrize("arguments", [("nowhere..main",), ("--branch", "nowhere")])
def test_a_commit_that_does_not_exist_is_refused(repo: Repo, arguments: tuple[str, ...]) -> None:
    refuses_in_json(repo.whet("prove", *arguments, "--json"), 2, "usage", "'nowhere'")


@pytest.mark.parametrize("commits", ["main", "main.."])
def test_a_text_that_is_not_a_range_is_refused(repo: Repo, commits: str) -> None:
    refuses_in_json(repo.whet("prove", commits, "--json"), 2, "usage", "not a range")


def test_only_an_attestation_can_be_signed(repo: Repo) -> None:
    refuses_in_json(repo.whet("prove", "main..main", "--sign", "key", "--json"), 2, "usage", "--attest FILE")


# ---- verdicts -------------------------------------------------------------------------------------------------


def test_an_empty_change_is_inconclusive(repo: Repo) -> None:
    result = repo.whet("prove", "main..main", "--json")
    assert verdict(result) == (7, "inconclusive")


def test_a_right_fix_passes_by_patch_branch_and_range(repo: Repo, tmp_path: Path) -> None:
    files: dict[str, str | None] = {"calculator.py": without_bugs(source(repo))}
    assert verdict(prove(repo, tmp_path, files)) == (0, "passed")
    tree = repo.git.with_files("HEAD", {"calculator.py": without_bugs(source(repo)).encode()})
    commit = repo.sh("git", "commit-tree", tree, "-p", "HEAD", "-m", "mend")
    repo.sh("git", "branch", "--force", "feature", commit)
    attestation = str(tmp_path / "proof.json")
    assert verdict(repo.whet("prove", "--branch", "feature", "--attest", attestation, "--json")) == (0, "passed")
    verified = repo.whet("verify", attestation, "--commit", "feature")
    assert (verified.code, verified.out[:6]) == (0, "PASSED")
    assert "not verified  unsigned: anybody could have written this file" in verified.out
    refuses_in_json(
        repo.whet("verify", attestation, "--commit", "main", "--json"), 3, "other_tree", "is about the tree"
    )
    refuses_in_json(repo.whet("verify", attestation, "--signed", "--json"), 3, "refused", "unsigned")
    Path(attestation).write_text(Path(attestation).read_text().replace("passed", "failed", 1))
    refuses_in_json(repo.whet("verify", attestation, "--json"), 6, "bad_attestation", "was changed after it was made")
    result = repo.whet("prove", "main..feature", "--format", "markdown")
    assert result.code == 0
    assert result.out.startswith("### whet: ✅ passed\n\nProved: ")


def test_a_change_that_breaks_something_fails(repo: Repo, tmp_path: Path) -> None:
    text = without_bugs(source(repo)).replace("return a + b", "return a * b", 1)
    attestation = tmp_path / "proof.json"
    result = prove(repo, tmp_path, {"calculator.py": text}, "--attest", str(attestation))
    assert verdict(result) == (1, "failed")
    assert "test_add" in reasons(result)
    verified = repo.whet("verify", str(attestation), "--json")
    assert verdict(verified) == (1, "failed")
    assert verified.json["verification"]["evidence"] == result.json["evidence"]
    assert verified.json["verification"]["digest"] == result.json["digest"]


def test_a_change_that_does_not_import_fails(repo: Repo, tmp_path: Path) -> None:
    assert verdict(prove(repo, tmp_path, {"calculator.py": "def add(:\n"})) == (1, "failed")


@pytest.mark.parametrize("trusted", [(), ("--trust-tests",)], ids=["untrusted", "trusted"])
def test_a_change_that_deletes_tests_does_not_pass(repo: Repo, tmp_path: Path, trusted: tuple[str, ...]) -> None:
    files: dict[str, str | None] = {"calculator.py": without_bugs(source(repo)), "tests/test_calculator.py": None}
    assert prove(repo, tmp_path, files, *trusted).code in (1, 7)


@pytest.mark.parametrize("trusted", [(), ("--trust-tests",)], ids=["untrusted", "trusted"])
def test_a_change_that_rewrites_expectations_does_not_pass(
    repo: Repo, tmp_path: Path, trusted: tuple[str, ...]
) -> None:
    bent = calculator_tests(repo).replace("(5, 3, 2), (0, 7, -7), (4, 4, 0)", "(5, 3, 8), (0, 7, 7), (4, 4, 8)")
    result = prove(repo, tmp_path, {"tests/test_calculator.py": bent}, *trusted)
    assert result.code in (1, 7), reasons(result)


def test_a_change_that_edits_tests_is_judged_by_the_tests_of_the_base(repo: Repo, tmp_path: Path) -> None:
    added = calculator_tests(repo) + "\n\ndef test_more():\n    assert add(2, 2) == 4\n"
    result = prove(repo, tmp_path, {"calculator.py": without_bugs(source(repo)), "tests/test_calculator.py": added})
    assert result.code in (0, 7)
    assert "red on revert" in reasons(result)


def test_a_test_that_the_change_brings_counts_in_a_lane_of_its_own(repo: Repo, tmp_path: Path) -> None:
    files: dict[str, str | None] = {"calculator.py": source(repo).replace(*THREE), "tests/test_three.py": OWN_TEST}
    result = prove(repo, tmp_path, files)
    assert verdict(result) == (0, "passed")
    assert result.json["claim"] == "feature_by_own_tests"
    assert "whether the tests that the change brings ask for the right thing" in result.json["summary"]
    vouched = prove(repo, tmp_path, files, "--trust-tests")
    assert (verdict(vouched), vouched.json["claim"]) == ((0, "passed"), "fix")
    assert "ask for the right thing" not in vouched.json["summary"]


def test_a_policy_can_keep_the_tests_that_a_change_brings_from_counting(repo: Repo, tmp_path: Path) -> None:
    files: dict[str, str | None] = {"calculator.py": source(repo).replace(*THREE), "tests/test_three.py": OWN_TEST}
    policy = (repo.root / "whet.toml").read_text()
    start = repo.head
    repo.commit({"whet.toml": f'{policy}\n[checks]\nown_tests = "report"\n'})
    try:
        result = prove(repo, tmp_path, files)
        assert verdict(result) == (7, "inconclusive")
        assert "--trust-tests" in reasons(result)
        assert verdict(prove(repo, tmp_path, files, "--trust-tests")) == (0, "passed")
    finally:
        repo.sh("git", "reset", "--quiet", "--hard", start)


def test_a_claim_that_tests_must_show_cannot_be_stated(repo: Repo) -> None:
    refuses_in_json(repo.whet("prove", "main..main", "--claim", "fix", "--json"), 2, "usage", "refactoring, tests")


def test_a_trusted_test_that_passes_without_the_change_is_no_evidence(repo: Repo, tmp_path: Path) -> None:
    own = "from calculator import add\n\n\ndef test_add_again():\n    assert add(1, 2) == 3\n"
    files: dict[str, str | None] = {"calculator.py": source(repo).replace(*THREE), "tests/test_three.py": own}
    assert verdict(prove(repo, tmp_path, files, "--trust-tests")) == (7, "inconclusive")


def test_the_proof_does_not_cover_protected_files(repo: Repo, tmp_path: Path) -> None:
    files: dict[str, str | None] = {
        "calculator.py": without_bugs(source(repo)),
        "whet.toml": 'environment = "development"\n',
    }
    result = prove(repo, tmp_path, files)
    assert verdict(result) == (7, "inconclusive")
    assert "not covered by the proof" in reasons(result)


def test_a_proof_is_recorded_in_the_ledger(repo: Repo) -> None:
    result = repo.whet("audit", "--json")
    assert result.code == 0, result.out
    assert result.json["audit"]["entries"] > 0


def test_lines_that_the_guard_refuses_make_the_proof_inconclusive(repo: Repo, tmp_path: Path) -> None:
    """The file is judged as the patch leaves it: taking it from the base would hide the change."""
    text = without_bugs(source(repo)) + "\n\ndef fetch(get, url):\n    return get(url, verify=False)\n"
    result = prove(repo, tmp_path, {"calculator.py": text})
    assert verdict(result) == (7, "inconclusive")
    assert "the guard refuses it: calculator.py disables certificate checks" in reasons(result)
    assert "not covered by the proof" not in reasons(result)


def test_three_dots_mean_what_a_branch_changes_since_it_left(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "A = 1\n"})
    left = repo.head
    repo.sh("git", "checkout", "--quiet", "-b", "feature")
    repo.commit({"b.py": "B = 1\n"})
    repo.sh("git", "checkout", "--quiet", "main")
    repo.commit({"c.py": "C = 1\n"})
    since = from_range(repo.git, "main...feature")
    assert (since.base, since.paths) == (left, ("b.py",))
    assert from_range(repo.git, "main..feature").paths == ("b.py", "c.py")


def test_each_commit_of_a_range_is_a_change_of_its_own(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "A = 1\n"})
    repo.sh("git", "checkout", "--quiet", "-b", "feature")
    repo.commit({"b.py": "B = 1\n"}, "add b")
    repo.commit({"b.py": "B = 2\n", "c.py": "C = 1\n"}, "change b; add c")
    repo.sh("git", "checkout", "--quiet", "main")
    repo.commit({"a.py": "A = 2\n"})
    changes = each_commit(repo.git, repo.git.resolve("main"), "feature")
    assert [change.paths for change in changes] == [("b.py",), ("b.py", "c.py")]
    assert changes[1].base == repo.git.resolve("feature~1")
    assert [change.summary[11:] for change in changes] == ["add b", "change b; add c"]
    assert each_commit(repo.git, repo.git.resolve("feature"), "feature") == []


def test_each_needs_commits_and_a_format_that_lists(repo: Repo) -> None:
    refuses(repo.whet("prove", "--each", "--patch", "x"), 2, "--each goes with a range")
    refuses(repo.whet("prove", "--each", "main..main", "--format", "sarif"), 2, "--each goes with a range")
    refuses(repo.whet("prove", "--each", "main..main"), 2, "there is no commit between")
    refuses(repo.whet("prove", "--each"), 2, "name the commits")


@pytest.mark.long
def test_each_commit_is_judged_under_the_policy_before_the_first(repo: Repo) -> None:
    start, policy = repo.head, (repo.root / "whet.toml").read_text()
    repo.commit({"whet.toml": f'{policy}\n[checks]\nown_tests = "report"\n'}, "do not count own tests")
    repo.sh("git", "checkout", "--quiet", "-b", "loosening")
    try:
        repo.commit({"whet.toml": policy}, "count them")
        repo.commit({"calculator.py": source(repo).replace(*THREE), "tests/test_three.py": OWN_TEST}, "add three")
        result = repo.whet("prove", "--each", "main..loosening", "--json")
        assert result.code == 7
        loosened, added = result.json["commits"]
        assert "not covered by the proof: whet.toml is protected" in "; ".join(loosened["evidence"]["reasons"])
        assert (added["verdict"], added["claim"]) == ("inconclusive", None)
    finally:
        repo.sh("git", "checkout", "--quiet", "main")
        repo.sh("git", "reset", "--quiet", "--hard", start)
        repo.sh("git", "branch", "--quiet", "-D", "loosening")
