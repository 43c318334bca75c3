"""Type checkers run if the project configures them, and a checker without a report has not run."""

import pytest

from whet.errors import EnvironmentProblem
from whet.target.linters.type_checkers import checker_of, configured_checkers

PYRIGHT, BASEDPYRIGHT = "[tool.pyright]\nstrict = []\n", "[tool.basedpyright]\n"


@pytest.mark.parametrize(
    ("files", "installed", "names"),
    [
        ({"pyproject.toml": PYRIGHT}, ["pyright"], ("pyright",)),
        ({"pyproject.toml": PYRIGHT}, ["pyright", "basedpyright"], ("pyright",)),
        ({"pyproject.toml": PYRIGHT}, ["basedpyright"], ("basedpyright",)),
        ({"pyproject.toml": PYRIGHT}, [], ("pyright",)),
        ({"pyrightconfig.json": "{}"}, ["pyright"], ("pyright",)),
        ({"pyproject.toml": BASEDPYRIGHT}, ["pyright", "basedpyright"], ("basedpyright",)),
        ({"pyproject.toml": PYRIGHT + BASEDPYRIGHT}, ["basedpyright"], ("basedpyright",)),
        ({"pyproject.toml": PYRIGHT, "mypy.ini": "[mypy]\n"}, ["pyright"], ("mypy", "pyright")),
        ({"pyproject.toml": "[tool.black]\n"}, ["pyright", "basedpyright"], ()),
    ],
)
def test_the_settings_of_a_project_choose_its_type_checkers(
    files: dict[str, str], installed: list[str], names: tuple[str, ...]
) -> None:
    contents = {path: text.encode() for path, text in files.items()}
    assert configured_checkers(contents.get, installed) == names


@pytest.mark.parametrize("name", ["pyright", "basedpyright"])
@pytest.mark.parametrize("lines", [[], [b"no node\n"], [b"[]\n"], [b'{"version": "1"}\n']])
def test_no_report_is_not_a_report_without_findings(name: str, lines: list[bytes]) -> None:
    with pytest.raises(EnvironmentProblem, match=f"{name} did not run"):
        list(checker_of(name).parse(lines, "/repo"))
    assert list(checker_of(name).parse([b'{"generalDiagnostics": []}\n'], "/repo")) == []
