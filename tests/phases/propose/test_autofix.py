"""Lint fixes on real repositories, with ruff in the sandbox."""

import pytest

from tests.support import MakeRepo, Repo
from whet.app.findings.scan import scan
from whet.app.project import Project, open_project
from whet.domain.proposal import Proposal
from whet.phases.diagnose.step import diagnose, find
from whet.phases.observe.lint import Lint
from whet.phases.propose.autofix import Autofix

# a rule needs three violations to become a finding
TYPED = (
    "from typing import Optional\n\n\ndef f(x: Optional[int], y: Optional[int], z: Optional[int]) -> None:\n    pass\n"
)
UPGRADES = 'lint_rules = ["UP"]\n'


def policy(more: str = "") -> str:
    return f'[observe]\nsources = ["lint"]\n\n[propose]\nengines = ["autofix"]\n{more}'


def proposals(repo: Repo, rule: str) -> tuple[Project, list[Proposal]]:
    """Return what autofix proposes for the violations of one rule."""
    project = open_project(repo.root)
    base = project.git.resolve("HEAD")
    engine = Autofix(project.kit)
    signals = Lint(project.kit).observe(base)
    proposed: list[Proposal] = []
    for finding in find(signals, project.engines.analyzers, base):
        if finding.subjects[0] == rule and engine.can_help(finding):
            [diagnosis] = diagnose([finding], project.engines.analyzers, base, project.policy.target, top=1)
            proposed += engine.propose(diagnosis, base, "c-1")
    return project, proposed


def built(project: Project, proposal: Proposal, path: str) -> str:
    patch = Autofix(project.kit).build(proposal, frozenset()).patch
    assert patch is not None
    content = project.git.read(patch.tree, path)
    assert content is not None
    return content.decode()


def test_a_proposal_names_rule_count_and_file(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {"a.py": "import os\nimport sys\n\nX = 1\n", "b.py": "import os\n\nY = 1\n", "whet.toml": policy()}
    )
    _, proposed = proposals(repo, "F401")
    assert [proposal.title for proposal in proposed] == [
        "Fix 2 F401 violations in a.py",
        "Fix 1 F401 violation in b.py",
    ]


DECLARATIONS = {
    "pyproject": {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\nrequires-python = ">={}"\n'},
    "setup.cfg": {"setup.cfg": "[metadata]\nname = x\n\n[options]\npython_requires = >={}\n"},
    "setup.py": {"setup.py": 'from setuptools import setup\n\nsetup(name="x", python_requires=">={}")\n'},
    "setup.py with a name": {
        "setup.py": 'from setuptools import setup\n\nOLDEST = ">={}"\nsetup(name="x", python_requires=OLDEST)\n'
    },
    "below the target version of ruff": {
        "pyproject.toml": '[project]\nname = "x"\nversion = "1"\nrequires-python = ">={}"\n\n'
        '[tool.ruff]\ntarget-version = "py312"\n'
    },
}


@pytest.mark.parametrize("declared", DECLARATIONS)
def test_no_fix_is_proposed_that_the_oldest_declared_python_does_not_support(
    declared: str, make_repo: MakeRepo
) -> None:
    files: dict[str, str | bytes] = {name: text.format("3.8") for name, text in DECLARATIONS[declared].items()}
    repo = make_repo({**files, "a.py": TYPED, "whet.toml": policy(UPGRADES)})
    assert proposals(repo, "UP045")[1] == []


@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_fix_that_the_oldest_declared_python_supports_is_proposed(declared: str, make_repo: MakeRepo) -> None:
    files: dict[str, str | bytes] = {name: text.format("3.12") for name, text in DECLARATIONS[declared].items()}
    repo = make_repo({**files, "a.py": TYPED, "whet.toml": policy(UPGRADES)})
    project, proposed = proposals(repo, "UP045")
    assert "x: int | None" in built(project, proposed[0], "a.py")


SETTINGS = {
    "ignored": '[tool.ruff.lint]\nignore = ["UP045"]\n',
    "ignored as a family": '[tool.ruff.lint]\nextend-ignore = ["UP04"]\n',
    "ignored in this file": '[tool.ruff.lint.per-file-ignores]\n"a.py" = ["UP045"]\n',
    "unfixable": '[tool.ruff.lint]\nunfixable = ["UP045"]\n',
    "excluded": '[tool.ruff]\nextend-exclude = ["a.py"]\n',
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_rules_that_the_project_switched_off_are_not_fixed(setting: str, make_repo: MakeRepo) -> None:
    """Not even if the policy selects more rules than the project."""
    repo = make_repo({"pyproject.toml": SETTINGS[setting], "a.py": TYPED, "whet.toml": policy(UPGRADES)})
    assert proposals(repo, "UP045")[1] == []


@pytest.mark.parametrize("name", ["ruff.toml", ".ruff.toml"])
def test_settings_in_a_ruff_file_count_like_those_in_pyproject(name: str, make_repo: MakeRepo) -> None:
    repo = make_repo({name: '[lint]\nignore = ["UP045"]\n', "a.py": TYPED, "whet.toml": policy(UPGRADES)})
    assert proposals(repo, "UP045")[1] == []


def test_settings_of_an_extended_file_count(make_repo: MakeRepo) -> None:
    files: dict[str, str | bytes] = {
        "ruff.toml": 'extend = "base/ruff.toml"\n',
        "base/ruff.toml": '[lint]\nignore = ["UP045"]\n',
    }
    repo = make_repo({**files, "a.py": TYPED, "whet.toml": policy(UPGRADES)})
    assert proposals(repo, "UP045")[1] == []


def test_a_fix_that_leaves_a_fixable_violation_fixes_that_too(make_repo: MakeRepo) -> None:
    """The new annotation leaves an unused import behind."""
    settings = '[tool.ruff]\ntarget-version = "py312"\n\n[tool.ruff.lint]\nselect = ["UP045", "F401"]\n'
    repo = make_repo({"pyproject.toml": settings, "a.py": TYPED, "whet.toml": policy()})
    project, proposed = proposals(repo, "UP045")
    assert proposed[0].recipe["rules"] == ["UP045", "F401"]
    assert (
        built(project, proposed[0], "a.py")
        == "\n\ndef f(x: int | None, y: int | None, z: int | None) -> None:\n    pass\n"
    )


@pytest.mark.parametrize(("line_length", "count"), [(20, 0), (21, 1)])
def test_a_fix_that_makes_a_line_too_long_is_not_proposed(line_length: int, count: int, make_repo: MakeRepo) -> None:
    """COM812 adds a comma to a line of 20 characters."""
    source = "def f(*values): ...\n\n\n" + "f(\n    1234567 + 123456\n)\n" * 3
    settings = f'[tool.ruff]\nline-length = {line_length}\n\n[tool.ruff.lint]\nselect = ["COM812", "E501"]\n'
    repo = make_repo({"pyproject.toml": settings, "a.py": source, "whet.toml": policy()})
    assert len(proposals(repo, "COM812")[1]) == count


def test_fixing_one_rule_leaves_other_violations_of_the_file_alone(make_repo: MakeRepo) -> None:
    source = f"import json\nimport os\nimport sys\n{TYPED}"
    settings = '[tool.ruff]\ntarget-version = "py312"\n\n[tool.ruff.lint]\nselect = ["UP045", "F401"]\n'
    repo = make_repo({"pyproject.toml": settings, "a.py": source, "whet.toml": policy()})
    project, proposed = proposals(repo, "F401")
    fixed = built(project, proposed[0], "a.py")
    assert fixed == TYPED


def test_a_project_for_a_python_that_ruff_does_not_know_is_offered_no_newer_syntax(make_repo: MakeRepo) -> None:
    formatted = 'def f(x):\n    return ["%s" % x, "{}".format(x), "{0}".format(x)]\n'
    setup = 'from setuptools import setup\n\nsetup(name="x", python_requires=">=3.5")\n'
    repo = make_repo({"setup.py": setup, "a.py": formatted * 3, "whet.toml": policy(UPGRADES)})
    result = scan(open_project(repo.root))
    assert not [row for row in result.findings if row.finding.subjects[0].startswith("UP")]
    assert result.limits == (
        "the project supports Python 3.5, which ruff does not know: the rules FA, FLY, FURB, UP are left out",
    )
