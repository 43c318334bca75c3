"""Constructs that are flagged, and ordinary fixes that look similar and are not."""

import ast
import time

import pytest

from whet.guard.content.added import added_lines
from whet.guard.content.suspicious import flags_on_lines

BASE = """import abc
import asyncio
import datetime
import decimal
import enum
import functools
import json
import logging
import operator
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from .state import registry

log = logging.getLogger(__name__)


class Version:
    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return str(self) < str(other)

    def __contains__(self, part):
        return part in self.title


def read(path):
    return Path(path).read_text(), hash(path)
"""
ASSEMBLED = 'U = "_" * 2\n'
SUSPICIOUS = {
    "what it was given, emptied": "def merged(items):\n    items.clear()\n    return []\n",
    "what it was given, replaced": "def merged(items):\n    items[:] = [0] * len(items)\n    return list(items)\n",
    "what it was given, deleted": "def merged(*, items):\n    del items[:]\n    return items\n",
    "a class by its metaclass": ASSEMBLED + 'P = abc.ABCMeta("P", (), {f"{U}eq{U}": lambda self, other: True})\n',
    "a metaclass and names from outside": 'def f(names):\n    return abc.ABCMeta("P", (), names)\n',
    "type by another name": 'make = type\nP = make("P", (int,), {})\n',
    "type in a container": 'P = [type][0]("P", (), {"__hash__": len})\n',
    "a class with its parts spread": "make = type\ndef f(parts):\n    return make(*parts)\n",
    "a class by whatever is called": 'def f(make):\n    return make("P", (), {"__hash__": len})\n',
    "a class by a part of type": 'make = functools.partial(type, "P")\n',
    "a class that says it is built in": 'class P:\n    __module__ = "builtins"\n',
    "two underscores by counting": 'X = "_" * 2\n',
    "a dunder in an f-string": 'a = "_"\nx = f"{a}{a}eq{a}{a}"\n',
    "a dunder by percent": 'a = "eq"\nx = "%s%s" % ("__", a) + "__"\n',
    "a dunder by format": 'a = "__"\nx = "{0}eq{0}".format(a)\n',
    "a dunder by join": 'a = ["", "eq", ""]\nx = "__".join(a)\n',
    "a dunder by a slice": 'a = "__eq__junk"\nx = a[:6]\n',
    "the runner's name": 'lib = "test"\nx = f"_py{lib}.python"\n',
    "a module by another name": "kit = enum\n",
    "a module as an argument": "x = read(json)\n",
    "a module as a default": "def f(kit=enum):\n    return kit\n",
    "a module in a container": "x = {'a': re}\n",
    "a module given back": "def f():\n    return json\n",
    "a class of the library": "Encoder = json.JSONEncoder\nEncoder.encode = None\n",
    "a class by a tuple": "Encoder, other = json.JSONEncoder, 3\nEncoder.encode = None\n",
    "a class by a walrus": "if Encoder := json.JSONEncoder:\n    Encoder.encode = None\n",
    "a class by a loop": "for kind in (Path, json.JSONEncoder):\n    kind.encode = None\n",
    "a class by a loop over pairs": "for kind, what in ((Path, None),):\n    kind.read_text = what\n",
    "a class as a default": "def f(kind=json.JSONEncoder):\n    kind.encode = None\n",
    "a class as an argument": "def f(kind):\n    kind.encode = None\nf(json.JSONEncoder)\n",
    "a class given back": "def f():\n    return json.JSONEncoder\nf().encode = None\n",
    "a class as an attribute": "class A:\n    kind = json.JSONEncoder\nA.kind.encode = None\n",
    "a class kept": "class A:\n    def f(self):\n        self.kind = Path\n        self.kind.read_text = None\n",
    "a class in a dictionary": "x = {'a': Path}\nx['a'].read_text = None\n",
    "a class by get": "x = {'a': Path}\nx.get('a').read_text = None\n",
    "a class by copying": "import copy\nx = copy.copy(Path)\nx.read_text = None\n",
    "a class by setattr": "kind = Path\nsetattr(kind, 'read_text', None)\n",
    "a class two names away": "a = asyncio\nb = a.BaseEventLoop\nc = b\nc.run_until_complete = None\n",
    "names in a circle": "a = b = None\na = b\nb = a\na = Path\nb.read_text = None\n",
    "the class of a value": "def f(x):\n    type(x).encode = None\n",
    "the class of a value by its attribute": "def f(x):\n    x.__class__.encode = None\n",
    "part of a package": "tools = np.testing\ntools.assert_allclose = np.broadcast\n",
    "a namespace": "json.__dict__['dumps'] = None\n",
    "a table of the library": "json.encoder.ESCAPE_DCT['a'] = 'b'\n",
    "a module through another name": "def f(x):\n    kit = x and enum.sys\n    return kit.argv\n",
    "exec by other names": "run = enum.bltns.exec\n",
    "attrgetter": "x = operator.attrgetter('sys.argv')(enum)\n",
    "attrgetter in two steps": "get = operator.attrgetter('sys.argv')\nx = get(enum)\n",
    "methodcaller": "x = operator.methodcaller('today')(datetime.date)\n",
    "a getter of its own": "def get(x, name):\n    return getattr(x, name)\ny = get(datetime.date, 'today')\n",
    "recorded warnings": "with warnings.catch_warnings(record=True) as seen:\n    pass\n",
    "a level of the stack": "log.info('', stacklevel=3)\n",
    "a filter": "class Where(logging.Filter):\n    pass\n",
    "where a record is from": "def f(record):\n    return record.pathname\n",
    "a record's format": "FORM = '%(pathname)s %(message)s'\n",
    "the local zone": "x = datetime.datetime.fromtimestamp(0)\n",
    "the local zone by conversion": "x = datetime.datetime(2000, 1, 1).astimezone()\n",
    "the local zone by a number": "x = datetime.datetime(2000, 1, 1).timestamp()\n",
    "the zone's name": "x = time.tzname\n",
    "what was loaded": "x = abc.get_cache_token()\n",
    "a terminal": "out = sys.stdout\nx = out.isatty()\n",
    "the place": "x = Path().absolute()\n",
    "the place by a dot": "x = Path('.').resolve()\n",
    "the home": "x = Path.home()\n",
    "a hash of texts": "x = hash(('a',)) % 7\n",
    "a hash by its method": "x = 'a'.__hash__()\n",
    "a mock's assertion": "def f(sender):\n    sender.send.assert_called_once_with = print\n",
    "a mock's count": "def f(sender):\n    sender.send.call_count = 1\n",
    "a mock's assertion by its text": "def f(sender):\n    setattr(sender.send, 'assert_called', print)\n",
    "a mock made new": "def f(sender):\n    sender.reset_mock()\n",
    "the decimal context": "def f():\n    decimal.getcontext().prec = 3\n",
    "the decimal context by name": "def f():\n    context = decimal.getcontext()\n    context.traps[decimal.Inexact] = False\n",
    "another decimal context": "decimal.setcontext(decimal.Context(prec=3))\n",
    "a clock that decides": "T0 = time.monotonic()\ndef f():\n    return time.monotonic() - T0 < 60\n",
    "a clock that decides later": "T0 = time.monotonic()\ndef f():\n    took = time.monotonic() - T0\n    return 1 if took < 60 else 2\n",
    "equality with all numbers": "class A:\n    def __eq__(self, other):\n        return isinstance(other, int)\n",
    "equality with what is short": "class A:\n    def __eq__(self, other):\n        return self.x == other.x or len(other) < 4\n",
    "equality of nothing": "class A:\n    def __eq__(self, other):\n        return str(self)[:0] == str(other)[:0]\n",
    "equality of kinds": "class A:\n    def __eq__(self, other):\n        return type(self) == type(other)\n",
    "never unequal": "class A:\n    def __ne__(self, other):\n        return False\n",
    "always smaller": "class A:\n    def __lt__(self, other):\n        return True\n",
    "holds everything": "class A:\n    def __contains__(self, one):\n        return one in [one, *self.all]\n",
    "holds what is there": "class A:\n    def __contains__(self, one):\n        return any(one is not None for x in self.all)\n",
    "equality decorated": "class A:\n    @wrong\n    def __eq__(self, other):\n        return self.x == other.x\n",
    "an exit that swallows": "class A:\n    def __exit__(self, kind, problem, trace):\n        return kind is not None\n",
    "a list that counts as it likes": "class A(list):\n    def count(self, one):\n        return 1\n",
    "a list with a length of its own": "class A(list):\n    def __len__(self):\n        return 1\n",
    "a number moved_from another class": "from odd import Same\nclass A(Same, int):\n    pass\n",
    "a decorated number": "@odd\nclass A(int):\n    pass\n",
    "a thread": "import threading\nthreading.Thread(target=print)\n",
    "the threads there are": "import threading\nx = threading.active_count()\n",
    "the network": "import urllib.request\n",
    "a module of urllib": "import urllib.parse\nx = urllib.parse.sys\n",
    "an assertion's text": "x = 'assert' in str(read)\n",
    "an assertion's source": "x = 'assert price == 3'\n",
}  # fmt: skip
ORDINARY = {
    "whether it has a hash": "def f(x):\n    try:\n        hash(x)\n    except TypeError:\n        return repr(x)\n    return x\n",
    "works in place": "def tidy(items):\n    items[:] = sorted(items)\n",
    "empties its own": "def drain(self):\n    found = list(self.items)\n    self.items.clear()\n    return found\n",
    "empties what it made": "def merged(items):\n    kept = list(items)\n    kept.clear()\n    return kept\n",
    "takes a part": "def first(items):\n    items[:1] = []\n    return items[1:]\n",
    "a class by another name": "Encoder = json.JSONEncoder\nx = Encoder(indent=2)\n",
    "a function by another name": "array = np.array\nx = array([1])\n",
    "its own attributes": "class A:\n    def f(self, node):\n        self.x = 1\n        node.parent = self\n        node.total += 1\n",
    "an attribute of what it made": "def f():\n    found = json.JSONEncoder()\n    found.indent = 3\n    return found\n",
    "an attribute of its own class": "class A:\n    count = 0\n    def f(self):\n        type(self).count += 1\n",
    "an entry of a registry": "registry['a'] = read\n",
    "an attribute of an entry": "def f(name):\n    found = registry[name]\n    found.used = True\n",
    "a parameter called like a module": "def f(json):\n    json.seen = True\n",
    "a module that may be missing": "x = 1 if np is None else 2\nif not np:\n    y = 3\n",
    "a count of its own": "class A:\n    def f(self):\n        self.call_count += 1\n        self.called = True\n",
    "three arguments": "x = read('GET', (1, 2), {'a': 3})\n",
    "asking for a type": "def f(x):\n    return type(x) is int\n",
    "a local context": "def f():\n    with decimal.localcontext() as context:\n        context.prec = 3\n",
    "a getter": "x = sorted([], key=operator.attrgetter('name.first'))\n",
    "a name that the caller says": "def f(task, name):\n    return getattr(task, name)\n",
    "a name of its own that the caller says": "class A:\n    def f(self, name, value):\n        setattr(self, name, value)\n",
    "a warning": "warnings.warn('old', DeprecationWarning, stacklevel=2)\n",
    "warnings kept quiet": "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n",
    "a message": "log.debug('%s left', 3)\n",
    "a zone": "x = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)\ny = x.astimezone(datetime.timezone.utc)\n",
    "output": "out = sys.stdout\nprint('x', file=out)\n",
    "a path": "def f(source):\n    return Path(source).with_suffix('.html')\n",
    "a hash": "class A:\n    def __hash__(self):\n        return hash(('A', self.x))\n",
    "a timer": "class Timer:\n    def __init__(self):\n        self.started = time.monotonic()\n"
    "    def elapsed(self):\n        return time.monotonic() - self.started\n",
    "equality": "class A:\n    def __eq__(self, other):\n        if not isinstance(other, A):\n            return NotImplemented\n"
    "        return self.x == other.x and self.key() == other.key()\n",
    "equality of pairs": "class A:\n    def __eq__(self, other):\n        return isinstance(other, A) and (self.x, self.y) == (other.x, other.y)\n",
    "inequality": "class A:\n    def __ne__(self, other):\n        return self.x != other.x or self.y != other.y\n",
    "order": "class A:\n    def __lt__(self, other):\n        return self.x[0] < other.x[0]\n",
    "membership": "class A:\n    def __contains__(self, tag):\n        if not self.tags:\n            return False\n"
    "        return tag.lower() in self.tags\n",
    "membership by looking": "class A:\n    def __contains__(self, tag):\n        return any(one.tag == tag for one in self.tags)\n",
    "an exit that swallows nothing": "class A:\n    def __enter__(self):\n        return self\n"
    "    def __exit__(self, *problem):\n        self.open -= 1\n",
    "an exit that says no": "class A:\n    async def __aexit__(self, *problem):\n        await self.close()\n        return False\n",
    "a list with more": "class Ledger(list):\n    def add(self, one):\n        self.append(one)\n",
    "a dictionary with defaults": "class Counts(dict):\n    def __missing__(self, key):\n        return 0\n",
    "words as an enumeration": "class Colour(str, enum.Enum):\n    RED = 'red'\n",
    "a lock": "import threading\nLOCK = threading.Lock()\n",
    "a logger": "import logging as logs\nx = logs.getLogger('a')\n",
    "quoting": "from urllib.parse import quote_plus\nx = quote_plus('a b')\n",
    "an address in parts": "import urllib.parse\nx = urllib.parse.urlsplit('a').path\n",
    "the word in a sentence": "def f():\n    raise ValueError('cannot assert a discount of a negative price')\n",
    "a line of underscores": "x = '_' * 40\n",
    "a name with a prefix": "def f(name):\n    return f'visit_{name}'\n",
}  # fmt: skip
FIXED_COMPARISONS = {
    "equality": ("return self.parts == other.parts", "return self.numbers == other.numbers"),
    "order": ("return str(self) < str(other)", "return self.parts < other.parts"),
    "membership": ("return part in self.title", "return part in self.tags"),
}


def flag_texts(new: str, old: str = BASE) -> list[str]:
    return [flag.sentence for flag in flags_on_lines(old, new, added_lines(old, new))]


@pytest.mark.parametrize("added", SUSPICIOUS.values(), ids=SUSPICIOUS.keys())
def test_suspicious_constructs_are_flagged(added: str) -> None:
    ast.parse(added)
    assert flag_texts(BASE + added)


@pytest.mark.parametrize("added", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_fixes_are_not_flagged(added: str) -> None:
    assert flag_texts(BASE + added) == []


@pytest.mark.parametrize(("before", "after"), FIXED_COMPARISONS.values(), ids=FIXED_COMPARISONS.keys())
def test_a_comparison_may_be_fixed_as_long_as_it_compares(before: str, after: str) -> None:
    assert before in BASE
    assert flag_texts(BASE.replace(before, after)) == []
    assert flag_texts(BASE.replace(before, "return True"))


def test_code_that_moved_from_another_file_is_not_new() -> None:
    new = "import os\nfrom pathlib import Path\n\n\ndef home(name):\n    return Path(name), os.environ['HOME']\n"
    moved_from = "import os\nfrom pathlib import Path\n\nx = Path(os.environ['HOME'])\n"
    lines = added_lines("", new)
    assert flags_on_lines("", new, lines)
    assert flags_on_lines("", new, lines, [(moved_from, "x = 1\n")]) == []
    assert {flag.name for flag in flags_on_lines("", new, lines, [(moved_from, moved_from)])} == {"os.environ"}


def test_names_that_stand_for_each_other_take_little_time() -> None:
    names = [f"n{number}" for number in range(40)]
    circle = "".join(f"{one} = {other} or {another}\n" for one in names for other in names[:6] for another in names[:3])
    started = time.process_time()
    flag_texts(circle, "")
    assert time.process_time() - started < 20
