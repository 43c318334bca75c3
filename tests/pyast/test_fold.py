"""Texts that can be known without running anything."""

import ast
from itertools import product

import pytest

from whet.pyast.fold import possible_texts, text_with_holes
from whet.pyast.resolve import NameResolver


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def texts(source: str) -> list[str]:
    tree = ast.parse(f"B = 'b'\nLOOP = LOOP\nx = {source}\n")
    last = tree.body[-1]
    assert isinstance(last, ast.Assign)
    return possible_texts(last.value, NameResolver(tree).values)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'a' + B", ["ab"]),
        ("f'{B}{B}'", ["bb"]),
        ("'%s-%d' % (B, 3)", ["b-3"]),
        ("'100%%' % ()", ["100%"]),
        ("'{1}{0}'.format(B, 'c')", ["cb"]),
        ("'{{{}}}'.format(B)", ["{b}"]),
        ("'-'.join([B, 'c'])", ["b-c"]),
        ("'dcba'[::-1]", ["abcd"]),
        ("'a b'.split()[1]", ["b"]),
        ("B.upper()", ["B"]),
        ("chr(97) + str(1)", ["a1"]),
        ("'%999999999d' % 3", []),
        ("'{:>999999999}'.format(3)", []),
        ("'a' * 999999999", []),
        ("UNKNOWN + 'a'", []),
        ("LOOP + 'a'", []),
        ("'a'[9]", []),
        ("'a'.split('')", []),
        ("'%s' % (1, 2)", []),
    ],
)
def test_texts_are_assembled_only_if_all_parts_are_written_down(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_a_format_that_would_fail_has_no_text() -> None:
    """Every short template, with too few, enough and too many arguments: none may raise."""
    for template in map("".join, product("{}0a", repeat=5)):
        for arguments in ("", "'x'", "'x', 'y'"):
            source = f"{template!r}.format({arguments})"
            for text in texts(source):
                assert text == eval(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'a' + NAME", "ab"),
        ("f'x{NAME}y'", "x?y"),
        ("b'a\\xff'", "a\ufffd"),
        ("-1", "-1"),
        ("None", "None"),
        ("'a' + f()", "a?"),
        ("UNKNOWN", "?"),
        ("'a' % NAME", "?"),
    ],
)
def test_unknown_parts_of_a_text_become_holes(source: str, expected: str) -> None:
    assert text_with_holes(expression(source), {"NAME": "b"}, "?") == expected
