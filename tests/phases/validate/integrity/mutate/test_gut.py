"""Gutted functions raise at once, and nothing else of the patch changes."""

import re
from typing import Any

import pytest

from whet.phases.validate.integrity.mutate.gut import ended_by_gutting, gut_changed_functions

OLD = "LIMIT = 3\n\ndef f(x):\n    return x\n\nclass A:\n    size = 1\n    def g(self):\n        return 1\n\ndef h():\n    return f(1)\n"


def values(source: str | None) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(source or "", names)
    return names


def test_only_changed_functions_are_gut_changed_functions() -> None:
    names = values(gut_changed_functions(OLD, OLD.replace("return x", "return x + 1")))
    with pytest.raises(BaseException, match=r"^$"):
        names["f"](1)
    assert names["A"]().g() == 1


def test_a_gutted_function_keeps_its_doctests() -> None:
    new = 'def f(x):\n    """Twice.\n\n    >>> f(2)\n    4\n    """\n    return x * 2\n'
    text = gut_changed_functions(new.replace("* 2", "* 3"), new)
    assert text is not None
    assert ">>> f(2)" in text
    assert "return" not in text


def test_a_run_that_a_gutted_function_ended_is_recognised() -> None:
    text = gut_changed_functions(OLD, OLD.replace("return x", "return x + 1"))
    assert text is not None
    (name,) = set(re.findall(r"Gutted\w+", text))
    assert ended_by_gutting(f"ended before its end line: mod.{name}", [text])
    assert not ended_by_gutting("ended before its end line: mod.Gutted01234567", [text])
    assert not ended_by_gutting("ended before its end line", [text])


def test_a_gutted_function_raises_an_exception_that_no_test_expects() -> None:
    names = values(gut_changed_functions(OLD, OLD.replace("return x", "return x + 1")))
    try:
        names["f"](1)
    except Exception:  # noqa: BLE001
        pytest.fail("it can be caught")
    except BaseException as problem:  # noqa: BLE001
        assert type(problem).__bases__ == (BaseException,)


def test_constants_are_restored_and_other_code_stays() -> None:
    new = (
        OLD.replace("LIMIT = 3", "LIMIT = 4\nSIDE = [].append(1)")
        .replace("size = 1", "size = 2")
        .replace("return x", "return -x")
    )
    names = values(gut_changed_functions(OLD, new))
    assert (names["LIMIT"], names["A"].size, "SIDE" in names) == (3, 1, True)


@pytest.mark.parametrize("new", [OLD, OLD + "# more\n", OLD.replace("LIMIT = 3", "LIMIT = 4"), "def f(:"])
def test_a_patch_without_a_changed_function_is_not_gutted(new: str) -> None:
    assert gut_changed_functions(OLD, new) is None


def test_a_field_of_a_dataclass_gets_its_old_options_back() -> None:
    old = "from dataclasses import dataclass, field\n@dataclass(order=True)\nclass A:\n    x: dict = field(default_factory=dict)\ndef f():\n    return 1\n"
    new = old.replace("=dict)", "=dict, compare=False)").replace("return 1", "return 2")
    assert "compare" not in (gut_changed_functions(old, new) or "compare")
