import pytest

from whet.phases.propose.repair.shortcuts import shortcut

HELPER = "import re\n\n\ndef assert_matches(pattern, text):\n    if not re.search(pattern, text):\n        raise AssertionError\n"
FOUND = "import re\n\n\ndef has(pattern, text):\n    match = re.search(pattern, text)\n    return 'yes' if match else 'no'\n"
CONTAINS = "class Box:\n    def __contains__(self, item):\n        return item in self.items\n"
RESET = "class Box:\n    def clear(self):\n        self.drop()\n"
GUARD = "    def __contains__(self, item):\n        if item < 0:\n            return True\n"
SIZE = "def size(a):\n    return len(a)\n"

REFUSED = [
    (HELPER, HELPER.replace("search", "finditer"), "always true"),
    (FOUND, FOUND.replace("search", "finditer"), "always true"),
    (HELPER, HELPER.replace("not re", "re"), "changes what assert_matches() checks"),
    (RESET, RESET.replace("self.drop()", "self.__init__()"), "resets the object"),
    (CONTAINS, CONTAINS.replace("    def __contains__(self, item):\n", GUARD), "answers the case"),
    (SIZE, SIZE.replace("size(a)", "size(a, unit=None)"), "unit is accepted and ignored"),
]
ALLOWED = [
    (FOUND, FOUND.replace("search", "match")),
    (CONTAINS, CONTAINS.replace("item in", "item not in")),
    (RESET, RESET.replace("drop", "empty")),
    (CONTAINS, CONTAINS.replace("    def __contains__(self, item):\n", GUARD.replace("True", "item.ok"))),
    (
        "class A(B):\n    def __init__(self):\n        pass\n",
        "class A(B):\n    def __init__(self):\n        super().__init__()\n",
    ),
    (SIZE, SIZE.replace("size(a)", "size(a, unit=None)").replace("len(a)", "len(a) // (unit or 1)")),
    (SIZE, SIZE.replace("len(a)", "0")),
]


@pytest.mark.parametrize(("before", "after", "why"), REFUSED)
def test_a_patch_that_gets_past_the_test_is_doubted(before: str, after: str, why: str) -> None:
    assert why in shortcut(before, after, wrong_values=True)


@pytest.mark.parametrize(("before", "after"), ALLOWED)
def test_an_ordinary_patch_is_not_doubted(before: str, after: str) -> None:
    assert shortcut(before, after, wrong_values=True) == ""


def test_a_guard_against_an_exception_may_return_a_constant() -> None:
    before = "def half(n):\n    return 1 / n\n"
    after = "def half(n):\n    if n == 0:\n        return 0\n    return 1 / n\n"
    assert shortcut(before, after, wrong_values=True)
    assert shortcut(before, after, wrong_values=False) == ""
