"""Texts are scored case by case with and without the patch; settings files keep their structure."""

from dataclasses import replace

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate import Claim
from whet.phases.validate.texts.evaluation_check import EvaluationCheck
from whet.phases.validate.texts.structure_check import StructureCheck

POLICY = """[checks.schemas]
"flows/*.yaml" = "schema.json"
[evaluations.declared.words]
command = ["python", "score.py"]
scores = ["prompts/*", "score.py"]
"""
SCORE = """import json, random
from pathlib import Path

text = Path("prompts/a.md").read_text().split()
for number in range(30):
    known = f"word{number}" in text
    score = random.random() if "dice" in text else float(known)
    print(json.dumps({"case": f"c{number}", "score": None if "gap" in text else score, "why": "no recorded answer"}))
"""
SCHEMA = '{"type": "object", "required": ["steps"], "properties": {"steps": {"items": {"enum": ["sort", "answer"]}}}}'


def words(*numbers: int) -> str:
    return " ".join(f"word{number}" for number in numbers)


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    files: dict[str, str | bytes] = {
        "whet.toml": POLICY, "score.py": SCORE, "code.py": "", "prompts/a.md": words(*range(10)), "schema.json": SCHEMA,
        "flows/a.yaml": "steps: [sort]\n", "old.json": '{"$schema": "schema.json", "steps": ["walk"]}',
    }  # fmt: skip
    return make_repo(files)


def claim_of(repo: Repo, files: dict[str, str], *claimed: str) -> Claim:
    git = open_project(repo.root).git
    base = git.resolve("HEAD")
    tree = git.with_files(git.tree_of(base), {path: text.encode() for path, text in files.items()})
    return Claim(patch=git.patch(base, tree, "change"), targets={"evaluations": claimed} if claimed else {})


def check(repo: Repo, files: dict[str, str], *claimed: str, outsider: bool = False) -> CheckResult:
    claim = replace(claim_of(repo, files, *claimed), by_outsider=outsider)
    result = EvaluationCheck(open_project(repo.root).kit).check(claim)
    assert result
    return result


def test_a_claimed_gain_is_shown_by_the_cases_that_no_search_has_seen(repo: Repo) -> None:
    result = check(repo, {"prompts/a.md": words(*range(30))}, "words")
    assert result.verdict is Verdict.PASSED, result.reason
    assert result.saw_red
    assert "none of them seen by the search" in result.reason
    few = check(repo, {"prompts/a.md": words(*range(13))}, "words")
    assert (few.verdict, few.saw_red) == (Verdict.INCONCLUSIVE, False)
    assert "claimed to be better and not shown to be" in few.reason


def test_a_text_that_scores_worse_fails_and_a_mixed_one_is_not_decided(repo: Repo) -> None:
    worse = check(repo, {"prompts/a.md": words(1)})
    assert (worse.verdict, worse.regressed) == (Verdict.FAILED, ("words",))
    mixed = check(repo, {"prompts/a.md": words(*range(2, 14))})
    assert mixed.verdict is Verdict.INCONCLUSIVE
    assert "worse: c0, c1" in mixed.reason


def test_a_better_score_vouches_only_for_the_texts_that_are_scored(repo: Repo) -> None:
    better = {"prompts/a.md": words(*range(30))}
    assert check(repo, better, outsider=True).shows_claim
    assert not check(repo, {**better, "code.py": "import os\n"}, outsider=True).shows_claim
    cheat = SCORE.replace("float(known)", "1.0")
    assert not check(repo, {"prompts/a.md": words(*range(9)), "score.py": cheat}, outsider=True).shows_claim


def test_missing_answers_and_noise_are_inconclusive(repo: Repo) -> None:
    gap = check(repo, {"prompts/a.md": "gap"})
    assert (gap.verdict, "no recorded answer" in gap.reason) == (Verdict.INCONCLUSIVE, True)
    repo.commit({"prompts/a.md": "dice"})
    noisy = check(repo, {"prompts/a.md": "dice dice"})
    assert (noisy.verdict, "another score when it ran again" in noisy.reason) == (Verdict.INCONCLUSIVE, True)


def test_a_patch_of_other_files_runs_no_evaluation(repo: Repo) -> None:
    claim = claim_of(repo, {"code.py": "VALUE = 1\n"})
    assert EvaluationCheck(open_project(repo.root).kit).check(claim) is None


@pytest.mark.parametrize(
    ("files", "verdict", "reason"),
    [
        ({"flows/a.yaml": "steps: [sort, answer]\n"}, Verdict.PASSED, "flows/a.yaml fits its schema"),
        ({"flows/a.yaml": "steps: [sort, rm]\n"}, Verdict.FAILED, "'rm' is not one of ['sort', 'answer']"),
        ({"flows/a.yaml": "step: [sort]\n"}, Verdict.FAILED, "'steps' is a required property"),
        ({"flows/a.yaml": "steps: [sort\n"}, Verdict.FAILED, "it cannot be read"),
        ({"flows/b.yaml": "{}\n"}, Verdict.FAILED, "'steps' is a required property"),
        (
            {"schema.json": "{}", "flows/a.yaml": "steps: [rm]\n"},
            Verdict.FAILED,
            "'rm'",
        ),  # the schema of the base counts
        ({"old.json": '{"$schema": "schema.json", "steps": ["walk"], "x": 1}'}, Verdict.PASSED, "old.json fits"),
        ({"old.json": '{"$schema": "schema.json", "steps": ["walk", "run"]}'}, Verdict.FAILED, "'run'"),
    ],
)
def test_a_settings_file_keeps_to_its_schema(repo: Repo, files: dict[str, str], verdict: Verdict, reason: str) -> None:
    result = StructureCheck(open_project(repo.root).kit).check(claim_of(repo, files))
    assert result
    assert (result.verdict, reason in result.reason) == (verdict, True), result.reason


def test_settings_without_a_schema_are_only_read(repo: Repo) -> None:
    check = StructureCheck(open_project(repo.root).kit)
    assert check.check(claim_of(repo, {"new.json": "{broken", "other.toml": "a = 1\n"})) is None
    broken = check.check(claim_of(repo, {"old.json": "{"}))
    assert broken
    assert broken.verdict is Verdict.FAILED
    repo.commit({"schema.json": '{"$ref": "https://example.com/schema.json"}'})
    remote = check.check(claim_of(repo, {"flows/a.yaml": "steps: [rm]\n"}))
    assert remote
    assert (remote.verdict, "cannot be used" in remote.reason) == (Verdict.INCONCLUSIVE, True)
