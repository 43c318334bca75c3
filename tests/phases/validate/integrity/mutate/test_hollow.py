"""Hollow functions answer a fixed value, and the text of their file stays."""

from typing import Any

import pytest

from whet.phases.validate.integrity.mutate.hollow import VALUES, hollow_out

OLD = "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n"


def run(text: str | None) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text or "", names)
    return names


@pytest.mark.parametrize(("value", "answer"), list(zip(VALUES, (None, ...), strict=True)))
def test_a_changed_function_answers_the_value_and_others_work(value: str, answer: object) -> None:
    names = run(hollow_out(OLD, OLD.replace("x):\n    return x\n\n\n", "x):\n    return x + 1\n\n\n"), value))
    assert names["f"](1) is answer
    assert names["g"](1) == 1


NEW = {
    "a docstring": 'def f(x):\n    """Say x."""\n    return x + 1\n',
    "a long head": "def f(\n    x=(1,\n       2),\n) -> int:\n    return x + 1\n",
    "one line": "def f(x): return x + 1\n",
    "a new function": "def f(x):\n    # twice\n    return x + 1\n",
    "a decorator": "def same(f):\n    return f\n\n\n@same\ndef f(x):\n    return x + 1\n",
    "tabs": "def f(x):\n\treturn x + 1\n",
}


@pytest.mark.parametrize("new", NEW.values(), ids=NEW.keys())
def test_every_form_of_a_function_is_hollowed(new: str) -> None:
    assert run(hollow_out("def same(f):\n    return f\n", new, "None"))["f"](1) is None


def test_the_text_stays_so_that_a_test_that_reads_it_notices_nothing() -> None:
    new = OLD.replace("def g(x):\n    return x", "def g(x):\n    return x / 100  # per cent")
    assert "return x / 100  # per cent" in (hollow_out(OLD, new, "None") or "")


def test_nothing_is_hollowed_if_no_function_changed() -> None:
    assert hollow_out(OLD, OLD + "RATE = 2\n", "None") is None
    assert hollow_out(OLD, "def f(:\n", "None") is None
