"""A package that nothing declared connects with a change runs once with it, so that no way between two packages is overlooked."""

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.domain.verdict import Verdict
from whet.phases.validate import Check, Claim
from whet.phases.validate.package_checks import OtherPackageCheck, PackageCheck, by_package

ALPHA = "def add(x, y):\n    return x - y\n\n\ndef sub(x, y):\n    return x - y\n"
HARMFUL = "def add(x, y):\n    return x + y\n\n\ndef sub(x, y):\n    return y - x\n"
FIXED = HARMFUL.replace("y - x", "x - y")
TABLES = '[[project]]\nfolder = "a"\n[[project]]\nfolder = "b"\n'
FILES: dict[str, str | bytes] = {
    "whet.toml": TABLES,
    "a/pyproject.toml": '[project]\nname = "acme-a"\n',
    "b/pyproject.toml": '[project]\nname = "acme-b"\n',
    "a/alpha.py": ALPHA,
    "b/test_b.py": "import alpha\n\n\ndef test_sub():\n    assert alpha.sub(3, 1) == 2\n",
}
PATH = "import sys\nfrom pathlib import Path\n\nsys.path.append(str(Path(__file__).parent.parent / 'a'))\n"
READ = "from pathlib import Path\n\nnames = {}\nfor file in Path(__file__).parents[1].glob('*/alpha.py'):\n    exec(file.read_text(), names)\n\n\n"
# Ways from the package b to the package a that no pyproject.toml tells.
WAYS: dict[str, dict[str, str | bytes]] = {
    "a path in conftest.py": {"b/conftest.py": PATH},
    "a setting of pytest": {"b/pytest.ini": "[pytest]\npythonpath = ../a\n"},
    "an import by name": {
        "b/test_b.py": f"{PATH}import importlib\n\n\ndef test_sub():\n    assert importlib.import_module('al' + 'pha').sub(3, 1) == 2\n"
    },
    "a file read by a glob": {"b/test_b.py": f"{READ}def test_sub():\n    assert names['sub'](3, 1) == 2\n"},
    "a test that is skipped": {
        "b/test_b.py": f"{READ}import pytest\n\n\ndef test_sub():\n    if names['sub'](3, 1) != 2:\n        pytest.skip()\n"
    },
    "a test that disappears": {
        "b/test_b.py": f"{READ}import pytest\n\n\n@pytest.mark.parametrize('n', range(max(names['sub'](3, 1), 0)))\ndef test_sub(n):\n    assert n < 2\n\n\ndef test_other():\n    pass\n"
    },
}  # fmt: skip


def checks_of(repo: Repo, text: str, **targets: tuple[str, ...]) -> tuple[dict[str, Check], Claim]:
    """Return the checks of a change of a/alpha.py, and its claim."""
    kit = open_project(repo.root).kit
    tree = kit.git.with_files(kit.git.tree_of("HEAD"), {"a/alpha.py": text.encode()})
    claim = Claim(patch=kit.git.patch(repo.head, tree, "change"), targets=targets)
    affected = kit.suite.affected(claim.patch.paths, claim.patch.base)
    assert list(affected) == ["a"]
    return by_package({"tests": PackageCheck(kit, "a", "")}, affected, kit), claim


def why_affected(repo: Repo, text: str, **targets: tuple[str, ...]) -> str:
    """Return why the package b is affected after all; empty if it is not."""
    checks, claim = checks_of(repo, text, **targets)
    check = checks["tests in b"]
    assert isinstance(check, OtherPackageCheck)
    return check.why_affected(claim)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_harm_reaches_a_package_by_a_way_that_nothing_declares(
    make_repo: MakeRepo, way: dict[str, str | bytes]
) -> None:
    assert why_affected(make_repo({**FILES, **way}), HARMFUL)


def test_harm_that_came_by_a_link_fails_the_proof(make_repo: MakeRepo) -> None:
    repo = make_repo({**FILES, "b/test_b.py": "from beta import sub\n\n\ndef test_sub():\n    assert sub(3, 1) == 2\n"})
    (repo.root / "b/beta.py").symlink_to("../a/alpha.py")
    repo.commit({}, "link")
    checks, claim = checks_of(repo, HARMFUL)
    result = checks["tests in b"].check(claim)
    assert result
    assert (result.verdict, result.label) == (Verdict.FAILED, "tests in b"), result.reason
    assert "its tests change: b/test_b.py::test_sub" in result.affected_by


def test_a_package_that_loads_a_changed_file_is_proved_though_its_tests_hold(make_repo: MakeRepo) -> None:
    assert why_affected(make_repo({**FILES, **WAYS["a path in conftest.py"]}), FIXED) == "loads a/alpha.py"


def test_a_package_whose_tests_hold_is_not_affected(make_repo: MakeRepo) -> None:
    own = "import pytest\n\n\ndef test_own():\n    pass\n\n\ndef test_red():\n    assert 0\n\n\ndef test_skipped():\n    pytest.skip()\n"
    repo = make_repo({**FILES, "b/test_b.py": own})
    assert why_affected(repo, HARMFUL) == ""
    repo.commit({"b/test_b.py": ""})
    assert why_affected(repo, HARMFUL) == ""


def test_what_a_person_listed_as_needs_is_believed(make_repo: MakeRepo) -> None:
    repo = make_repo({**FILES, **WAYS["a path in conftest.py"], "whet.toml": f"{TABLES}needs = []\n"})
    assert list(checks_of(repo, HARMFUL)[0]) == ["tests in a", "tests outside"]


def test_targets_in_another_package_are_always_asked(make_repo: MakeRepo) -> None:
    assert why_affected(make_repo(FILES), FIXED, tests=("b/test_b.py::test_sub",)) == "has targets"


def test_test_files_outside_all_packages_run_too(make_repo: MakeRepo) -> None:
    test = "def test_sub():\n    assert alpha.sub(3, 1) == 2\n\n\ndef test_red():\n    assert 0\n"
    repo = make_repo({**FILES, "tests/test_all.py": f"{PATH}import alpha\n\n\n{test}"})
    checks, claim = checks_of(repo, HARMFUL)
    result = checks["tests outside"].check(claim)
    assert result
    assert (result.verdict, result.label) == (Verdict.INCONCLUSIVE, "tests in files outside all packages")
    assert result.reason.startswith("tests/test_all.py::test_sub no longer does what it did")
    checks, claim = checks_of(repo, FIXED)
    assert checks["tests outside"].check(claim) is None
