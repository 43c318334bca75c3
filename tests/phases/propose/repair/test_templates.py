"""One row per mistake: the faulty source, the suspicious line, and the text that fixes it."""

import pytest

from whet.domain.place import Place
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints

NO_HINTS = Hints()
LOOP = "def f(xs, x):\n    total = 0\n    for y in xs:\n        total += y\n    return total\n"
NONE_FAILS = Hints(exceptions=("AttributeError",), messages=("'NoneType' object has no attribute 'x'",))

UNEXPECTED = Hints(exceptions=("TypeError",), messages=("f() got an unexpected keyword argument 'reverse'",))

# mistake, source, line, old text, new text, hints
ROWS = [
    ("off by one in a range", "def f(n):\n    return list(range(n))\n", 2, "range(n)", "range(n + 1)", NO_HINTS),
    ("off by one in an index", "def f(xs, i):\n    return xs[i]\n", 2, "xs[i]", "xs[i - 1]", NO_HINTS),
    ("off by one in a length", "def f(xs):\n    return xs[len(xs)]\n", 2, "len(xs)", "len(xs) - 1", NO_HINTS),
    ("one added too many", "def f(n):\n    return n + 1\n", 2, "n + 1", "n", NO_HINTS),
    ("plus one instead of minus one", "def f(n):\n    return n + 1\n", 2, "n + 1", "n - 1", NO_HINTS),
    ("plus instead of minus", "def f(a, b):\n    return a + b\n", 2, "a + b", "a - b", NO_HINTS),
    ("plus instead of times", "def f(a, b):\n    return a + b\n", 2, "a + b", "a * b", NO_HINTS),
    ("floor division instead of true division", "def f(a, b):\n    return a // b\n", 2, "//", "/", NO_HINTS),
    ("exclusive or instead of power", "def f(a):\n    return a ^ 2\n", 2, "^", "**", NO_HINTS),
    ("wrong augmented operator", LOOP, 4, "+=", "-=", NO_HINTS),
    ("rate instead of its complement", "def f(p, r):\n    return p * r\n", 2, "p * r", "p * (1 - r)", NO_HINTS),
    ("strict instead of inclusive comparison", "def f(a):\n    return a > 18\n", 2, ">", ">=", NO_HINTS),
    ("comparison reversed", "def f(a, b):\n    return a < b\n", 2, "<", ">", NO_HINTS),
    ("equal instead of unequal", "def f(a):\n    return a == 0\n", 2, "==", "!=", NO_HINTS),
    ("in instead of not in", "def f(a, b):\n    return a in b\n", 2, "in b", "not in b", NO_HINTS),
    ("is not instead of is", "def f(a):\n    return a is not None\n", 2, "is not", "is", NO_HINTS),
    ("and instead of or", "def f(a, b):\n    return a and b\n", 2, "and", "or", NO_HINTS),
    ("missing not", "def f(a):\n    if a:\n        return 1\n    return 2\n", 2, "if a", "if not a", NO_HINTS),
    ("extra not", "def f(a):\n    if not a:\n        return 1\n    return 2\n", 2, "not a", "a", NO_HINTS),
    ("one condition too many", "def f(a, b):\n    return a and b\n", 2, "a and b", "a", NO_HINTS),
    ("missing parentheses", "def f(a, b):\n    return a + b / 2\n", 2, "a + b", "(a + b)", NO_HINTS),
    ("missing minus sign", "def f(a):\n    return a\n", 2, "return a", "return -a", NO_HINTS),
    ("wrong number", "def f(a):\n    return a * 10\n", 2, "10", "11", NO_HINTS),
    ("number that the test expects", "def f(a):\n    return a + 23\n", 2, "23", "32", Hints(expected=("32",))),
    ("wrong boolean", "def f(a):\n    return True\n", 2, "True", "False", NO_HINTS),
    ("wrong separator", "def f(a):\n    return ' '.join(a)\n", 2, "' '", "','", NO_HINTS),
    ("wrong module constant", "RATE = 2\n\n\ndef f(a):\n    return a * RATE\n", 5, "2", "1", NO_HINTS),
    ("wrong default", "def f(a, b=1):\n    return a + b\n", 2, "b=1", "b=0", NO_HINTS),
    ("tuple of one item", "def f(a):\n    return (g(a),)\n", 2, "(g(a),)", "g(a)", NO_HINTS),
    ("argument not accepted", "def f(a):\n    return sorted(a)\n", 2, "a):\n    return sorted(a)", "a, reverse=None):\n    return sorted(a, reverse=reverse)", UNEXPECTED),
    ("argument not stored", "class C:\n    def __init__(self):\n        self.a = 1\n", 3, "self):\n", "self, reverse=None):\n        self.reverse = reverse\n", Hints(messages=("__init__() got an unexpected keyword argument 'reverse'",))),
    ("constant instead of an argument", "def f(a, *, b=1):\n    return g(a, False)\n", 2, "b=1):\n    return g(a, False)", "b=1, reverse=False):\n    return g(a, reverse)", UNEXPECTED),
    ("method without self", "class C:\n    def f(a):\n        return a\n", 3, "f(a)", "f(self, a)", Hints(messages=("f() takes 1 positional argument but 2 were given",))),
    ("attribute not set", "class C:\n    def __init__(self, size):\n        pass\n", 3, "        pass", "        self._size = size\n        pass", Hints(messages=("'C' object has no attribute '_size'",))),
    ("import forgotten", "import os\n\n\ndef f(a):\n    return math.floor(a)\n", 5, "import os", "import math\nimport os", Hints(messages=("name 'math' is not defined",))),
    ("name bound in one branch only", "def f(a):\n    if a:\n        b = [a]\n    return b\n", 4, "    if a", "    b = []\n    if a", Hints(exceptions=("UnboundLocalError",), messages=("local variable 'b' referenced before assignment",))),
    ("mutable default", "def f(a=[]):\n    return a\n", 2, "a=[]):\n", "a=None):\n    if a is None:\n        a = []\n", NO_HINTS),
    ("wrong variable", "def f(a, b):\n    return a + a\n", 2, "a + a", "a + b", NO_HINTS),
    ("missing self", "class C:\n    def g(self):\n        self.n = 1\n\n    def f(self, n):\n        n = 2\n", 6, "n = 2", "self.n = 2", NO_HINTS),
    ("literal instead of a name", "def f(a, b):\n    return a + 1\n", 2, "1", "b", NO_HINTS),
    ("swapped arguments", "def f(a, b):\n    return pow(b, a)\n", 2, "b, a)", "a, b)", NO_HINTS),
    ("swapped operands", "def f(a, b):\n    return b - a\n", 2, "b - a", "a - b", NO_HINTS),
    ("missing argument", "def f(a, b):\n    return g(a)\n", 2, "g(a)", "g(a, b)", NO_HINTS),
    ("sorted in the wrong order", "def f(a):\n    return sorted(a)\n", 2, "sorted(a)", "sorted(a, reverse=True)", NO_HINTS),
    ("wrong method", "def f(a):\n    return a.lower()\n", 2, "lower", "upper", NO_HINTS),
    ("wrong attribute", "class C:\n    def f(self):\n        self.a = self.b = 1\n        return self.a\n", 4, "return self.a", "return self.b", NO_HINTS),
    ("wrong function", "def f(a):\n    return min(a)\n", 2, "min", "max", NO_HINTS),
    ("method not called", "def f(a):\n    a.sort\n    return a\n", 2, "a.sort", "a.sort()", NO_HINTS),
    ("first instead of last item", "def f(a):\n    return a[0]\n", 2, "[0]", "[-1]", NO_HINTS),
    ("wrong end of a slice", "def f(a, n):\n    return a[:n]\n", 2, "[:n]", "[-n:]", NO_HINTS),
    ("slice one item too long", "def f(a):\n    return a[1:]\n", 2, "[1:]", "[1:-1]", NO_HINTS),
    ("slice not reversed", "def f(a):\n    return a[:-1]\n", 2, "[:-1]", "[::-1]", NO_HINTS),
    ("missing key", "def f(a, k):\n    return a[k]\n", 2, "a[k]", "a.get(k, 0)", Hints(exceptions=("KeyError",))),
    ("count without a start value", "def f(a, k):\n    a[k] += 1\n    return a\n", 2, "a[k] += 1", "a[k] = a.get(k, 0) + 1", Hints(exceptions=("KeyError",))),
    ("list without a start value", "def f(a, k, x):\n    a[k] += [x]\n    return a\n", 2, "a[k] += [x]", "a[k] = a.get(k, []) + [x]", Hints(exceptions=("KeyError",))),
    ("parts of a text not converted to numbers", "def f(a):\n    return tuple(a.split('.'))\n", 2, "a.split('.')", "map(int, a.split('.'))", NO_HINTS),
    ("missing default", "def f(a, k):\n    return a.get(k)\n", 2, "(k)", "(k, 0)", NO_HINTS),
    ("assigned instead of accumulated", LOOP.replace("+=", "="), 4, "total = y", "total += y", NO_HINTS),
    ("result dropped", "def f(a):\n    a.strip()\n    return a\n", 2, "    a.strip", "    a = a.strip", NO_HINTS),
    ("value of sort used", "def f(a):\n    return a.sort()\n", 2, "a.sort()", "sorted(a)", NO_HINTS),
    ("missing return of a value", "def f(a):\n    a * 2\n", 2, "a * 2", "return a * 2", NO_HINTS),
    ("missing return at the end", LOOP.replace("    return total\n", ""), 4, "+= y\n", "+= y\n    return total\n", NO_HINTS),
    ("return inside the loop", LOOP.replace("    return", "        return"), 5, "        return", "    return", NO_HINTS),
    ("statement after instead of inside the loop", LOOP.replace("        total += y", "        pass\n    total += y"), 5, "    total +=", "        total +=", NO_HINTS),
    ("break instead of continue", "def f(a):\n    for b in a:\n        break\n", 3, "break", "continue", NO_HINTS),
    ("if instead of elif", "def f(a):\n    if a:\n        b = 1\n    if a > 1:\n        b = 2\n    return b\n", 4, "if a > 1", "elif a > 1", NO_HINTS),
    ("yield instead of yield from", "def f(a):\n    yield a\n", 2, "yield a", "yield from a", NO_HINTS),
    ("None not handled", "def f(a):\n    return a.b\n", 2, "    return", "    if a is None:\n        return None\n    return", NONE_FAILS),
    ("empty list not handled", "def f(a):\n    return a[0]\n", 2, "    return", "    if not a:\n        return None\n    return", Hints(exceptions=("IndexError",))),
    ("zero not handled", "def f(a, b):\n    return a / b\n", 2, "    return", "    if b == 0:\n        return 0\n    return", Hints(exceptions=("ZeroDivisionError",))),
    ("zero divisor not handled", "def f(a, b):\n    return a / b\n", 2, "a / b", "a / b if b else 0", NO_HINTS),
    ("loop over None", "def f(a):\n    for b in a:\n        print(b)\n", 2, "in a", "in a or []", NO_HINTS),
    ("index not checked against the length", "def f(a, i):\n    while a[i] > 0:\n        i += 1\n", 2, "a[i] > 0", "i < len(a) and a[i] > 0", NO_HINTS),
    ("invalid argument not refused", "def f(a):\n    return a\n", 2, "    return", "    if a < 0:\n        raise ValueError('a must not be negative')\n    return", Hints(raises=("ValueError",))),
    ("missing base case", "def f(n):\n    return n * f(n - 1)\n", 2, "    return", "    if n == 0:\n        return 1\n    return", NO_HINTS),
    ("wrong exception caught", "def f(a):\n    try:\n        return int(a)\n    except KeyError:\n        return 0\n", 2, "KeyError", "ValueError", NO_HINTS),
    ("one exception not caught", "def f(a):\n    try:\n        return int(a)\n    except KeyError:\n        return 0\n", 2, "KeyError", "(KeyError, ValueError)", NO_HINTS),
    ("wrong exception raised", "def f(a):\n    raise KeyError(a)\n", 2, "KeyError", "ValueError", Hints(raises=("ValueError",))),
    ("type not converted", "def f(a):\n    return 'n' + a\n", 2, "+ a", "+ str(a)", Hints(exceptions=("TypeError",))),
    ("character missing in a tuple", "def f(a):\n    return a in (',', ';')\n", 2, "';')", "';', '`')", Hints(constants=("'`a`'",))),
    ("word missing in a tuple", "def f(a):\n    return a in ('IF', 'FOR')\n", 2, "'FOR'", "'FOR', 'CASE'", Hints(constants=("'CASE x WHEN'",))),
    ("type missing in a tuple", "def f(a):\n    return isinstance(a, (list, tuple))\n", 2, "tuple)", "tuple, set)", NO_HINTS),
    ("type of the list instead of its items", "def f(a):\n    return isinstance(a, int)\n", 2, "isinstance(a, int)", "all(isinstance(item, int) for item in a)", NO_HINTS),
    ("one type instead of two", "def f(a):\n    return isinstance(a, list)\n", 2, "list)", "(list, tuple))", NO_HINTS),
    ("attribute missing in a tuple", "def f(a):\n    return isinstance(a, (m.A, m.B))\n", 2, "m.B)", "m.B, m.C)", Hints(names=("m.C",))),
    ("one value instead of several", "def f(a):\n    return a == ':'\n", 2, "== ':'", "in (':', '')", NO_HINTS),
    ("truth test instead of None test", "def f(a):\n    if a:\n        return 1\n    return 2\n", 2, "if a", "if a is not None", NO_HINTS),
    ("None test instead of truth test", "def f(a):\n    if a is None:\n        return 1\n    return 2\n", 2, "a is None", "not a", NO_HINTS),
    ("or that drops a zero", "def f(a, b):\n    return a or b\n", 2, "a or b", "a if a is not None else b", NO_HINTS),
    ("missing decorator", "@d(1)\ndef g(a):\n    return a\n\n\ndef f(a):\n    return a\n", 7, "def f(", "@d(1)\ndef f(", NO_HINTS),
    ("exception not caught", "def f(a):\n    next(a)\n    return a\n", 2, "    next(a)\n", "    try:\n        next(a)\n    except StopIteration:\n        return iter([])\n", Hints(exceptions=("StopIteration",))),
    ("wrong words", "def f(a):\n    return 'width of ' + a\n", 2, "width", "height", Hints(actual=("'width of x'",), expected=("'height of x'",))),
    ("fields in the wrong order", "def f(a, b):\n    return '{:d}{}'.format(a, b)\n", 2, "'{:d}{}'.format(a, b)", "'{}{:d}'.format(b, a)", NO_HINTS),
    ("pattern too narrow", "import re\n\n\ndef f(a):\n    return re.sub('[a-z]', '', a)\n", 5, "'[a-z]'", r"r'\w'", NO_HINTS),
    ("pattern too greedy", "import re\n\n\ndef f(a):\n    return re.split('x+', a)\n", 5, "'x+'", "'x'", NO_HINTS),
    ("parameter not passed on", "def g(a, key=None):\n    return a\n\n\ndef f(a, key=None):\n    return g(a)\n", 6, "g(a)", "g(a, key=key)", NO_HINTS),
    ("pop without a default", "def f(a, k):\n    a.pop(k)\n", 2, "pop(k)", "pop(k, None)", Hints(exceptions=("KeyError",))),
    ("bytes instead of text", "def f(a):\n    return a.encode()\n", 2, "a.encode()", "a.encode().decode()", NO_HINTS),
    ("first argument instead of the text of an error", "def f(e):\n    return e.args[0]\n", 2, "e.args[0]", "str(e)", NO_HINTS),
    ("other type not converted", "from p import Path\n\n\ndef f(a):\n    return a + 'x'\n", 5, "    return", "    if isinstance(a, Path):\n        a = str(a)\n    return", NO_HINTS),
    ("getattr answers for dunder names", "class C:\n    def __getattr__(self, name):\n        return name\n", 3, "        return", "        if name.startswith('__'):\n            raise AttributeError(name)\n        return", NO_HINTS),
    ("special constant not handled", "LINE = 1\n\n\ndef f(a):\n    return a + 1\n", 5, "    return", "    if a == LINE:\n        return a\n    return", Hints(names=("LINE",))),
    ("slice end not counted from its start", "def f(a, i, n):\n    return a[i:n]\n", 2, "i:n", "i:i + n", NO_HINTS),
    ("function not applied as elsewhere", "def g(k):\n    return clean(k)\n\n\ndef f(d, k):\n    return d[k]\n", 6, "d[k]", "d[clean(k)]", NO_HINTS),
    ("visited item not recorded", "def f(xs):\n    seen = set()\n    for x in xs:\n        if x not in seen:\n            print(x)\n", 5, "print(x)\n", "print(x)\n            seen.add(x)\n", NO_HINTS),
    ("keywords not passed on", "def f(*args, **kwargs):\n    return g(*args)\n", 2, "(*args)\n", "(*args, **kwargs)\n", NO_HINTS),
    ("item instead of its index", "def f(a):\n    i = 0\n    return a[i]\n", 3, "return a[i]", "return i", NO_HINTS),
    ("None operand not handled", "class C:\n    def f(self):\n        return self.a + self.b\n", 3, "        return", "        if self.b is None:\n            return self.a\n        return", NONE_FAILS),
    ("wrong result returned", "def f(a):\n    best = g(a)\n    return max(a)\n", 3, "max(a)", "best", NO_HINTS),
    ("last instead of largest value", "def f(xs):\n    m = 0\n    for x in xs:\n        m = x\n    return m\n", 4, "m = x\n", "m = max(m, x)\n", NO_HINTS),
    ("last value instead of all values", "def f(xs):\n    d = {}\n    for x in xs:\n        d[x] = [x]\n    return d\n", 4, "d[x] = [x]", "d.setdefault(x, []).append(x)", NO_HINTS),
    ("return too early in a loop", "def f(xs):\n    for x in xs:\n        return x > 1\n", 3, "        return x > 1\n", "        if x > 1:\n            return True\n", NO_HINTS),
    ("rows not copied", "def f(rows):\n    return list(rows)\n", 2, "list(rows)", "[list(row) for row in rows]", NO_HINTS),
    ("bits toggled instead of cleared", "def f(a, b):\n    return a ^ b\n", 2, "^", "& ~", NO_HINTS),
    ("rounded down instead of up", "def f(a, b):\n    return a // b + 1\n", 2, "a // b + 1", "(a + b - 1) // b", NO_HINTS),
    ("exception of the file not caught", "class MyError(Exception):\n    pass\n\n\ndef f(a):\n    try:\n        a()\n    except Exception:\n        return 0\n", 6, "except Exception", "except MyError", NO_HINTS),
    ("missing default with a name", "DEFAULT = 3\n\n\ndef f(a, k):\n    return a[k]\n", 5, "a[k]", "a.get(k, DEFAULT)", Hints(exceptions=("KeyError",))),
    ("call of a sibling method missing", "class C:\n    def g(self, k):\n        self.d.use(k)\n\n    def f(self, k):\n        self.n = 1\n", 6, "self.n = 1\n", "self.n = 1\n        self.d.use(k)\n", NO_HINTS),
    ("twelve-hour clock", "def f(t):\n    return t.strftime('%I:%M')\n", 2, "%I", "%H", NO_HINTS),
    ("two types missing in a tuple", "def f(a):\n    return isinstance(a, (list, tuple))\n", 2, "tuple)", "tuple, set, frozenset)", NO_HINTS),
    ("expected text on the left", "def f(a):\n    return 'width of ' + a\n", 2, "width", "height", Hints(actual=("'height of x'",), expected=("'width of x'",))),
    ("first condition too many", "def f(a, b, c):\n    return a and b and c\n", 2, "a and b and c", "b and c", NO_HINTS),
    ("method with a similar name", "def f(t):\n    return t.time()\n", 2, "time()", "timetz()", NO_HINTS),
    ("statement in only one branch", "def f(a, b):\n    if a:\n        g(b)\n        h(b)\n    else:\n        b = 2\n", 4, "        h(b)\n    else:\n        b = 2\n", "    else:\n        b = 2\n    h(b)\n", NO_HINTS),
    ("statement only in the handler", "def f(a):\n    try:\n        b = a()\n    except KeyError:\n        b = 1\n        g(b)\n    else:\n        b = 2\n", 6, "        g(b)\n    else:\n        b = 2\n", "    else:\n        b = 2\n    g(b)\n", NO_HINTS),
    ("branches in the wrong order", "def f(a, b):\n    if a:\n        return 1\n    elif b:\n        # two\n        return 2\n    return 3\n", 2, "if a:\n        return 1\n    elif b:\n        # two\n        return 2\n", "if b:\n        # two\n        return 2\n    elif a:\n        return 1\n", NO_HINTS),
    ("index beyond the end", "def f(xs, n):\n    end = n\n    return xs[end]\n", 2, "end = n", "end = min(n, len(xs))", Hints(exceptions=("IndexError",))),
    ("index below zero", "def f(xs, n):\n    end = n\n    return xs[end]\n", 2, "end = n", "end = max(n, 0)", NO_HINTS),
    ("parameter name taken by a keyword", "def f(self, *args, **kwargs):\n    return args\n", 2, "self,", "self, /,", Hints(messages=("f() got multiple values for argument 'self'",))),
    ("parameter without a default", "def f(a, b, c=1):\n    return a\n", 2, "b,", "b=None,", Hints(messages=("f() missing 1 required positional argument: 'b'",))),
    ("path instead of text", "import os\n\n\ndef f(a):\n    return a + 'x'\n", 5, "    return", "    a = os.fspath(a)\n    return", Hints(messages=("unsupported operand type(s) for +: 'PosixPath' and 'str'",))),
    ("method of text called on a path", "def f(a):\n    return a.split('/')\n", 2, "a.split", "str(a).split", Hints(messages=("'PosixPath' object has no attribute 'split'",))),
    ("arguments not converted to integers", "def f(a, b):\n    return g(a, day=b)\n", 2, "g(a, day=b)", "g(int(a), day=int(b))", Hints(messages=("'Decimal' object cannot be interpreted as an integer",))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "line", "old", "new", "hints"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_some_candidate_fixes(source: str, line: int, old: str, new: str, hints: Hints) -> None:
    place = Place(path="m.py", line=line, function="f", suspicion=1.0, why="")
    fixes = {source[:at] + new + source[at + len(old) :] for at in _places(source, old)}
    offered = {candidate.source for candidate in candidates("m.py", source, [place], hints)}
    assert fixes & offered


def _places(source: str, old: str) -> list[int]:
    return [at for at in range(len(source)) if source.startswith(old, at)]


def test_a_name_in_the_failing_tests_is_likelier_than_one_in_the_file() -> None:
    source = "def f(x):\n    y = sql.A, sql.C, sql.D\n    return x in (sql.A, sql.B)\n"
    places = [Place(path="m.py", line=3, function="f", suspicion=1.0, why="")]
    made = list(candidates("m.py", source, places, Hints(names=("sql.D",))))
    ranks = {name: max(item.rank for item in made if f"sql.B, sql.{name})" in item.source) for name in "CD"}
    assert ranks["D"] > ranks["C"]


NEVER = [
    ("package metadata used as a value", "__author__ = 'x'\n\n\ndef f(a, b):\n    return a and b\n", 5, "__author__"),
    ("literals of different types swapped", "def f(a):\n    return a.pop('key', None)\n", 2, "None, 'key'"),
    ("type compared with None", "def f(a):\n    return 1 if a is None else 2\n", 2, "type(a) is None"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "line", "text"), [row[1:] for row in NEVER], ids=[row[0] for row in NEVER])
def test_no_candidate_has(source: str, line: int, text: str) -> None:
    place = Place(path="m.py", line=line, function="f", suspicion=1.0, why="")
    made = [item.source for item in candidates("m.py", source, [place], NO_HINTS)]
    assert made
    assert not any(text in item.replace(source.partition("def ")[0], "") for item in made)


def test_a_value_that_is_never_none_keeps_its_or() -> None:
    source = "def f(x, days=0, year=None):\n    return g(days=x.days or days, year=x.year or year, hour=x.hour or x)\n"
    places = [Place(path="m.py", line=2, function="f", suspicion=1.0, why="")]
    made = [item.source for item in candidates("m.py", source, places, NO_HINTS)]
    kept = "year=x.year if x.year is not None else year, hour=x.hour if x.hour is not None else x"
    assert any(f"days=x.days or days, {kept}" in item for item in made)
    assert not any("x.days if x.days is not None" in item for item in made)
