"""Each rewrite gives the same answers, and leaves code alone that it would change."""

import ast
from typing import Any

import pytest

from whet.phases.propose.speed.rewrites import faster_versions

REWRITES = {
    "a set of ys": "def f(xs, ys):\n    return [x for x in xs if x in ys]\n",
    "a set for seen": "def f(xs, ys):\n    seen = []\n    out = 0\n    for x in xs:\n        if x not in seen:\n            seen.append(x)\n            out += x\n    return out\n",
    "max(ys) before the loop": "def f(xs, ys):\n    total = 0\n    for x in xs:\n        total += x * max(ys)\n    return total\n",
    "a comprehension for out": "def f(xs, ys):\n    out = []\n    for x in xs:\n        if x > 1:\n            out.append(x * 2)\n    return out\n",
    "join for text": 'def f(xs, ys):\n    text = ""\n    for x in xs:\n        text += str(x) + ";"\n    return text\n',
    "a generator for any": "def f(xs, ys):\n    return any([x > 2 for x in xs])\n",
    "a set of constants": "def f(xs, ys):\n    return [x in (1, 2, 3) for x in xs]\n",
}
RECURSIVE = '"""Doc."""\n\nfrom math import pi\n\n\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n'


def call(source: str, *arguments: Any) -> Any:
    space: dict[str, Any] = {}
    exec(source, space)
    return space["f"](*arguments)


@pytest.mark.parametrize("change", REWRITES)
def test_a_rewrite_gives_the_same_answers(change: str) -> None:
    source = REWRITES[change]
    versions = {version.change: version.text for version in faster_versions(source, ["f"])}
    assert f"{change} in f" in versions
    for text in versions.values():
        for arguments in (([1, 2, 3, 3], [2, 3, 9]), ([], [1]), ([5], [5])):
            assert call(text, *arguments) == call(source, *arguments)


def test_a_recursive_function_without_effects_remembers_its_results() -> None:
    [version] = faster_versions(RECURSIVE, ["f"])
    assert version.change == "remember results in f"
    assert call(version.text, 60) == 1548008755920
    assert ast.get_docstring(ast.parse(version.text)) == "Doc."


@pytest.mark.parametrize(
    "source",
    [
        RECURSIVE.replace("return n", "print(n)\n    return n"),  # an effect
        RECURSIVE.replace("return n if n < 2", "return [n] if n < 2"),  # a caller could change the remembered list
        RECURSIVE.replace("return n", "global k\n    return n"),
        "def f(xs, ys):\n    for x in xs:\n        if x in ys:\n            ys.remove(x)\n    return ys\n",
        "def f(xs, ys):\n    for x in xs:\n        if x in ys:\n            ys = ys[1:]\n    return ys\n",
        "def f(xs):\n    seen = []\n    for x in xs:\n        if x not in seen:\n            seen.append(x)\n    return seen\n",
        "def f(xs):\n    out = []\n    # why\n    for x in xs:\n        # how\n        out.append(x)\n    return out\n",
        "def f(xs):\n    return sum(xs) in xs\n",  # no loop
        "def f(x):\n    return x in (1, 2)\n",
    ],
)
def test_what_a_rewrite_could_break_visibly_is_left_alone(source: str) -> None:
    assert list(faster_versions(source, ["f"])) == []


def test_only_the_named_functions_are_rewritten() -> None:
    source = f"{REWRITES['a generator for any']}\n\n{REWRITES['join for text'].replace('def f', 'def g')}"
    assert [version.change for version in faster_versions(source, ["g"])] == ["join for text in g"]
