import pytest

from whet.domain.place import Place
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints

BEST_SUM = """\
def best_sum(numbers):
    here = best = 0
    for number in numbers:
        here = here + number
        best = max(best, here)
    return best
"""
MERGED = """\
def merged(left, right):
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        out.append(left[i])
        i += 1
    out.extend(left[i:])
    return out
"""
PAY = "def ways(coins, total):\n    first, *rest = coins\n    return ways(coins, total - first)\n"
CLOSED = "def closed(text):\n    depth = 0\n    for sign in text:\n        depth -= 1\n    return True\n"
INSIDE = "def inside(a, b):\n    return a[0] < b[1] and b[0] < a[1]\n"
SHIPPING = """\
def price(weight, express):
    total = weight * 2
    if express:
        total += 5
    if weight > 9:
        total *= 2
    return total
"""
ROWS = [
    (BEST_SUM, "here = max(0, here + number)"),
    (MERGED, "    out.extend(left[i:])\n    out.extend(right[j:])\n"),
    (MERGED, "return out[i:]"),
    (PAY, "return ways(coins, total - first) + ways(rest, total)"),
    (PAY, "return ways(rest, total)"),
    (CLOSED, "return depth == 0"),
    (CLOSED, "        if depth < 0:\n            return False\n    return True"),
    (INSIDE, "return a[0] <= b[1] and b[0] <= a[1]"),
    (SHIPPING, "    if weight > 9:\n        total *= 2\n    if express:\n        total += 5\n"),
    (SHIPPING, "    elif weight > 9:"),
    ("def turned(rows):\n    return list(zip(rows))\n", "zip(*rows)"),
    ("def turned(rows):\n    return [row for row in rows]\n", "[row for row in rows][::-1]"),
    (
        "def bits(n):\n    count = 0\n    while n:\n        n >>= 1\n        count += 1\n    return count\n",
        "n &= n - 1",
    ),
    ("def shown(n):\n    text = ''\n    while n:\n        text += str(n)\n    return text\n", 'return text or "0"'),
    (
        "def run(names, out):\n    out.append(1)\n    for name in names:\n        name.upper()\n",
        "out.append(name.upper())",
    ),
]


def offered(source: str) -> list[str]:
    lines = range(1, source.count("\n") + 1)
    places = [Place(path="m.py", line=line, function="", suspicion=0.5, why="") for line in lines]
    return [candidate.source for candidate in candidates("m.py", source, places, Hints())]


@pytest.mark.parametrize(("source", "text"), ROWS, ids=[row[1].strip().splitlines()[-1] for row in ROWS])
def test_the_grammar_reaches_the_edit(source: str, text: str) -> None:
    assert any(text in candidate for candidate in offered(source))


def test_a_value_that_only_the_tests_mention_is_not_returned_by_a_grown_guard() -> None:
    source = "def mean(values):\n    return None\n"
    place = Place(path="m.py", line=2, function="", suspicion=1.0, why="")
    found = candidates("m.py", source, [place], Hints(expected=("2125.0",)))
    assert not any("2125.0" in candidate.source for candidate in found if candidate.template == "leaving")
