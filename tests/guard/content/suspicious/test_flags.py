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
    "an argument emptied": "def merged(items):\n    items.clear()\n    return []\n",
    "an argument replaced as a whole": "def merged(items):\n    items[:] = [0] * len(items)\n    return list(items)\n",
    "an argument deleted as a whole": "def merged(*, items):\n    del items[:]\n    return items\n",
    "a class made by its metaclass": ASSEMBLED + 'P = abc.ABCMeta("P", (), {f"{U}eq{U}": lambda self, other: True})\n',
    "a class made from a caller's names": 'def f(names):\n    return abc.ABCMeta("P", (), names)\n',
    "type under another name": 'make = type\nP = make("P", (int,), {})\n',
    "type in a container": 'P = [type][0]("P", (), {"__hash__": len})\n',
    "type called with spread arguments": "make = type\ndef f(parts):\n    return make(*parts)\n",
    "a class made by an unknown callable": 'def f(make):\n    return make("P", (), {"__hash__": len})\n',
    "a class made by a partial of type": 'make = functools.partial(type, "P")\n',
    "a class that sets __module__": 'class P:\n    __module__ = "builtins"\n',
    "two underscores by multiplication": 'X = "_" * 2\n',
    "a dunder in an f-string": 'a = "_"\nx = f"{a}{a}eq{a}{a}"\n',
    "a dunder by percent": 'a = "eq"\nx = "%s%s" % ("__", a) + "__"\n',
    "a dunder by format": 'a = "__"\nx = "{0}eq{0}".format(a)\n',
    "a dunder by join": 'a = ["", "eq", ""]\nx = "__".join(a)\n',
    "a dunder by a slice": 'a = "__eq__junk"\nx = a[:6]\n',
    "the test runner's name in an f-string": 'lib = "test"\nx = f"_py{lib}.python"\n',
    "a module under another name": "kit = enum\n",
    "a module as an argument": "x = read(json)\n",
    "a module as a default": "def f(kit=enum):\n    return kit\n",
    "a module in a container": "x = {'a': re}\n",
    "a module returned": "def f():\n    return json\n",
    "a store into a library class": "Encoder = json.JSONEncoder\nEncoder.encode = None\n",
    "a library class through a tuple": "Encoder, other = json.JSONEncoder, 3\nEncoder.encode = None\n",
    "a library class through a walrus": "if Encoder := json.JSONEncoder:\n    Encoder.encode = None\n",
    "a library class through a loop": "for kind in (Path, json.JSONEncoder):\n    kind.encode = None\n",
    "a library class through a loop over pairs": "for kind, what in ((Path, None),):\n    kind.read_text = what\n",
    "a library class as a default": "def f(kind=json.JSONEncoder):\n    kind.encode = None\n",
    "a library class as an argument": "def f(kind):\n    kind.encode = None\nf(json.JSONEncoder)\n",
    "a library class returned": "def f():\n    return json.JSONEncoder\nf().encode = None\n",
    "a library class as a class attribute": "class A:\n    kind = json.JSONEncoder\nA.kind.encode = None\n",
    "a library class as an instance attribute": "class A:\n    def f(self):\n        self.kind = Path\n        self.kind.read_text = None\n",
    "a library class in a dictionary": "x = {'a': Path}\nx['a'].read_text = None\n",
    "a library class through dict.get": "x = {'a': Path}\nx.get('a').read_text = None\n",
    "a library class through copy.copy": "import copy\nx = copy.copy(Path)\nx.read_text = None\n",
    "a library class through setattr": "kind = Path\nsetattr(kind, 'read_text', None)\n",
    "a library class through two names": "a = asyncio\nb = a.BaseEventLoop\nc = b\nc.run_until_complete = None\n",
    "names in a circle": "a = b = None\na = b\nb = a\na = Path\nb.read_text = None\n",
    "the class of a value": "def f(x):\n    type(x).encode = None\n",
    "the class of a value by its attribute": "def f(x):\n    x.__class__.encode = None\n",
    "a submodule under another name": "tools = np.testing\ntools.assert_allclose = np.broadcast\n",
    "a module's __dict__": "json.__dict__['dumps'] = None\n",
    "a table of a library": "json.encoder.ESCAPE_DCT['a'] = 'b'\n",
    "a module through another name": "def f(x):\n    kit = x and enum.sys\n    return kit.argv\n",
    "exec through re-exported builtins": "run = enum.bltns.exec\n",
    "attrgetter": "x = operator.attrgetter('sys.argv')(enum)\n",
    "attrgetter in two steps": "get = operator.attrgetter('sys.argv')\nx = get(enum)\n",
    "methodcaller": "x = operator.methodcaller('today')(datetime.date)\n",
    "a getattr function of the file": "def get(x, name):\n    return getattr(x, name)\ny = get(datetime.date, 'today')\n",
    "recorded warnings": "with warnings.catch_warnings(record=True) as seen:\n    pass\n",
    "a stack level in a log call": "log.info('', stacklevel=3)\n",
    "a logging filter": "class Where(logging.Filter):\n    pass\n",
    "the path name of a log record": "def f(record):\n    return record.pathname\n",
    "a log format with the path name": "FORM = '%(pathname)s %(message)s'\n",
    "the local time zone": "x = datetime.datetime.fromtimestamp(0)\n",
    "the local time zone by astimezone": "x = datetime.datetime(2000, 1, 1).astimezone()\n",
    "the local time zone by timestamp": "x = datetime.datetime(2000, 1, 1).timestamp()\n",
    "the name of the time zone": "x = time.tzname\n",
    "the ABC cache token": "x = abc.get_cache_token()\n",
    "isatty": "out = sys.stdout\nx = out.isatty()\n",
    "the current folder": "x = Path().absolute()\n",
    "the current folder as a dot": "x = Path('.').resolve()\n",
    "the home folder": "x = Path.home()\n",
    "a hash of a string": "x = hash(('a',)) % 7\n",
    "a hash by its dunder method": "x = 'a'.__hash__()\n",
    "a mock's assertion replaced": "def f(sender):\n    sender.send.assert_called_once_with = print\n",
    "a mock's call count set": "def f(sender):\n    sender.send.call_count = 1\n",
    "a mock's assertion replaced by setattr": "def f(sender):\n    setattr(sender.send, 'assert_called', print)\n",
    "a mock reset": "def f(sender):\n    sender.reset_mock()\n",
    "a store into the decimal context": "def f():\n    decimal.getcontext().prec = 3\n",
    "a store into the decimal context through a name": "def f():\n    context = decimal.getcontext()\n    context.traps[decimal.Inexact] = False\n",
    "a new decimal context": "decimal.setcontext(decimal.Context(prec=3))\n",
    "a comparison of a clock": "T0 = time.monotonic()\ndef f():\n    return time.monotonic() - T0 < 60\n",
    "a comparison of a stored duration": "T0 = time.monotonic()\ndef f():\n    took = time.monotonic() - T0\n    return 1 if took < 60 else 2\n",
    "equal to every number": "class A:\n    def __eq__(self, other):\n        return isinstance(other, int)\n",
    "equal to everything short": "class A:\n    def __eq__(self, other):\n        return self.x == other.x or len(other) < 4\n",
    "equality of empty slices": "class A:\n    def __eq__(self, other):\n        return str(self)[:0] == str(other)[:0]\n",
    "equality of types only": "class A:\n    def __eq__(self, other):\n        return type(self) == type(other)\n",
    "never unequal": "class A:\n    def __ne__(self, other):\n        return False\n",
    "always smaller": "class A:\n    def __lt__(self, other):\n        return True\n",
    "contains everything": "class A:\n    def __contains__(self, one):\n        return one in [one, *self.all]\n",
    "contains everything that is not None": "class A:\n    def __contains__(self, one):\n        return any(one is not None for x in self.all)\n",
    "a decorated equality method": "class A:\n    @wrong\n    def __eq__(self, other):\n        return self.x == other.x\n",
    "an __exit__ that swallows exceptions": "class A:\n    def __exit__(self, kind, problem, trace):\n        return kind is not None\n",
    "a list with its own count": "class A(list):\n    def count(self, one):\n        return 1\n",
    "a list with its own length": "class A(list):\n    def __len__(self):\n        return 1\n",
    "an int with a second base class": "from odd import Same\nclass A(Same, int):\n    pass\n",
    "a decorated subclass of int": "@odd\nclass A(int):\n    pass\n",
    "a thread": "import threading\nthreading.Thread(target=print)\n",
    "the number of threads": "import threading\nx = threading.active_count()\n",
    "the network": "import urllib.request\n",
    "a module of urllib": "import urllib.parse\nx = urllib.parse.sys\n",
    "the text of an assertion": "x = 'assert' in str(read)\n",
    "the source of an assertion": "x = 'assert price == 3'\n",
}  # fmt: skip
ORDINARY = {
    "a check that a value is hashable": "def f(x):\n    try:\n        hash(x)\n    except TypeError:\n        return repr(x)\n    return x\n",
    "an in-place function": "def tidy(items):\n    items[:] = sorted(items)\n",
    "clears its own attribute": "def drain(self):\n    found = list(self.items)\n    self.items.clear()\n    return found\n",
    "clears its own list": "def merged(items):\n    kept = list(items)\n    kept.clear()\n    return kept\n",
    "replaces a part of an argument": "def first(items):\n    items[:1] = []\n    return items[1:]\n",
    "a class under another name": "Encoder = json.JSONEncoder\nx = Encoder(indent=2)\n",
    "a function under another name": "array = np.array\nx = array([1])\n",
    "its own attributes": "class A:\n    def f(self, node):\n        self.x = 1\n        node.parent = self\n        node.total += 1\n",
    "an attribute of a new object": "def f():\n    found = json.JSONEncoder()\n    found.indent = 3\n    return found\n",
    "an attribute of its own class": "class A:\n    count = 0\n    def f(self):\n        type(self).count += 1\n",
    "an entry of a registry": "registry['a'] = read\n",
    "an attribute of an entry": "def f(name):\n    found = registry[name]\n    found.used = True\n",
    "a parameter called like a module": "def f(json):\n    json.seen = True\n",
    "a module that may be missing": "x = 1 if np is None else 2\nif not np:\n    y = 3\n",
    "its own call_count": "class A:\n    def f(self):\n        self.call_count += 1\n        self.called = True\n",
    "three arguments like those of type": "x = read('GET', (1, 2), {'a': 3})\n",
    "a type comparison": "def f(x):\n    return type(x) is int\n",
    "a local decimal context": "def f():\n    with decimal.localcontext() as context:\n        context.prec = 3\n",
    "a getter": "x = sorted([], key=operator.attrgetter('name.first'))\n",
    "getattr with the caller's name": "def f(task, name):\n    return getattr(task, name)\n",
    "setattr on self with the caller's name": "class A:\n    def f(self, name, value):\n        setattr(self, name, value)\n",
    "a warning": "warnings.warn('old', DeprecationWarning, stacklevel=2)\n",
    "warnings ignored": "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n",
    "a log message": "log.debug('%s left', 3)\n",
    "an explicit time zone": "x = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)\ny = x.astimezone(datetime.timezone.utc)\n",
    "printing to stdout": "out = sys.stdout\nprint('x', file=out)\n",
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
    "membership by any()": "class A:\n    def __contains__(self, tag):\n        return any(one.tag == tag for one in self.tags)\n",
    "an __exit__ that returns nothing": "class A:\n    def __enter__(self):\n        return self\n"
    "    def __exit__(self, *problem):\n        self.open -= 1\n",
    "an __aexit__ that returns False": "class A:\n    async def __aexit__(self, *problem):\n        await self.close()\n        return False\n",
    "a list with another method": "class Ledger(list):\n    def add(self, one):\n        self.append(one)\n",
    "a dictionary with __missing__": "class Counts(dict):\n    def __missing__(self, key):\n        return 0\n",
    "a string enumeration": "class Colour(str, enum.Enum):\n    RED = 'red'\n",
    "a lock": "import threading\nLOCK = threading.Lock()\n",
    "a logger": "import logging as logs\nx = logs.getLogger('a')\n",
    "urllib quoting": "from urllib.parse import quote_plus\nx = quote_plus('a b')\n",
    "urllib parsing": "import urllib.parse\nx = urllib.parse.urlsplit('a').path\n",
    "the word assert in a sentence": "def f():\n    raise ValueError('cannot assert a discount of a negative price')\n",
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


def test_flags_of_one_line_come_in_the_same_order_in_every_process() -> None:
    """Their order is part of the evidence, and a set of texts has another order in every process."""
    new = (
        "import sys\nx = [sys.settrace, sys.modules, sys.meta_path, sys.path_hooks, sys.setprofile, eval, exec, vars]\n"
    )
    flags = [(flag.what, flag.name) for flag in flags_on_lines("", new, added_lines("", new)) if flag.line == 2]
    assert len(flags) > 8
    assert flags == sorted(flags)


def test_names_that_stand_for_each_other_take_little_time() -> None:
    names = [f"n{number}" for number in range(40)]
    circle = "".join(f"{one} = {other} or {another}\n" for one in names for other in names[:6] for another in names[:3])
    started = time.process_time()
    flag_texts(circle, "")
    assert time.process_time() - started < 20
