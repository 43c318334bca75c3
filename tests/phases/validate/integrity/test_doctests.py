"""Ids of doctests, and doctests that a patch changes or removes."""

import pytest

from whet.domain.suite import SuiteReport
from whet.phases.validate.integrity.doctests import is_doctest, lost_example

REPORT = SuiteReport(
    tree="t",
    outcomes={},
    seconds=1.0,
    complete=True,
    doctests=frozenset(
        {"src/price.py::price.discount", "src/price.py::price", "src/shop/__init__.py::shop", "README.rst::README.rst"}
    ),
)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("src/price.py::price.discount", True),
        ("src/price.py::price", True),
        ("src/shop/__init__.py::shop", True),
        ("README.rst::README.rst", True),
        ("docs/notes.txt::line:3,column:1", True),
        ("notes.md::line:3,column:1", True),
        ("docs/notes.adoc::line:3,column:1", True),
        ("shop.test_price::test_discount", False),
        ("shop.PriceTest::testDiscount", False),
        ("tests/test_a.py::test_a", False),
        ("tests/test_a.py::test_b", False),
        ("tests/test_a.py::TestC::test_b[1.5]", False),
        ("tests/test_a.py::Outer.Inner::test_b", False),
        ("tests/test_a.py", False),
        ("tests/notes.txt", False),
    ],
)
def test_the_report_says_which_tests_of_python_files_are_doctests(test: str, expected: bool) -> None:
    assert is_doctest(test, REPORT) is expected


def test_a_changed_doctest_of_a_docstring_is_found() -> None:
    text = 'def f():\n    """\n    >>> f()\n    3\n    """\n'
    assert lost_example("a.py", text, text + "x = 1\n") == ""
    assert lost_example("a.py", text, text.replace("3\n", "3\n    >>> 1\n    1\n")) == ""
    for new in (text.replace("3", "4"), text.replace("f()\n    3", "f()  # doctest: +SKIP\n    3"), ""):
        assert lost_example("a.py", text, new) == "f()"


def test_a_changed_doctest_of_a_text_file_is_found() -> None:
    text = "# Units\n\n    >>> shown(2500)\n    '2.5 km'\n\nand so on\n"
    assert lost_example("README.md", text, text.replace("and so on", ">>> shown(1)\n'1 m'\n")) == ""
    assert lost_example("README.md", text, text.replace("Units", "Lengths")) == ""
    for new in (
        text.replace("2.5", "2"),
        text.replace("2500)", "2500)  # doctest: +SKIP"),
        text.replace(">>>", ">>"),
        "",
    ):
        assert lost_example("README.md", text, new) == "shown(2500)"
