"""Texts are scored case by case with and without the patch; settings files keep their structure."""

import json
from dataclasses import replace

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.config import parse
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import BadConfig
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


HARMLESS = "steps: [sort]\n"
# Dates and numbers that none are: PyYAML converts them with functions that raise other errors than its own.
UNREADABLE = ("2024-13-45", "0b_", "0x_", "2024-01-01T00:00:00+99:00", "!!timestamp soon", "!!int many", "!!float much")
# An evaluation whose cases lie in a folder, and one of whose files is a text that it scores as well.
JUDGE = {
    "judge/score.py": """import json
from pathlib import Path

text = Path("prompts/a.md").read_text()
for file in sorted(Path("judge/cases").iterdir()) + [Path("prompts/cases.json")]:
    for case, word in json.loads(file.read_text()).items():
        print(json.dumps({"case": f"{file} {case}", "score": float(word in text)}))
""",
    "judge/cases/a.json": json.dumps({f"c{number}": f"word{number} " for number in range(30)}),
    "prompts/cases.json": json.dumps({f"d{number}": f"word{number} " for number in range(30)}),
    "prompts/a.md": "word0 and word1 ",
}
EASY = json.dumps({f"c{number}": "" for number in range(30)})


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


def judged_by(make_repo: MakeRepo, settings: str, files: dict[str, str]) -> CheckResult:
    """Return the result for an outsider's patch in a repository with JUDGE."""
    return check(make_repo({"whet.toml": f"[evaluations.declared.words]\n{settings}\n", **JUDGE}), files, outsider=True)


SCRIPT, OWN = 'command = ["python", "judge/score.py"]', '"judge/cases", "prompts/cases.json"'


@pytest.mark.parametrize(
    ("settings", "files"),
    [
        (f'{SCRIPT}\nscores = ["prompts/*"]\nfiles = [{OWN}]', {"judge/cases/a.json": EASY}),
        (f'{SCRIPT}\nscores = ["prompts/*"]\nfiles = ["judge/cases/", "prompts/*.json"]', {"judge/cases/a.json": EASY}),
        (
            f'{SCRIPT}\nscores = ["prompts/*"]\nfiles = ["./judge/**", "prompts/cases.json"]',
            {"judge/cases/b.json": EASY},
        ),
        (f'{SCRIPT}\nscores = ["**"]\nfiles = [{OWN}]', {"judge/cases/a.json": EASY}),
        (f'{SCRIPT}\nscores = ["prompts/*"]\nfiles = [{OWN}]', {"prompts/cases.json": EASY}),
        ('command = ["python", "./judge/score.py"]\nscores = ["prompts/*"]', {"judge/score.py": "print(1)"}),
        ('command = ["python", "-m", "judge.score"]\nscores = ["prompts/*"]', {"judge/score.py": "print(1)"}),
    ],
    ids=["a folder", "a folder and a glob", "a new case", "all is scored", "a scored case", "the script", "a module"],
)
def test_a_patch_cannot_change_the_cases_or_the_script_that_judge_it(
    make_repo: MakeRepo, settings: str, files: dict[str, str]
) -> None:
    result = judged_by(make_repo, settings, {"prompts/a.md": "word0 and word1, once more ", **files})
    assert "60 cases, 0 better and 2 worse" in result.reason
    assert not result.shows_claim


def test_files_that_the_base_does_not_have_are_refused(make_repo: MakeRepo) -> None:
    settings = f'{SCRIPT}\nscores = ["prompts/*"]\nfiles = ["judge/case"]'
    result = judged_by(make_repo, settings, {"prompts/a.md": ""})
    assert "names judge/case in `files`, and the base has no such file" in result.reason


def test_missing_answers_and_noise_are_inconclusive(repo: Repo) -> None:
    gap = check(repo, {"prompts/a.md": "gap"})
    assert (gap.verdict, "no recorded answer" in gap.reason) == (Verdict.INCONCLUSIVE, True)
    repo.commit({"prompts/a.md": "dice"})
    noisy = check(repo, {"prompts/a.md": "dice dice"})
    assert (noisy.verdict, "another score when it ran again" in noisy.reason) == (Verdict.INCONCLUSIVE, True)


@pytest.mark.parametrize(
    ("place", "words"),
    [("flows", "is not in the base"), ("list.json", "is no object"), ("nothing.json", "is no object")],
)
def test_a_schema_that_is_none_is_said(make_repo: MakeRepo, place: str, words: str) -> None:
    policy = f'[checks.schemas]\n"a.json" = "{place}"\n'
    repo = make_repo({"whet.toml": policy, "a.json": "{}", "list.json": "[]", "nothing.json": "null", "flows/b": ""})
    result = StructureCheck(open_project(repo.root).kit).check(claim_of(repo, {"a.json": '{"a": 1}'}))
    assert result
    assert (result.verdict, words in result.reason) == (Verdict.INCONCLUSIVE, True), result.reason


@pytest.mark.parametrize(
    "text",
    [
        '[checks.schemas]\n"{a,b}.json" = "schema.json"\n',
        '[checks.schemas]\n"[a.json" = "schema.json"\n',
        '[evaluations.declared.a]\ncommand = ["a"]\nscores = ["!*.md"]\n',
        '[evaluations.declared.a]\ncommand = ["a"]\nscores = ["*.md"]\nfiles = ["{a,b}"]\n',
    ],
)
def test_patterns_that_would_match_nothing_are_refused(text: str) -> None:
    with pytest.raises(BadConfig, match=r"is not a pattern as in \.gitignore"):
        parse(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "[evaluations]\ntolerance = inf\n",
        '[[sources.diagnostics]]\nserver = "ruff"\n[sources.diagnostics.settings]\na = nan\n',
        '[evaluations.declared.a]\ncommand = ["a\\u0000"]\nscores = ["*.md"]\n',
    ],
)
def test_values_that_no_command_or_record_can_hold_are_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="a NUL character or an endless number"):
        parse(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        '[checks.schemas]\n"*.json" = "/etc/schema.json"\n',
        '[checks.schemas]\n"*.json" = "../schema.json"\n',
        '[evaluations.declared.a]\ncommand = ["a"]\nscores = ["*.md"]\nfiles = ["../cases"]\n',
        '[benchmarks.declared.a]\ncommand = ["a"]\nfiles = ["/cases"]\n',
    ],
)
def test_settings_that_lead_out_of_the_repository_are_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="is not a path below the repository's top folder"):
        parse(text.encode())


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
        ({"flows/a.yaml": ""}, Verdict.FAILED, "flows/a.yaml: $: None is not of type 'object'"),
        ({"old.json": ""}, Verdict.FAILED, "it cannot be read"),
        *(({"flows/a.yaml": f"{HARMLESS}x: {value}\n"}, Verdict.FAILED, "it cannot be read") for value in UNREADABLE),
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
