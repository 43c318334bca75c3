"""Cases come from CSV or JSON, and a wrong row is named."""

import pytest

from whet.config import FormulaCase
from whet.knowledge.formulas.case_file import read_cases

FIRST = FormulaCase(inputs={"speed": 10, "area": 0.5, "shape": "ball", "wet": True}, expected=14.4, tolerance=0.1)
SECOND = FormulaCase(inputs={"speed": -2, "area": 1e-3, "shape": "disc", "wet": False}, expected=0)


def test_both_formats_give_the_same_cases() -> None:
    table = b"speed,area,shape,wet,expected,tolerance\n10,0.5,ball,true,14.4,0.1\n-2,1e-3,disc,False,0,\n"
    listed = b"[%s, %s]" % (FIRST.model_dump_json().encode(), SECOND.model_dump_json().encode())
    assert read_cases("a.csv", table) == read_cases("a.json", listed) == (FIRST, SECOND)
    assert read_cases("a.csv", b"\xef\xbb\xbf" + table) == (FIRST, SECOND)  # as a spreadsheet saves it


@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        ("a.csv", b"", "its first line must name the columns"),
        ("a.csv", b"speed,result\n1,2\n", "its first line must name the columns"),
        ("a.csv", b"speed,expected\n", "it has no cases"),
        ("a.csv", b"speed,expected\n1,2\n1\n", "case 2 has another number of columns"),
        ("a.csv", b"speed,expected\n1,2,3\n", "case 1 has another number of columns"),
        ("a.csv", b"speed,expected\n1,many\n", "case 1, expected"),
        ("a.csv", b"speed,expected\n1,nan\n", "case 1, expected"),
        ("a.csv", b"speed,expected,tolerance\n1,1,-1\n", "case 1, tolerance"),
        ("a.json", b"{}", "it is no JSON list of cases"),
        ("a.json", b"[[1]]", "case 1, its form"),
        ("a.json", b'[{"inputs": {"a": []}, "expected": 1}]', "case 1, inputs.a"),
        ("a.json", b"[" * 100_000, "it is no JSON list of cases"),
        ("a.csv", b"x" * 2_000_001, "larger than 2 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_row(path: str, content: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_cases(path, content)
    assert words in str(refused.value)
