"""Versions of a patch that forget what its functions remember between calls."""

import pytest

from whet.phases.validate.integrity.mutate.memory import forgetful
from whet.phases.validate.integrity.mutate.patch_mutant import FORGETFUL, REDUCED

BASE = """\
class Box:
    def __init__(self, size):
        self.size = size

    def area(self, factor=1):
        return self.size * factor


def double(number):
    return number + number
"""


def versions(*edits: tuple[str, str], base: str = BASE) -> dict[str, str]:
    """Return the versions of the patch that makes these edits, by their words."""
    new = base
    for old, text in edits:
        new = new.replace(old, text, 1)
    return {mutant.words: mutant.source for mutant in forgetful("box.py", base, new)}


def test_a_table_of_the_module_is_emptied_when_a_call_begins() -> None:
    [(words, source)] = versions(
        ("def double(number):\n", "_known = {}\n\n\ndef double(number):\n"),
        ("    return number + number", "    return _known.setdefault(number, 2 * number)"),
    ).items()
    assert words == "that `_known` is reset when a call begins"
    assert "    globals()['_known'] = {}\n    return _known.setdefault" in source


def test_a_table_of_a_class_is_emptied_when_a_call_begins() -> None:
    [source] = versions(
        ("class Box:\n", "class Box:\n    areas = {}\n\n"),
        (
            "        return self.size * factor",
            "        self.areas[factor] = self.size * factor\n        return self.areas[factor]",
        ),
    ).values()
    assert "        Box.areas = {}\n        self.areas[factor]" in source


def test_a_counter_of_an_object_begins_again() -> None:
    [source] = versions(
        ("        self.size = size\n", "        self.size = size\n        self.calls = 0\n"),
        ("        return self.size", "        self.calls += 1\n        return self.size"),
    ).values()
    assert "        self.calls = 0\n        self.calls += 1\n" in source


def test_an_attribute_without_a_first_value_is_removed() -> None:
    [source] = versions(
        (
            "        return self.size * factor",
            '        """The area."""\n        self.kept = factor\n        return self.kept',
        )
    ).values()
    assert '        """The area."""\n        vars(self).pop(\'kept\', None)\n        self.kept' in source


def test_a_cache_is_left_out() -> None:
    [(words, source)] = versions(("    def area", "    @functools.lru_cache(maxsize=None)\n    def area")).items()
    assert words == "`@lru_cache` left out"
    assert "@(lambda function: function)\n    def area" in source


def test_an_attribute_that_the_function_did_not_set_is_put_back() -> None:
    [(words, source)] = versions(
        ("        return self.size * factor", "        self.size = abs(self.size)\n        return self.size * factor")
    ).items()
    assert words == "that `self.size` is put back when `area` ends"
    assert source.count("self.size = _kept_value") == 1


@pytest.mark.parametrize(
    "edits",
    [
        [("def double(number):\n", "LARGEST = 9\n\n\ndef double(number):\n    number = min(number, LARGEST)\n")],
        [("self.size = size\n", "self.size = size\n        self.name = str(size)\n")],
        [("number + number", "2 * number")],
        [("def double", "def double(number): _known[0] = 1\n_known = {}\ndef triple")],
        [("def double", "@functools.lru_cache(maxsize=None)\ndef double")],
    ],
    ids=[
        "a constant",
        "set only at first",
        "no memory",
        "a body in the line of its def",
        "a cache of a plain function",
    ],
)
def test_these_have_no_memory_to_forget(edits: list[tuple[str, str]]) -> None:
    assert not versions(*edits)


def test_a_forgotten_memory_and_a_lasting_change_are_judged_differently() -> None:
    new = BASE.replace("return self.size * factor", "self.size += 0; self.calls = 1; return self.size * factor")
    assert sorted(mutant.kind for mutant in forgetful("box.py", BASE, new)) == sorted([FORGETFUL, REDUCED])
    assert not list(forgetful("box.py", BASE, "def broken("))
