"""A person's decision as a test file, and the answers that are taken."""

import ast
from typing import Any

import pytest

from whet.cases.from_ruling import read_answer, ruling_as_test
from whet.domain.approval import Ruling, Vote, Voter
from whet.domain.clock import now
from whet.domain.proof import Assurance, OsProof
from whet.errors import UsageError

SOURCE = "from errors import NoName\n\n\nclass Odd(Exception):\n    pass\n\n\ndef key(record):\n    return record\n"


def ruling(answer: str, **fields: Any) -> Ruling:
    vote = Vote(statement="", proof=OsProof(uid=1, user="ann"), via="cli", at=now())
    values: dict[str, Any] = {
        "undecided": "q-1a2b3c4d", "call": "key({'name': None})", "function": "key", "path": "src/pkg/customers.py",
        "answer": answer, "vote": vote, "voter": Voter(who="ann", assurance=Assurance.OS),
    }  # fmt: skip
    return Ruling(**{**values, **fields})


def text_of(answer: str, **fields: Any) -> str:
    return ruling_as_test(ruling(answer, **fields), SOURCE, ["tests/test_a.py"], lambda _: True).text


def test_a_returned_value_becomes_an_assertion() -> None:
    test = ruling_as_test(ruling("''"), SOURCE, ["tests/test_a.py"], lambda _: True)
    assert test.path == "tests/test_whet_1a2b3c4d.py"
    assert test.red == ("tests/test_whet_1a2b3c4d.py::test_key_decided_1a2b3c4d",)
    assert (
        test.text
        == '''"""Decided by ann, because the tests left it open."""

from pkg.customers import key


def test_key_decided_1a2b3c4d():
    assert key({'name': None}) == ''
'''
    )


@pytest.mark.parametrize("answer", ["None", "True", "False"])
def test_a_singleton_is_compared_by_identity(answer: str) -> None:
    assert f"assert key({{'name': None}}) is {answer}\n" in text_of(answer)


@pytest.mark.parametrize("error", ["ValueError", "Odd", "NoName"])
def test_an_exception_becomes_a_raises_block(error: str) -> None:
    text = text_of(f"raise {error}")
    assert f"    with pytest.raises({error}):\n        key({{'name': None}})\n" in text
    assert ("import Odd, key" in text) is (error == "Odd")
    ast.parse(text)


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("''", "self.assertEqual(key({'name': None}), '')"),
        ("None", "self.assertIs(key({'name': None}), None)"),
        ("raise Odd", "with self.assertRaises(Odd):\n            key({'name': None})"),
    ],
)
def test_for_unittest_the_test_is_a_method(answer: str, line: str) -> None:
    test = ruling_as_test(ruling(answer), SOURCE, ["tests/test_a.py"], lambda _: True, "unittest")
    assert test.red == ("tests/test_whet_1a2b3c4d.py::Decided::test_key_decided_1a2b3c4d",)
    assert f"import unittest\n\nfrom pkg.customers import {'Odd, ' if 'Odd' in answer else ''}key\n" in test.text
    assert line in test.text


def test_the_name_of_the_person_cannot_end_the_docstring() -> None:
    text = text_of("1", voter=Voter(who='a"""\nimport os\\', assurance=Assurance.OS))
    assert [type(node) for node in ast.parse(text).body] == [ast.Expr, ast.ImportFrom, ast.FunctionDef]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("''", "''"),
        (' "a" ', "'a'"),
        ("None", "None"),
        ("[1, (2,), {'a': -1.5}]", "[1, (2,), {'a': -1.5}]"),
        ("b'x'", "b'x'"),
        ("raise ValueError", "raise ValueError"),
        ("raise   KeyError", "raise KeyError"),
        ("raise Odd", "raise Odd"),
        ("raise NoName", "raise NoName"),
    ],
)
def test_a_literal_or_a_known_exception_is_taken(text: str, expected: str) -> None:
    assert read_answer(text, SOURCE) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "name", "f(1)", "1 + x", "__import__('os').system('true')", "lambda: 1", "[x for x in 'ab']", "raise", "raise 1",
        "raise Unknown", "raise ValueError()", "raise ValueError; import os", "raise KeyboardInterrupt", "raise print", "raise key", "1; 2",
        "'AKIAIOSFODNN7EXAMPLE'", "'" + "a" * 3000 + "'", "f'{1}'", "'\\ud800' + x",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        read_answer(text, SOURCE)
