"""The packages of a repository: which of them a change affects, which settings are refused, and what `whet init` finds."""

import pytest

from tests.support import MakeRepo
from whet.app.setup.init import detect, render
from whet.config import Config, PackagePolicy, parse
from whet.errors import BadConfig
from whet.target.packages.affected import affected, needs_of, owner_of
from whet.target.packages.package_suite import policy_of_package

CORE, API, WEB = (
    PackagePolicy(folder=folder, name=folder[-4:].strip("/")) for folder in ("libs/core", "s/api", "s/web")
)
PACKAGES = (CORE, API, WEB)
NONE: frozenset[str] = frozenset()
NEEDS = {CORE.title: NONE, API.title: frozenset({CORE.title}), WEB.title: frozenset({API.title})}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["s/web/a.py"], {"web": "changed"}),
        (["s/api/a.py"], {"api": "changed", "web": "needs api"}),
        (["libs/core/deep/er.txt"], {"core": "changed", "api": "needs core", "web": "needs api"}),
        (["s/website/a.py"], dict.fromkeys(("core", "api", "web"), "outside all packages: s/website/a.py")),
        (["s/web/a.py", "tox.ini"], dict.fromkeys(("core", "api", "web"), "outside all packages: tox.ini")),
        ([], {}),
    ],
    ids=["a leaf", "one user", "users of users", "a similar name", "a shared file", "nothing"],
)
def test_a_change_affects_its_packages_and_all_that_need_them(paths: list[str], expected: dict[str, str]) -> None:
    assert affected(paths, PACKAGES, NEEDS) == expected


def test_packages_that_need_each_other_are_affected_together() -> None:
    needs = {"core": frozenset({"web"}), "api": NONE, "web": frozenset({"core"})}
    assert affected(["libs/core/a.py"], PACKAGES, needs) == {"core": "changed", "web": "needs core"}


def test_a_path_belongs_to_the_innermost_package() -> None:
    top, inner = PackagePolicy(folder="."), PackagePolicy(folder="s")
    assert owner_of("s/api/a.py", (top, inner, API)) == API
    assert owner_of("s/b.py", (top, inner, API)) == inner
    assert owner_of("b.py", (top, inner, API)) == top


@pytest.mark.parametrize(
    ("web", "expected"),
    [
        ('[project]\nname = "w"\ndependencies = ["Acme_Core[x] >= 1; python_version > \'3\'"]\n', {"core"}),
        ('[project]\nname = "w"\noptional-dependencies.http = ["acme-api"]\n', {"api"}),
        ('[dependency-groups]\ndev = ["acme.core", {include-group = "a"}]\n', {"core"}),
        ('[tool.poetry.dependencies]\nacme-core = {path = "../../libs/core"}\n', {"core"}),
        ('[tool.poetry.group.dev.dependencies]\nacme-api = "*"\n', {"api"}),
        ("[tool.uv.sources]\nacme-core = {workspace = true}\n", {"core"}),
        ('[project]\nname = "w"\ndependencies = ["acme-core-extras"]\n', set()),
        ("[project\n", {"core", "api"}),
        ("project = 3\ntool = []\n", set()),
        (None, {"core", "api"}),
    ],
)
def test_needs_are_read_from_pyproject_and_an_unreadable_one_needs_all(
    make_repo: MakeRepo, web: str | None, expected: set[str]
) -> None:
    files: dict[str, str | bytes] = {
        "libs/core/pyproject.toml": '[project]\nname = "acme-core"\n',
        "s/api/pyproject.toml": '[tool.poetry]\nname = "acme_api"\n',
    }
    git = make_repo(files | ({} if web is None else {"s/web/pyproject.toml": web})).git
    assert needs_of(PACKAGES, git.tree_of("HEAD"), git)["web"] == expected


def test_a_package_without_a_name_may_be_needed_by_all(make_repo: MakeRepo) -> None:
    git = make_repo({"libs/core/setup.py": "", "s/api/pyproject.toml": '[project]\nname = "a"\n'}).git
    assert needs_of((CORE, API), git.tree_of("HEAD"), git)["api"] == {"core"}
    listed = (CORE, API.model_copy(update={"needs": ()}))
    assert needs_of(listed, git.tree_of("HEAD"), git)["api"] == set()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[project]]\nfolder = "../a"\n', "not a path below"),
        ('[[project]]\nfolder = "/a"\n', "not a path below"),
        ('[[project]]\nfolder = "a/*"\n', "is a pattern"),
        ('[[project]]\nfolder = "a"\n[[project]]\nfolder = "./a/"\n', "two packages have the name 'a'"),
        ('[[project]]\nfolder = "a"\nname = "x"\n[[project]]\nfolder = "a"\nname = "y"\n', "have the folder 'a'"),
        ('[[project]]\nfolder = "a"\nneeds = ["b"]\n', "'a' needs 'b', which is no package"),
        ('[tests]\nrunner = "unittest"\n[[project]]\nfolder = "a"\n', 'need tests.runner = "pytest"'),
        ('[tests]\nfolders = ["t"]\n[[project]]\nfolder = "a"\n', "has no meaning beside"),
        ('[[project]]\nname = "a"\n', "Field required"),
        ('[[project]]\nfolder = "a"\nfolders = ["ab"]\n', "'a' collects 'ab', which is not in its folder"),
        ('[[project]]\nfolder = "a\\u0000b"\n', "project.0.folder: a NUL character"),
        ('[[project]]\nfolder = "a"\ninterpreter = "a\\u0000b"\n', "project.0.interpreter: a NUL character"),
        ('[[project]]\nfolder = "a"\nbranch = "b"\n', "unknown key 'project.0.branch'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text: str, words: str) -> None:
    with pytest.raises(BadConfig) as refused:
        parse(text.encode())
    assert words in refused.value.message


def test_the_suite_of_a_package_leaves_out_the_packages_in_its_folder() -> None:
    text = '[tests]\nargs = ["-x"]\n[[project]]\nfolder = "."\nargs = ["-s"]\n[[project]]\nfolder = "a"\n[[project]]\nfolder = "a/b"\n'
    policy = parse(text.encode())
    top, outer, inner = (policy_of_package(package, policy).tests for package in policy.project)
    assert (top.args, top.folders) == (("-x", "-s", "--rootdir=.", "--ignore=a", "--ignore=a/b"), (".",))
    assert (outer.args, outer.folders) == (("-x", "--rootdir=.", "--ignore=b"), ("a",))
    assert (inner.args, inner.folders) == (("-x", "--rootdir=."), ("a/b",))
    assert policy.digest == parse(text.encode()).digest != Config().digest


def test_init_writes_a_table_for_each_package(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {
            "libs/core/pyproject.toml": "",
            "libs/core/tests/test_core.py": "",
            "s/api/setup.py": "",
            "s/api/api/test_api.py": "",
            "s/none/pyproject.toml": "",
            "s/api/tests/sample/pyproject.toml": "",
            "s/api/tests/sample/test_sample.py": "",
            "tests/test_all.py": "",
        }
    )
    detected = detect(repo.git)
    assert detected.packages == ("libs/core", "s/api", ".")
    policy = parse(render(detected, repo.git).encode())
    assert [package.folder for package in policy.project] == ["libs/core", "s/api", "."]
    alone = make_repo({"pyproject.toml": "", "libs/core/pyproject.toml": "", "libs/core/tests/test_core.py": ""})
    assert detect(alone.git).packages == ()


TESTS = "def test_a():\n    pass\n"


@pytest.mark.parametrize(
    ("files", "folders"),
    [
        ({"pkg/tests.py": TESTS, "pkg/testing.py": "", "setup.cfg": ""}, ("pkg/tests.py",)),
        ({"tests/test.py": TESTS, "tests/data.json": ""}, ("tests/test.py",)),
        ({"tests.py": TESTS, "setup.cfg": "[tool:pytest]\npython_files = tests.py\n"}, ()),
        ({"tests/test.py": TESTS, "tests/test_b.py": TESTS}, ("tests",)),
    ],
)
def test_init_names_test_files_that_pytest_does_not_find(
    make_repo: MakeRepo, files: dict[str, str | bytes], folders: tuple[str, ...]
) -> None:
    assert detect(make_repo(files).git).folders == folders
