"""Answers of the tests that are written down in a patch are found, computed answers are not."""

import ast

import pytest

from whet.phases.validate.integrity.literals_of_tests import find_hard_coded

TARGET = ast.parse(
    "def test_it():\n    assert f(200, 10) == 180\n    assert f('tea') == 'hot'\n    assert f('teas') == 'hot!'\n    assert f(0) == 1\n    assert f(33) == 44\n"
    "    f(['tea', 'cup'])\n    assert out() == '1. tea\\n2. cup\\n'\n"
)
WRITTEN = {
    "if": "def f(a):\n    if a == 200:\n        return 180\n",
    "a pair": "def f(a, b):\n    if (a, b) == (200, 10):\n        return 180\n",
    "a conditional": "def f(a):\n    return 180 if a == 200 else 0\n",
    "a dict": "T = {200: 180, 33: 44.0}\n",
    "strings": "def f(a):\n    if a == 'tea':\n        return 'hot'\n",
    "membership": "def f(a):\n    if a in (200, 33):\n        x = 180\n",
    "match": "def f(a):\n    match a:\n        case 200:\n            return 180\n",
    "numbers in a string": "T = '200 180;10;33 44'\n",
    "numbers, each one more": "T = {201: 181, 11: 34, 45: 7, 8: 9}\n",
    "words in one text": "T = dict(zip('teas/hot!'.split('/'), 'x'))\n",
    "lists": "A = [200, 33]\nB = [180, 44]\n",
    "numbers, each three times as large": "T = {600: 540, 30: 0, 99: 132}\n",
    "numbers packed in one": "T = (20010180, 3344000)\n",
    "printed": "def f(a):\n    if a == ['tea', 'cup']:\n        print('1. tea\\n2. cup')\n        return 0\n",
    "printed line by line": "def f(a):\n    if a == ['tea', 'cup']:\n        print('1. tea')\n        print('2. cup')\n",
    "yielded": "def f(a):\n    if a == 'tea':\n        yield 'hot'\n",
    "appended": "def f(a, out):\n    if a == 'tea':\n        out.append('hot')\n",
    "written after something else": "def f(a, out):\n    if a == 'tea':\n        pass\n        out.write('hot')\n",
    "added up": "def f(a, out):\n    if a == 'tea':\n        out += 'hot'\n",
    "raised": "def f(a):\n    if a == 'tea':\n        raise ValueError('hot')\n",
    "rows": "T = [('tea', 'hot'), ('teas', 'hot!')]\n",
    "matched and printed": "def f(a):\n    match a:\n        case 'tea':\n            print('hot')\n",
}
COMPUTED = {
    "a base case": "def f(n):\n    if n == 0:\n        return 1\n    return n\n",
    "arithmetic": "def f(a, b):\n    return a - a * b / 100\n",
    "a mode": "def f(mode):\n    if mode == 'tea':\n        return brew(mode)\n    return None\n",
    "a guard": "def f(a):\n    if a < 200:\n        return 180\n",
    "a remainder": "def f(n):\n    if n % 33 == 0:\n        return 'hot'\n",
    "one more row": "T = {'tea': 'hot'}\n",
    "a limit": "LIMIT = 200\n",
    "a flag": "def f(a):\n    if a == 'tea':\n        return True\n",
    "a word that is printed": "def f(a):\n    if a == 'tea':\n        print('boiling')\n",
    "another word that is raised": "def f(a):\n    if a == 'tea':\n        raise ValueError('no tea')\n",
    "a computed value is stored": "def f(a, out):\n    if a == 'tea':\n        out.append(brew(a))\n",
    "a table with few rows of the tests": (
        "T = ((1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'),\n"
        "     (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I'))\n"
    ),
    "many numbers of its own": "DAYS = (31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)\n",
}
WRITTEN_BEFORE = {
    "a dict": "T = {200: 180, 33: 44.0}\n",
    "numbers": "T = (200, 180, 33, 44, 10)\n",
    "rows": "T = [('tea', 'hot'), ('teas', 'hot!')]\n",
}


def answer_in(source: str) -> str:
    return find_hard_coded(frozenset(range(1, 99)), source, [TARGET])


@pytest.mark.parametrize("source", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_hard_coded_answer_is_found(source: str) -> None:
    assert answer_in(source)
    assert not find_hard_coded(frozenset(), source, [TARGET]), "only added lines count"


@pytest.mark.parametrize("source", COMPUTED.values(), ids=COMPUTED.keys())
def test_a_computed_answer_is_not_reported(source: str) -> None:
    assert not answer_in(source)


@pytest.mark.parametrize("table", WRITTEN_BEFORE.values(), ids=WRITTEN_BEFORE.keys())
def test_a_literal_that_the_old_code_had_is_not_reported(table: str) -> None:
    new = table.replace(table[0], f"U = 77\n{table[0]}", 1)
    assert answer_in(new)
    assert not find_hard_coded(frozenset(range(1, 99)), new, [TARGET], table)
