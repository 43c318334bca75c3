"""Roles that manifests give to files: each row is a manifest, a file, and the role that it must have or must not have."""

from collections.abc import Collection, Mapping

import pytest

from whet.guard.declared.collect import declared_files, is_manifest
from whet.guard.declared.reference import Role

Files = Mapping[str, str]


def roles(files: Files) -> dict[str, list[Role]]:
    """Return the roles of the files of a small tree, by path."""

    def read(paths: Collection[str]) -> dict[str, str]:
        return {path: files[path] for path in paths}

    manifests = {path: text for path, text in files.items() if is_manifest(path)}
    declared = declared_files(manifests, files.keys(), read)
    return {path: [one.role for one in found] for path, found in declared.items()}


POETRY_SCRIPT = '[tool.poetry.scripts]\nx = { reference = "bin/x.py", type = "file" }\n'
HATCH_TARGET = '[tool.hatch.build.targets.wheel.hooks.custom]\npath = "tools/wheel.py"\n'
SETUP_ENTRY = "from setuptools import setup\nsetup(entry_points={'console_scripts': ['x = pkg.cli:main']})\n"
SETUP_INI = "from setuptools import setup\nsetup(entry_points='''\n[console_scripts]\nx = pkg.cli:main\n''')\n"
SETUP_PYTEST = "from setuptools import setup\nsetup(entry_points={'pytest11': ['x = pkg.plugin']})\n"
SETUP_EXEC = "from setuptools import setup\nexec(open('pkg/_version.py').read())\nsetup()\n"
SETUP_JOIN = "import os\nfrom setuptools import setup\nexec(open(os.path.join('pkg', 'about.py')).read())\nsetup()\n"
SETUP_PATH = "import sys\nsys.path.insert(0, 'tools')\nimport helper\nfrom setuptools import setup\nsetup()\n"

DECLARED: dict[str, tuple[str, str, str, Role]] = {
    "script": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main"\n', "pkg/cli.py", Role.ENTRY_POINT),
    "script in src": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main"\n', "src/pkg/cli.py", Role.ENTRY_POINT),
    "script of a package": ("pyproject.toml", '[project.scripts]\nx = "pkg:main"\n', "pkg/__init__.py", Role.ENTRY_POINT),
    "script elsewhere": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main"\n', "code/pkg/cli.py", Role.ENTRY_POINT),
    "module": ("pyproject.toml", '[project.scripts]\nx = "cli:main"\n', "cli.py", Role.ENTRY_POINT),
    "extras": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main [fast]"\n', "pkg/cli.py", Role.ENTRY_POINT),
    "gui script": ("pyproject.toml", '[project.gui-scripts]\nx = "pkg.gui:main"\n', "pkg/gui.py", Role.ENTRY_POINT),
    "entry point": ("pyproject.toml", '[project.entry-points.flask]\nx = "pkg.ext"\n', "pkg/ext.py", Role.ENTRY_POINT),
    "below": ("packages/a/pyproject.toml", '[project.scripts]\nx = "a:main"\n', "packages/a/src/a.py", Role.ENTRY_POINT),
    "Poetry script": ("pyproject.toml", '[tool.poetry.scripts]\nx = "pkg.cli:main"\n', "pkg/cli.py", Role.ENTRY_POINT),
    "Poetry file": ("pyproject.toml", POETRY_SCRIPT, "bin/x.py", Role.ENTRY_POINT),
    "Poetry plug-in": ("pyproject.toml", '[tool.poetry.plugins.a]\nx = "pkg.p:P"\n', "pkg/p.py", Role.ENTRY_POINT),
    "PDM script": ("pyproject.toml", '[tool.pdm.scripts]\nx = {call = "tools.x:main(1)"}\n', "tools/x.py", Role.ENTRY_POINT),
    "setup.cfg": ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n  x = pkg.cli:main\n", "pkg/cli.py", Role.ENTRY_POINT),
    "setup.py": ("setup.py", SETUP_ENTRY, "pkg/cli.py", Role.ENTRY_POINT),
    "setup.py with a text": ("setup.py", SETUP_INI, "pkg/cli.py", Role.ENTRY_POINT),
    "setup.cfg of pbr": ("setup.cfg", "[entry_points]\nconsole_scripts =\n  x = pkg.cli:main\n", "pkg/cli.py", Role.ENTRY_POINT),
    "script files in setup.cfg": ("setup.cfg", "[options]\nscripts =\n  bin/run\n", "bin/run", Role.ENTRY_POINT),
    "script files of pbr": ("setup.cfg", "[files]\nscripts =\n  bin/run\n", "bin/run", Role.ENTRY_POINT),
    "script files": ("pyproject.toml", '[tool.setuptools]\nscript-files = ["bin/run"]\n', "bin/run", Role.ENTRY_POINT),
    "script files in setup.py": ("setup.py", "from setuptools import setup\nsetup(scripts=['bin/run'])\n", "bin/run", Role.ENTRY_POINT),
    "filled-in name": ("setup.py", SETUP_ENTRY.replace("'x = ", "f'{name} = "), "pkg/cli.py", Role.ENTRY_POINT),
    "filled-in name, old form": ("setup.py", SETUP_ENTRY.replace("x = pkg.cli:main'", "%s = pkg.cli:main' % name"), "pkg/cli.py", Role.ENTRY_POINT),
    "moved package": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main"\n[tool.setuptools.package-dir]\npkg = "code"\n', "code/cli.py", Role.ENTRY_POINT),
    "moved package in setup.py": ("setup.py", SETUP_ENTRY.replace("entry_points", "package_dir={'pkg': 'code'}, entry_points"), "code/cli.py", Role.ENTRY_POINT),
    "moved package in setup.cfg": (
        "setup.cfg", "[options]\npackage_dir =\n  pkg = code\n[options.entry_points]\nconsole_scripts =\n  x = pkg.cli:main\n",
        "code/cli.py", Role.ENTRY_POINT,
    ),
    "byte order mark": ("pyproject.toml", '\ufeff[project.scripts]\nx = "pkg.cli:main"\n', "pkg/cli.py", Role.ENTRY_POINT),
    "poe task": ("pyproject.toml", '[tool.poe.tasks]\nx = {script = "tools.x:main"}\n', "tools/x.py", Role.ENTRY_POINT),
    "pytest11": ("pyproject.toml", '[project.entry-points.pytest11]\nx = "pkg.plugin"\n', "pkg/plugin.py", Role.TEST_PLUGIN),
    "pytest11 in setup.cfg": ("setup.cfg", "[options.entry_points]\npytest11 =\n  x = pkg.p\n", "pkg/p.py", Role.TEST_PLUGIN),
    "pytest11 in setup.py": ("setup.py", SETUP_PYTEST, "pkg/plugin.py", Role.TEST_PLUGIN),
    "-p": ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-q -p pkg.p"\n', "pkg/p.py", Role.TEST_PLUGIN),
    "-p in a list": ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = ["-p", "pkg.p"]\n', "pkg/p.py", Role.TEST_PLUGIN),
    "-p in pytest.ini": ("pytest.ini", "[pytest]\naddopts = -ppkg.p\n", "pkg/p.py", Role.TEST_PLUGIN),
    "pytest_plugins": ("conftest.py", "pytest_plugins = ['pkg.testing.fixtures']\n", "pkg/testing/fixtures.py", Role.TEST_PLUGIN),
    "pytest_plugins added": ("tests/conftest.py", "pytest_plugins = []\npytest_plugins += ['pkg.p']\n", "src/pkg/p.py", Role.TEST_PLUGIN),
    "backend-path": (
        "pyproject.toml",
        '[build-system]\nbuild-backend = "backend"\nbackend-path = ["_build"]\n',
        "_build/backend.py",
        Role.BUILD_HOOK,
    ),
    "help of a backend": (
        "pyproject.toml",
        '[build-system]\nbuild-backend = "backend"\nbackend-path = ["_build"]\n',
        "_build/deep/help.py",
        Role.BUILD_HOOK,
    ),
    "backend at the top": (
        "pyproject.toml",
        '[build-system]\nbuild-backend = "pkg.build"\nbackend-path = ["."]\n',
        "pkg/build.py",
        Role.BUILD_HOOK,
    ),
    "Hatch hook": ("pyproject.toml", '[tool.hatch.build.hooks.custom]\npath = "tools/h.py"\n', "tools/h.py", Role.BUILD_HOOK),
    "Hatch hook by default": ("pyproject.toml", "[tool.hatch.build.hooks.custom]\n", "hatch_build.py", Role.BUILD_HOOK),
    "Hatch hook of a target": ("pyproject.toml", HATCH_TARGET, "tools/wheel.py", Role.BUILD_HOOK),
    "Hatch metadata hook": ("pyproject.toml", '[tool.hatch.metadata.hooks.custom]\npath = "m.py"\n', "m.py", Role.BUILD_HOOK),
    "Hatch builder": ("pyproject.toml", '[tool.hatch.build.targets.custom]\npath = "b.py"\n', "b.py", Role.BUILD_HOOK),
    "hatch.toml": ("hatch.toml", '[build.hooks.custom]\npath = "tools/h.py"\n', "tools/h.py", Role.BUILD_HOOK),
    "Hatch version": ("pyproject.toml", '[tool.hatch.version]\nsource = "code"\npath = "pkg/v.py"\n', "pkg/v.py", Role.BUILD_IMPORT),
    "PDM hook": ("pyproject.toml", '[tool.pdm.build]\ncustom-hook = "tools/p.py"\n', "tools/p.py", Role.BUILD_HOOK),
    "Poetry build script": ("pyproject.toml", '[tool.poetry.build]\nscript = "tools/b.py"\n', "tools/b.py", Role.BUILD_HOOK),
    "Poetry build script, old form": ("pyproject.toml", '[tool.poetry]\nbuild = "tools/b.py"\n', "tools/b.py", Role.BUILD_HOOK),
    "setuptools command": ("pyproject.toml", '[tool.setuptools.cmdclass]\nbuild_py = "cmds.Build"\n', "cmds.py", Role.BUILD_HOOK),
    "command in setup.cfg": ("setup.cfg", "[options]\ncmdclass =\n  build_py = tools.cmds.Build\n", "tools/cmds.py", Role.BUILD_HOOK),
    "helper of setup.py": ("setup.py", "import setup_helper\nfrom setuptools import setup\nsetup()\n", "setup_helper.py", Role.BUILD_HOOK),
    "helper on sys.path": ("setup.py", SETUP_PATH, "tools/helper.py", Role.BUILD_HOOK),
    "helper package": ("setup.py", "from build_tools.x import y\nfrom setuptools import setup\nsetup()\n", "build_tools/x.py", Role.BUILD_IMPORT),
    "version of the package": ("setup.py", "from pkg import v\nfrom setuptools import setup\nsetup()\n", "pkg/__init__.py", Role.BUILD_IMPORT),
    "the module itself": ("setup.py", "import six\nfrom setuptools import setup\nsetup(py_modules=['six'])\n", "six.py", Role.BUILD_IMPORT),
    "a file that setup.py runs": ("setup.py", SETUP_EXEC, "pkg/_version.py", Role.BUILD_IMPORT),
    "a joined path": ("setup.py", SETUP_JOIN, "pkg/about.py", Role.BUILD_IMPORT),
    "cffi": ("setup.py", "from setuptools import setup\nsetup(cffi_modules=['pkg/b.py:ffi'])\n", "pkg/b.py", Role.BUILD_HOOK),
    "mypy plug-in": ("mypy.ini", "[mypy]\nplugins = pydantic.mypy, tools/plug.py\n", "tools/plug.py", Role.TOOL_PLUGIN),
    "mypy plug-in in pyproject": ("pyproject.toml", '[tool.mypy]\nplugins = ["pkg.plug"]\n', "pkg/plug.py", Role.TOOL_PLUGIN),
    "pylint plug-in": (".pylintrc", "[MASTER]\nload-plugins=pkg.lint,\n", "pkg/lint.py", Role.TOOL_PLUGIN),
    "pylint in pyproject": ("pyproject.toml", '[tool.pylint.main]\nload-plugins = ["pkg.lint"]\n', "pkg/lint.py", Role.TOOL_PLUGIN),
    "coverage plug-in": (".coveragerc", "[run]\nplugins = pkg.cov\n", "pkg/cov.py", Role.TOOL_PLUGIN),
    "flake8 plug-in": (".flake8", "[flake8:local-plugins]\nextension =\n  X = tools.flake:Check\n", "tools/flake.py", Role.TOOL_PLUGIN),
    "pytest.toml": ("pytest.toml", '[pytest]\naddopts = ["-p", "pkg.p"]\n', "pkg/p.py", Role.TEST_PLUGIN),
    "pylintrc.toml": ("pylintrc.toml", '[tool.pylint.main]\nload-plugins = ["pkg.lint"]\n', "pkg/lint.py", Role.TOOL_PLUGIN),
    "task in pyproject": ("pyproject.toml", '[tool.poe.tasks]\nx = "python tools/gen.py"\n', "tools/gen.py", Role.SCRIPT),
    "list in tox.toml": ("tox.toml", 'commands = [["python", "tools/gen.py"]]\n', "tools/gen.py", Role.SCRIPT),
    "MkDocs hook": ("mkdocs.yml", "site_name: a\nhooks:\n  - docs/hooks.py\nnav: []\n", "docs/hooks.py", Role.TOOL_PLUGIN),
    "workflow": (".github/workflows/ci.yml", "    - run: python scripts/release.py --all\n", "scripts/release.py", Role.SCRIPT),
    "git hook": (".pre-commit-config.yaml", "    entry: python tools/check.py\n", "tools/check.py", Role.SCRIPT),
    "git hook by file": (".pre-commit-config.yaml", "    entry: ./tools/check.py\n", "tools/check.py", Role.SCRIPT),
    "Makefile": ("Makefile", "all:\n\tuv run tools/gen.py x\n", "tools/gen.py", Role.SCRIPT),
    "module in tox.ini": ("tox.ini", "[testenv]\ncommands = python -m tools.gen\n", "tools/gen.py", Role.SCRIPT),
}  # fmt: skip
NOT_DECLARED: dict[str, tuple[str, str, str]] = {
    "another module": ("pyproject.toml", '[project.scripts]\nx = "pkg.cli:main"\n', "pkg/core.py"),
    "the same name elsewhere": ("pyproject.toml", '[project.scripts]\nx = "cli:main"\n', "pkg/sub/cli.py"),
    "a neighbour": ("packages/a/pyproject.toml", '[project.scripts]\nx = "a.cli:main"\n', "packages/b/a/cli.py"),
    "broken TOML": ("pyproject.toml", "[project.scripts\n", "pkg/cli.py"),
    "broken INI": ("setup.cfg", "x = [\n", "pkg/cli.py"),
    "broken Python": ("setup.py", "def\n", "pkg/cli.py"),
    "a module called setup": ("pkg/setup.py", "from pkg.config import x\n", "pkg/config.py"),
    "a standard library module": ("setup.py", "import re\nfrom setuptools import setup\nsetup()\n", "pkg/re.py"),
    "switched off": ("pytest.ini", "[pytest]\naddopts = -p no:pkg.p\n", "pkg/no:pkg/p.py"),
    "a shell command": ("pyproject.toml", '[tool.pdm.scripts]\nx = "pytest -q: a"\n', "pytest -q.py"),
    "a page of MkDocs": ("mkdocs.yml", "nav:\n  - docs/hooks.py\n", "docs/hooks.py"),
    "a linted file": ("Makefile", "lint:\n\truff check pkg/core.py\n", "pkg/core.py"),
    "an owned file": (".github/CODEOWNERS", "pkg/core.py @a\n", "pkg/core.py"),
    "the dynamic version": ("pyproject.toml", '[tool.hatch.version]\npath = "pkg/v.py"\n', "pkg/v.py"),
}


@pytest.mark.parametrize(("manifest", "text", "path", "role"), DECLARED.values(), ids=DECLARED)
def test_a_declared_file_has_its_role(manifest: str, text: str, path: str, role: Role) -> None:
    assert role in roles({manifest: text, path: ""})[path]


@pytest.mark.parametrize(("manifest", "text", "path"), NOT_DECLARED.values(), ids=NOT_DECLARED)
def test_another_file_has_no_role(manifest: str, text: str, path: str) -> None:
    assert path not in roles({manifest: text, path: ""})


def test_a_re_exported_entry_point_is_followed_to_its_definition() -> None:
    files = {
        "pyproject.toml": '[project.scripts]\nx = "pkg.cli:main"\n',
        "src/pkg/cli/__init__.py": "from pkg.cli.app import run as main\n",
        "src/pkg/cli/app.py": "from ._impl import run\n",
        "src/pkg/cli/_impl.py": "def run(): ...\n",
        "src/pkg/other.py": "",
    }
    found = roles(files)
    assert {path for path in files if path in found} == {path for path in files if "/cli/" in path}


def test_entry_points_that_import_each_other_end() -> None:
    files = {
        "pyproject.toml": '[project.scripts]\nx = "a.b:main"\n',
        "a/b.py": "from a.c import main\n",
        "a/c.py": "from a.b import main\n",
    }
    assert {"a/b.py", "a/c.py"} <= roles(files).keys()


def test_a_module_that_setup_cfg_ships_is_no_build_hook() -> None:
    script = "import one\nfrom setuptools import setup\nsetup()\n"
    assert Role.BUILD_HOOK in roles({"setup.py": script, "one.py": ""})["one.py"]
    shipped = roles({"setup.py": script, "setup.cfg": "[options]\npy_modules =\n    one\n", "one.py": ""})
    assert shipped["one.py"] == [Role.BUILD_IMPORT]


def test_a_file_that_does_not_exist_yet_has_its_role() -> None:
    found = roles({"pyproject.toml": '[tool.mypy]\nplugins = ["late"]\n'})
    assert found["late.py"] == [Role.TOOL_PLUGIN]


@pytest.mark.parametrize(
    "manifest",
    [
        {"setup.cfg": "[options]\nentry_points = file: commands.txt\n"},
        {"pyproject.toml": '[tool.setuptools.dynamic]\nentry-points = {file = ["commands.txt"]}\n'},
    ],
)
def test_entry_points_in_a_file_of_their_own_are_found(manifest: Files) -> None:
    files = {**manifest, "commands.txt": "[console_scripts]\nx = pkg.cli:main\n", "pkg/cli.py": ""}
    found = roles(files)
    assert found["pkg/cli.py"] == [Role.ENTRY_POINT]
    assert found["commands.txt"] == [Role.ENTRY_POINT]


@pytest.mark.parametrize(("metadata", "module"), [
    ("shop.egg-info", "pkg/cli.py"),
    ("shop.egg-info", "src/pkg/cli.py"),
    ("src/shop.egg-info", "src/pkg/cli.py"),
    ("vendor/shop-1.0.dist-info", "vendor/pkg/cli.py"),
])  # fmt: skip
def test_entry_points_of_tracked_metadata_are_found(metadata: str, module: str) -> None:
    entries = f"{metadata}/entry_points.txt"
    found = roles({entries: "[console_scripts]\nx = pkg.cli:main\n", module: ""})
    assert found[module] == [Role.ENTRY_POINT]
    assert found[entries] == [Role.ENTRY_POINT]


@pytest.mark.parametrize("path", ["docs/entry_points.txt", "shop.egg-info/top_level.txt", "shop/entry_points.txt"])
def test_other_files_of_that_name_declare_nothing(path: str) -> None:
    assert "pkg/cli.py" not in roles({path: "[console_scripts]\nx = pkg.cli:main\n", "pkg/cli.py": ""})
