import pytest

from whet.target.linters.ruff_settings import Read, ignored_rules, minimum_python, older_than_ruff_knows, target_version


def project(**files: str) -> Read:
    """Return the reader of a project; `setup_cfg` stands for setup.cfg."""
    contents = {name.replace("_", "."): text.encode() for name, text in files.items()}
    return contents.get


DECLARED = {
    ">=3.9": (3, 9),
    ">= 3.8.1, <4": (3, 8),
    "~=3.10": (3, 10),
    "==3.11.*": (3, 11),
    ">3.7,!=3.8.0": (3, 7),
    ">=3.8,>=3.9": (3, 9),
    ">=3": (3, 0),
    "<4": None,
    "<4.0.1": None,
    "": None,
}


@pytest.mark.parametrize("declaration", DECLARED)
def test_the_lower_bound_of_a_specifier_is_the_minimum(declaration: str) -> None:
    read = project(pyproject_toml=f'[project]\nrequires-python = "{declaration}"\n')
    assert minimum_python(read) == DECLARED[declaration]


@pytest.mark.parametrize(("declaration", "minimum"), [("^3.8", (3, 8)), ("~3.9", (3, 9)), ("^3.10 || ^3.8", (3, 8))])
def test_poetry_constraints_are_read(declaration: str, minimum: tuple[int, int]) -> None:
    assert minimum_python(project(pyproject_toml=f'[tool.poetry.dependencies]\npython = "{declaration}"\n')) == minimum


def test_pyproject_comes_before_setup_cfg_and_setup_py() -> None:
    read = project(
        pyproject_toml='[project]\nrequires-python = ">=3.11"\n',
        setup_cfg="[options]\npython_requires = >=3.8\n",
        setup_py="setup(python_requires='>=3.7')\n",
    )
    assert minimum_python(read) == (3, 11)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"pyproject_toml": "not = [toml"},
        {"setup_cfg": "no section"},
        {"setup_py": "def ("},
        {"setup_py": "setup(python_requires=oldest())"},
        {"setup_py": "setup(name='x')"},
    ],
)
def test_a_declaration_that_cannot_be_read_gives_no_minimum(files: dict[str, str]) -> None:
    assert minimum_python(project(**files)) is None


def test_classifiers_count_if_nothing_else_declares_a_version() -> None:
    classifiers = (
        "setup(classifiers=['Programming Language :: Python :: 3.6', 'Programming Language :: Python :: 2.7'])\n"
    )
    assert minimum_python(project(setup_py=classifiers)) == (2, 7)
    assert minimum_python(project(setup_py=classifiers, setup_cfg="[options]\npython_requires = >=3.8\n")) == (3, 8)


def test_the_target_version_is_left_to_ruff_if_its_own_is_not_newer_than_the_minimum() -> None:
    declared = '[project]\nrequires-python = ">=3.9"\n'
    assert target_version(project(pyproject_toml=declared)) == "py39"
    assert target_version(project(pyproject_toml=f'{declared}[tool.ruff]\ntarget-version = "py38"\n')) == ""
    assert target_version(project(pyproject_toml=f'{declared}[tool.ruff]\ntarget-version = "py312"\n')) == "py39"
    assert target_version(project()) == ""


@pytest.mark.parametrize(("declaration", "version"), [(">=3.5", "py37"), (">=3.40", "")])
def test_the_target_version_is_one_that_ruff_knows(declaration: str, version: str) -> None:
    assert target_version(project(setup_cfg=f"[options]\npython_requires = {declaration}\n")) == version


@pytest.mark.parametrize(("declaration", "older"), [(">=3.5", True), (">=3.6", True), (">=3.7", False)])
def test_a_python_below_the_oldest_target_version_is_noticed(declaration: str, older: bool) -> None:
    assert older_than_ruff_knows(project(setup_cfg=f"[options]\npython_requires = {declaration}\n")) is older


def test_ignored_rules_come_from_every_place_where_ruff_reads_them() -> None:
    settings = 'ignore = ["A"]\nextend-ignore = ["B"]\n[lint]\nignore = ["C"]\nextend-ignore = ["D"]\n'
    assert ignored_rules(project(ruff_toml=settings)) == {"A", "B", "C", "D"}


def test_a_ruff_file_replaces_the_settings_in_pyproject() -> None:
    read = project(ruff_toml='[lint]\nignore = ["A"]\n', pyproject_toml='[tool.ruff.lint]\nignore = ["B"]\n')
    assert ignored_rules(read) == {"A"}


def test_an_extended_file_gives_the_settings_that_the_first_does_not_have() -> None:
    files = {
        "ruff.toml": b'extend = "shared/ruff.toml"\n[lint]\nselect = ["E"]\n',
        "shared/ruff.toml": b'extend = "../pyproject.toml"\n[lint]\nselect = ["F"]\n',
        "pyproject.toml": b'[tool.ruff.lint]\nignore = ["B"]\n',
    }
    assert ignored_rules(files.get) == {"B"}
