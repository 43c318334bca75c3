import pytest

from tests.guard.content.rows import remarks
from whet.guard.content.passage import Passage
from whet.guard.content.requirements import is_one_typo_away, new_requirements
from whet.guard.content.requirements.names import is_manifest, requirements
from whet.guard.content.requirements.popular import POPULAR

PROJECT = '[project]\nname = "x"\ndependencies = ["requests>=2", "acme-tools"]\n'
SETUP = "[options]\ninstall_requires =\n    requests\n    acme-tools\n"


@pytest.mark.parametrize(
    ("name", "other", "near"),
    [
        ("requests", "request", True), ("requests", "requestss", True), ("requests", "reqeusts", True),
        ("requests", "requesta", True), ("requests", "rrequests", True), ("requests", "xequests", True),
        ("python-dateutil", "pythondateutil", True), ("typing-extensions", "typing-extension", True),
        ("requests", "requests", False), ("requests", "httpx", False), ("requests", "requess2", False),
        ("requests", "reqseuts", False), ("requests", "requestsxx", False), ("py", "pi", False), ("six", "sax", True),
        ("abcd", "badc", False), ("numpy", "mumpi", False),
    ],
)  # fmt: skip
def test_one_typo_apart(name: str, other: str, near: bool) -> None:
    assert is_one_typo_away(name, other) is near
    assert is_one_typo_away(other, name) is near


MANIFESTS = {
    "requirements.txt": "requests>=2  # why\n-r other.txt\n# flask\nFlask[async]==3; python_version<'4'\nacme_tools\n",
    "requirements/base.in": "requests\nflask @ https://x\nacme.tools\n",
    "pyproject.toml": '[build-system]\nrequires = ["flask"]\n[project]\ndependencies = ["requests"]\n'
    '[dependency-groups]\na = ["Acme-Tools", {include-group = "b"}]\n',
    "sub/setup.cfg": "[options]\ninstall_requires =\n    requests\n    flask>1\n[options.extras_require]\na =\n    acme-tools\n[x]\ny = z\n",
    "Pipfile": '[packages]\nrequests = "*"\n[dev-packages]\nflask = "*"\nacme-tools = "*"\n',
    "a/pyproject.toml": '[project.optional-dependencies]\na = ["flask"]\n[tool.poetry.dependencies]\npython = "^3"\nrequests = "2"\n'
    '[tool.poetry.group.dev.dependencies]\nacme-tools = "*"\n',
}


@pytest.mark.parametrize("path", MANIFESTS)
def test_names_are_read_from_every_kind_of_manifest(path: str) -> None:
    assert is_manifest(path)
    assert requirements(path, MANIFESTS[path]) == {"requests", "flask", "acme-tools"}


@pytest.mark.parametrize("path", ["src/app.py", "docs/requirements.md", "a.toml", "cfg.cfg", "README.txt"])
def test_other_files_are_not_manifests(path: str) -> None:
    assert not is_manifest(path)
    assert remarks(new_requirements, "reqeusts\n", path=path if not path.endswith(".py") else "a.txt") == set()


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        (PROJECT, PROJECT, "pyproject.toml", set()),
        (PROJECT, PROJECT.replace(">=2", ">=3"), "pyproject.toml", set()),
        (PROJECT, PROJECT.replace('"acme-tools"', '"acme_tools"'), "pyproject.toml", set()),
        (PROJECT, PROJECT.replace('"acme-tools"', '"acme-tools", "flask"'), "pyproject.toml", {("raise", "new_requirement")}),
        (PROJECT, PROJECT.replace('"acme-tools"', '"acme-tool"'), "pyproject.toml", {("block", "dependency_confusion")}),
        (PROJECT, PROJECT.replace('"acme-tools"', '"reqests"'), "pyproject.toml", {("block", "dependency_confusion")}),
        (PROJECT, PROJECT.replace('"acme-tools"', '"nunpy"'), "pyproject.toml", {("block", "dependency_confusion")}),
        (PROJECT, PROJECT.replace('"acme-tools"', '"gitb"'), "pyproject.toml", {("block", "dependency_confusion")}),
        (PROJECT, PROJECT.replace('"acme-tools"', '"whatever-else"'), "pyproject.toml", {("raise", "new_requirement")}),
        (PROJECT, PROJECT + "broken =\n", "pyproject.toml", {("raise", "new_requirement")}),
        (SETUP, SETUP + "    pandsa\n", "setup.cfg", {("block", "dependency_confusion")}),
        (SETUP, "x\n" + SETUP, "setup.cfg", {("raise", "new_requirement")}),
        ("flask\n", "flask\nred1s\n", "requirements-dev.txt", {("block", "dependency_confusion")}),
        ("flask\n", "flask\n--extra-index-url https://x\n", "requirements.txt", {("block", "other_index")}),
        ("flask\n", "flask\n-i https://x\n", "requirements.txt", {("block", "other_index"), ("raise", "new_requirement")} - {("raise", "new_requirement")}),
        ("flask\n", "flask @ git+https://x\n", "requirements.txt", {("raise", "other_index")}),
        ("flask\n", "flask\ngit+https://x\n", "requirements.txt", {("raise", "other_index")}),
        ("flask\n", "flask\n-r more.txt\n", "requirements.txt", {("raise", "other_index")}),
        ("flask\n", "flask\n-e ./local\n", "requirements.txt", {("raise", "other_index")}),
        ("flask\n", "flask\ntermcolor\n", "requirements.txt", {("raise", "new_requirement")}),
    ],
)  # fmt: skip
def test_remarks_on_a_manifest(old: str, new: str, path: str, expected: set[tuple[str, str]]) -> None:
    assert remarks(new_requirements, new, old, path) == expected


def test_a_requirement_of_another_manifest_is_not_new() -> None:
    def remarks_on(name: str, required: set[str]) -> list[tuple[str, int, str]]:
        passage = Passage("requirements.txt", "flask\n", f"flask\n\n{name}\n", required=frozenset(required))
        return [(remark.severity, remark.line, remark.what) for remark in new_requirements(passage)]

    assert remarks_on("acme-toolz", {"acme-toolz"}) == []
    what = "requires 'acme-toolz', which is one typo away from 'acme-tools'"
    assert remarks_on("acme-toolz", {"acme-tools"}) == [("block", 3, what)]
    assert remarks_on("acme-toolz", set())[0][:2] == ("raise", 3)


def test_the_list_of_popular_names_is_canonical_and_long() -> None:
    assert len(POPULAR) >= 300
    assert all(name == name.lower() and "_" not in name and "." not in name for name in POPULAR)
