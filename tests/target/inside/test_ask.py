"""The values that ask.py writes: plain data as literals, and classes by the module that holds them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from whet.phases.validate.integrity.oracle.replies import ClassRef, Replies, read_replies
from whet.target.scripts import INSIDE

CODE = """
import abc, collections, dataclasses, datetime, decimal, enum, fractions, itertools, sys

class Liar(metaclass=abc.ABCMeta):
    __module__ = "builtins"
    __qualname__ = "int"
    def __eq__(self, other): return True
    def __repr__(self): return "5"

class Any_type(type):
    def __eq__(cls, other): return True
    __hash__ = type.__hash__

class Posing(metaclass=Any_type):
    def __repr__(self): return "5"

class Loud(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__

class Shade(str, enum.Enum):
    RED = "red"

Pair = collections.namedtuple("Pair", "a b")
nested = [1, (Liar(), 2)]
caller = lambda: sys._getframe(1).f_code.co_filename + sys._getframe(1).f_globals["__name__"]
terminal = lambda: sys.stdout.isatty()
"""


def answers_to(folder: Path, *questions: str, elsewhere: bool = False) -> Replies:
    (folder / "acme.py").write_text(CODE)
    body = "".join(f"    yield ({str(number)!r}, {question})\n" for number, question in enumerate(questions))
    modules = [{"imports": "import acme", "cases": [f"def case():\n{body}"]}]
    reader, writer = os.pipe()
    subprocess.run(
        [sys.executable, INSIDE / "ask.py", str(writer)],
        input=json.dumps({"path": [""], "modules": modules, "elsewhere": elsewhere}).encode(),
        cwd=folder, pass_fds=[writer], check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    with os.fdopen(reader) as lines:
        answers = read_replies([json.loads(line) for line in lines], ["tests/test_it.py"])
    assert answers is not None
    return answers


PLAIN: dict[str, Any] = {
    "5": 5,
    "[1, (2,), (), {3: {4}}, set()]": [1, (2,), (), {3: {4}}, set()],
    "float('-inf')": float("-inf"),
    "frozenset([1])": {1},
    "{1: 2}.keys()": {1},
    "bytearray(b'a')": b"a",
    "acme.Loud('x')": "x",
    "acme.Shade.RED": "red",
    "acme.Pair(1, 2)": (1, 2),
    "acme.collections.OrderedDict(a=1)": {"a": 1},
    "acme.decimal.Decimal('1.50')": 1.5,
    "acme.fractions.Fraction(1, 2)": 0.5,
    "True": True,
}


def test_plain_data_is_written_as_a_literal(tmp_path: Path) -> None:
    values = answers_to(tmp_path, *PLAIN).values
    for number, (question, expected) in enumerate(PLAIN.items()):
        assert values[str(number)].value == expected, question


OPAQUE = {
    "acme.Liar()": ("", "int"),  # no module holds it under that name
    "acme.Posing()": ("acme.py", "Posing"),
    "acme.nested": ("", "int"),
    "type('Made', (), {'__module__': 'decimal'})()": ("", "Made"),
    "acme.itertools.count()": ("library", "itertools.count"),
    "acme.itertools.count(), True": ("library", "itertools.count"),
    "float('nan')": ("library", "builtins.float"),
}


def test_a_class_is_identified_by_its_module_not_by_its_own_attributes(tmp_path: Path) -> None:
    values = answers_to(tmp_path, *OPAQUE).values
    for number, (question, (place, name)) in enumerate(OPAQUE.items()):
        assert values[str(number)].opaque, question
        assert values[str(number)].class_ref == ClassRef(place, name), question


def test_an_iterator_that_ends_is_written_as_its_items(tmp_path: Path) -> None:
    assert answers_to(tmp_path, "(one for one in [1, 2]), True").values["0"].value == [1, 2]


def test_the_call_stack_does_not_mention_a_test(tmp_path: Path) -> None:
    assert "test" not in str(answers_to(tmp_path, "acme.caller()").values["0"].text)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_only_elsewhere_is_the_output_a_terminal(tmp_path: Path, *, elsewhere: bool) -> None:
    assert answers_to(tmp_path, "acme.terminal()", elsewhere=elsewhere).values["0"].value is elsewhere


def test_an_array_is_plain_data_and_an_empty_one_equals_nothing(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    questions = (
        "__import__('numpy').array([1.0, 2.0])",
        "__import__('numpy').zeros((0, 1))",
        "__import__('numpy').int64(3)",
    )
    values = answers_to(tmp_path, *questions).values
    assert values["0"].equals([1, 2], near=False)
    assert not values["1"].equals(2.0, near=True)
    assert values["1"].is_empty
    assert values["2"].value == 3
