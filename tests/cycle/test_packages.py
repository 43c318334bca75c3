"""A repository with several packages: a change is proved in those that it affects, each by its own interpreter in its own folder."""

import pytest

from tests.support import CommandResult, MakeRepo, Repo

FILES: dict[str, str | bytes] = {
    "libs/core/pyproject.toml": '[project]\nname = "acme-core"\n',
    "libs/core/core.py": "def total(values):\n    return sum(values)\n\n\ndef mean(values):\n    return total(values) / (len(values) + 1)\n",
    "libs/core/tests/test_core.py": "from core import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "s/api/pyproject.toml": (
        '[project]\nname = "acme-api"\ndependencies = ["acme-core"]\n'
        '[tool.pytest.ini_options]\npythonpath = ["../../libs/core"]\n'
    ),
    "s/api/api.py": "from core import mean\n\n\ndef report(values):\n    return round(mean(values), 2)\n",
    "s/api/tests/expected.txt": "3\n",
    "s/api/tests/test_api.py": (
        "import sys\n\nfrom api import report\n\n\n"
        'def test_report():\n    with open("tests/expected.txt") as file:\n        assert report([2, 4]) == int(file.read())\n\n\n'
        "def test_nothing():\n    assert report([0]) == 0\n\n\n"
        'def test_interpreter():\n    assert sys.prefix.endswith("target-python"), sys.prefix\n'
    ),
    "s/web/pyproject.toml": '[project]\nname = "acme-web"\n',
    "s/web/core.py": "def page(text):\n    return text\n",
    "s/web/tests/test_web.py": 'from core import page\n\n\ndef test_page():\n    assert page("a") == "a"\n',
}
TABLES = '[[project]]\nname = "core"\nfolder = "libs/core"\n[[project]]\nname = "api"\nfolder = "s/api"\ninterpreter = "{}"\n[[project]]\nname = "web"\nfolder = "s/web"\n'
FIXED = str(FILES["libs/core/core.py"]).replace("(len(values) + 1)", "len(values)")


@pytest.fixture
def repo(make_repo: MakeRepo, target_python: str) -> Repo:
    return make_repo({**FILES, "whet.toml": 'environment = "development"\n' + TABLES.format(target_python)})


def prove(repo: Repo, files: dict[str, str | bytes], *options: str) -> CommandResult:
    repo.sh("git", "switch", "-q", "-c", "change", "main")
    repo.commit(files, "change")
    repo.sh("git", "switch", "-q", "main")
    return repo.whet("prove", "--branch", "change", *options)


def test_a_fix_is_proved_by_the_tests_of_a_package_that_needs_it(repo: Repo) -> None:
    """Three packages have a module `core`, or a test that reads a file beside it; each sees only its own."""
    result = prove(repo, {"libs/core/core.py": FIXED}, "--json")
    assert (result.code, result.json["verdict"]) == (0, "passed"), result.out
    evidence = result.json["evidence"]
    core, api = (check for check in evidence["checks"] if check["check"] == "tests")
    assert (core["package"], core["affected_by"], core["red"], core["held"]) == ("core", "changed", [], 1)
    assert (api["package"], api["affected_by"], api["held"]) == ("api", "needs core", 2)
    assert api["red"] == ["s/api/tests/test_api.py::test_report"]
    assert evidence["not_affected"] == ["web"]
    assert "in api: 1 test was red without the patch" in result.json["summary"]
    assert "1 package that the change does not affect (web)" in result.json["summary"]


def test_harm_in_a_package_that_needs_the_changed_one_is_a_failure(repo: Repo) -> None:
    harmful = FIXED.replace("return sum(values)", "return sum(values) or 0.5")
    result = prove(repo, {"libs/core/core.py": harmful})
    assert result.code == 1
    assert (
        "tests in api: tests that held on the base fail with the patch: s/api/tests/test_api.py::test_nothing"
        in " ".join(result.out.split())
    )


def test_nothing_red_in_any_affected_package_passes_nothing(repo: Repo) -> None:
    result = prove(repo, {"s/web/core.py": "def page(text):\n    return str(text)\n"}, "--json")
    assert (result.code, result.json["verdict"]) == (7, "inconclusive")
    assert [check["package"] for check in result.json["evidence"]["checks"] if check["check"] == "tests"] == ["web"]
    assert result.json["evidence"]["not_affected"] == ["core", "api"]


def test_a_cache_file_is_refused_with_a_remedy(repo: Repo) -> None:
    result = prove(repo, {"s/web/core.py": "\n"}, "--cache", "base.json")
    assert (result.code, "leave out --cache" in result.err) == (2, True)


@pytest.mark.long
def test_a_cycle_repairs_a_package_by_the_tests_of_another(repo: Repo) -> None:
    previews = repo.whet("run", "--dry-run", "--json").json
    evidence = previews[0]["evidence"]
    assert (evidence["verdict"], evidence["not_affected"]) == ("passed", ["web"])
    assert [change["path"] for change in previews[0]["build"]["patch"]["changes"]] == ["libs/core/core.py"]
