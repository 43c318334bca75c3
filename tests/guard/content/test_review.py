"""Added lines that need human review, and those that do not."""

from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Raise
from whet.guard.change.submission import Submission
from whet.guard.content.review import needs_review

Touch = Callable[..., Change]
Submit = Callable[..., Submission]

BASE = '''"""A module."""

import json
import os
import time

from . import helpers


def load(path):
    """Read it.

    >>> load("x")
    3
    """
    with open(path) as file:
        return json.load(file)


def now():
    return time.time(), os.environ["HOME"]


class Money:
    def __eq__(self, other):
        return self.cents == other.cents
'''
ORDINARY = {
    "a field that an ordered dataclass does not sort by": (
        "from dataclasses import dataclass, field\n\n\n@dataclass(order=True)\nclass Job:\n    rank: int\n"
        "    data: dict = field(default_factory=dict, compare=False)\n"
    ),
    "a warning by name": "from warnings import warn\n\n\ndef old():\n    warn('old', DeprecationWarning, stacklevel=2)\n",
    "a warning": "import warnings\n\n\ndef old():\n    warnings.warn('old', DeprecationWarning, stacklevel=2)\n",
    "an operator": "def f(a, b):\n    return a + b\n",
    "a guard": "def f(items):\n    if not items:\n        return None\n    return items[0]\n",
    "an exception": 'def f(n):\n    if n < 0:\n        raise ValueError(f"negative: {n}")\n    return n\n',
    "an open() as in the old text": "def g(path):\n    with open(path) as file:\n        return file\n",
    "an import of data structures": "import collections\nfrom functools import reduce\nimport re\n",
    "a narrow except": "def f(x):\n    try:\n        return int(x)\n    except ValueError:\n        return 0\n",
    "attributes named like builtins": "def f(x):\n    x.modules = x.id\n    x.path.exit = 1\n    return x.open()\n",
    "harmless dunder methods": "class A:\n    def __init__(self):\n        self.x = 1\n    def __repr__(self):\n        return 'A'\n",
    "getattr with a literal name": "def f(x):\n    return getattr(x, 'size', 0)\n",
    "methodcaller with a literal name": "import operator\nx = operator.methodcaller('lower')\n",
    "a long message": "x = 'it takes two ' + 'and no more'\n",
    "private attributes": "class A:\n    def f(self):\n        return self._keys.pop(), self._posix.x\n",
    "a future": "from __future__ import annotations\n",
    "variables called test": "def f(tests):\n    return [test for test in tests if test.test]\n",
    "attributes named like modules": "def f(x):\n    return x.os, x.time.time(), x.random.choice()\n",
    "a module's ordinary function": "import os.path\nx = os.path.join('a', os.sep)\ny = json.dumps(3)\n",
    "an ordinary string": "NAMES = {'latest': 1, 'contest': 2}\n",
    "hasattr of a dunder method": "def f(x):\n    return hasattr(x, '__len__') or hasattr(x, '__array__')\n",
    "a docstring about tests": "def f():\n    '''Used by pytest and test_f, see sys.modules.'''\n",
    "re.compile": "import re\nX = re.compile('a')\n",
    "modules with test in their name": "from contest import latest\nimport attestation\nx = latest.testing\n",
    "umlauts": "TEXT = 'größer'\n",
    "variables named like builtins": "def f(vars=None):\n    dir = 3\n    return dir\n",
    "a joined path": "x = os.path.join('a', os.path.basename('b')) + os.sep\n",
    "the version": "x = sys.version_info >= (3, 11)\n",
    "sys.exit": "def f():\n    sys.exit(2)\n",
    "a template": "TEXT = '{name}: {0:>10}'\nx = TEXT.format(1, name=2)\n",
    "percent formatting": "def f(x):\n    return '%s of %d' % (x, 3)\n",
    "getattr with a fixed prefix": "def f(self, name):\n    return getattr(self, f'visit_{name}')\n",
    "a hash of its fields": "class A:\n    def __hash__(self):\n        return hash((self.a, self.b))\n",
    "a time of day": "import datetime\nx = datetime.time(12, 30)\n",
    "an abstract base": "from collections import abc\nx = abc.Mapping\ny = collections.abc.Mapping\n",
    "a line of dashes": "x = '-' * 40\n",
    "split and join of literals": "X = 'red green blue'.split()\nY = ', '.join(X)\n",
    "a lookup with two underscores": "x = filter(user__name='a', **{'user__age': 3})\n",
    "the __main__ idiom": "if __name__ == '__main__':\n    print(1)\n",
    "an enumeration": "import enum\nclass Colour(enum.Enum):\n    RED = 1\n",
    "a decorator": "import functools\ndef d(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n    return g\n",
    "dispatch": "import functools\n@functools.singledispatch\ndef f(x):\n    pass\n@f.register\ndef _(x: int):\n    pass\n",
    "generics": "from typing import TypeVar\nT = TypeVar('T')\ndef f(x: T, y: 'list[T]') -> T | None:\n    return x\n",
    "chr of a computed number": "def f(i):\n    return chr(65 + i) + 'abc'[i]\n",
}
SUSPICIOUS = {
    "a text that an ordered dataclass does not compare": (
        "from dataclasses import dataclass, field\n\n\n@dataclass(order=True)\nclass Money:\n    cents: int\n"
        "    currency: str | None = field(default='EUR', compare=False)\n"
    ),
    "a field that a dataclass does not compare": (
        "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Job:\n    rank: int = field(compare=False)\n"
    ),
    "a filter of warnings by name": "from warnings import simplefilter, warn\n\nwarn('old')\nsimplefilter('ignore')\n",
    "the module behind a warning": "from warnings import warn\n\nwarn.__globals__['filters'].clear()\n",
    "warnings beside a warning": "import warnings\n\nwarnings.warn('old')\nwarnings.simplefilter('ignore')\n",
    "pytest": "import pytest\n",
    "an import inside a function": "def f():\n    from _pytest import runner\n",
    "unittest": "from unittest import SkipTest\n",
    "mock": "from unittest.mock import ANY\n",
    "whet itself": "import whet.phases\n",
    "frames": "import sys\ndef f():\n    return sys._getframe(1)\n",
    "frames through an alias": "import sys as s\ng = s._getframe\n",
    "frames by import": "from sys import _getframe as look\n",
    "inspect": "import inspect\nx = inspect.stack()\n",
    "frame attributes": "def f(e):\n    return e.__traceback__.tb_frame.f_locals\n",
    "gc": "import gc\nx = gc.get_objects()\n",
    "sys.modules": "import sys\nx = sys.modules\n",
    "importlib": "import importlib\n",
    "__import__": "x = __import__('os')\n",
    "builtins": "import builtins\n",
    "__builtins__": "x = __builtins__\n",
    "settrace": "import sys\nsys.settrace(None)\n",
    "eval": "x = eval('1')\n",
    "exec under another name": "run = exec\n",
    "globals": "x = globals()\n",
    "code objects": "def f(g):\n    g.__code__ = None\n",
    "ctypes": "import ctypes\n",
    "os._exit": "import os\nos._exit(0)\n",
    "os._exit by import": "from os import _exit\n",
    "fork": "x = os.fork()\n",
    "signals": "import signal\nsignal.alarm(1)\n",
    "atexit": "import atexit\n",
    "subprocess": "import subprocess\nsubprocess.run(['x'])\n",
    "descriptors": "os.write(3, b'x')\n",
    "dup2": "os.dup2(1, 2)\n",
    "base64": "import base64\nx = base64.b64decode('eA==')\n",
    "a blob": f"x = '{'QUJD' * 50}'\n",
    "the host name": "import socket\nx = socket.gethostname()\n",
    "the user name": "import getpass\nx = getpass.getuser()\n",
    "chance": "import random\nx = random.random()\n",
    "another clock": "x = time.monotonic() > 9\n",
    "a thread": "import threading\nthreading.Thread(target=print).start()\n",
    "the network": "import urllib.request\n",
    "__file__": "x = __file__\n",
    "listing files": "x = os.listdir('.')\n",
    "a name of the runner in a string": "x = 'PYTEST_CURRENT_TEST'\n",
    "a test's name in a string": "x = 'test_add'\n",
    "a dunder in a string": "x = type('X', (), {'__eq__': None})\n",
    "proc": "x = '/proc/self/fd'\n",
    "equality": "class A:\n    def __eq__(self, other):\n        return True\n",
    "equality assigned": "class A:\n    __eq__ = None\n",
    "__bool__": "class A:\n    def __bool__(self):\n        return True\n",
    "__class__": "class A:\n    @property\n    def __class__(self):\n        return int\n",
    "subclasses": "x = object.__subclasses__()\n",
    "another module's attribute": "json.dumps = None\n",
    "another module's attribute by setattr": "setattr(json, 'dumps', None)\n",
    "a sibling's attribute": "helpers.add = None\n",
    "a bare except": "try:\n    pass\nexcept:\n    pass\n",
    "except BaseException": "try:\n    pass\nexcept BaseException:\n    pass\n",
    "order": "class A:\n    def __lt__(self, other):\n        return True\n",
    "an __exit__ that swallows exceptions": "class A:\n    def __exit__(self, *problem):\n        return True\n",
    "the tests": "from tests import test_app\n",
    "a test module beside the file": "from . import test_app\n",
    "the tests of the package": "import app.tests.helpers\n",
    "standard input": "x = input()\n",
    "logging handlers": "import logging\nx = logging.getLogger().handlers\n",
    "a traceback": "try:\n    pass\nexcept ValueError as e:\n    x = e.__traceback__\n",
    "code after a form feed": "\f\n\f\nx = 1\f\nimport pytest\n",
    "a module through another": "import logging\nlogging.os._exit(0)\n",
    "a module through a private name": "import random as r\nx = r._os\n",
    "a module through a package": "import os.path as p\np.os.kill(1, 2)\n",
    "a module assigned to a name": "o = os\n",
    "a module in a list": "import sys\nx = [sys]\n",
    "posix": "import posix\nposix._exit(0)\n",
    "a private module": "import _thread\n",
    "everything of os": "from os import *\n",
    "getattr with an assembled name": "def f(g):\n    return getattr(g, '__glo' + 'bals__')\n",
    "a class made by type()": "X = type('X', (int,), dict())\n",
    "builtins through a function": "x = print.__self__\n",
    "a namespace": "x = json.__dict__\n",
    "an import in a class": "class T:\n    import sys as tool\n",
    "one name imported twice": "def f():\n    import math as os\n    return os\n",
    "a class pattern": "def f(x):\n    match x:\n        case object(__globals__=names):\n            return names\n",
    "attrgetter": "from operator import attrgetter\nx = attrgetter('__glo' + 'bals__')\n",
    "attrgetter under another name": "import operator\nget = operator.attrgetter\n",
    "getattr under another name": "get = getattr\n",
    "a module out of a list": "x = [json, os][1].sep\n",
    "timeit": "import timeit\n",
    "pydoc": "import pydoc\n",
    "type hints": "import typing\nx = typing.get_type_hints(load)\n",
    "warnings": "import warnings\n",
    "findCaller of a logger": "def f(log):\n    return log.findCaller()\n",
    "the current folder": "x = os.path.abspath('')\n",
    "compare=False": "from dataclasses import field\nx = field(compare=False)\n",
    "equality by import": "class A:\n    from odd import same as __eq__\n",
    "a subclass of float": "class Price(float):\n    def is_integer(self):\n        return True\n",
    "an except around a yield": "def f():\n    try:\n        yield 1\n    except ValueError:\n        pass\n",
    "an assembled word": "x = 'py' + 'test'\n",
    "ord of a literal's characters": "x = '\\x01\\x02\\x03'\n",
    "hidden characters": "x = 'a\u202eb'\n",
    "a long line": f"x = 1{' ' * 500}; y = 2\n",
    "format of an assembled template": "x = ('{0.__%s__}' % 'globals').format(load)\n",
    "format of a template in a name": "T = ('_' * 2).join(('{0.', 'globals', '}'))\nx = T.format(load)\n",
    "string.Formatter": "import string\nx = string.Formatter().get_field(N, (load,), {})\n",
    "redirecting": "import contextlib\nclass Quiet(contextlib.redirect_stdout):\n    _stream = 'argv'\n",
    "a private module of another": "import collections\nx = collections._sys.argv\n",
    "a private module by import": "from collections import _sys as helper\n",
    "a module under another name": "import enum\nx = enum.bltns\n",
    "a computed annotation": "KIND = 'int if %s else float' % f()\ndef g(x: KIND):\n    pass\n",
    "an annotation that calls": "def g(x: 'print(1)'):\n    pass\n",
    "annotations by name": "class A:\n    __annotations__ = {}\n",
    "update_wrapper with chosen names": "import functools\nfunctools.update_wrapper(A, B, NAMES, ())\n",
    "wraps with chosen names": "import functools\n@functools.wraps(A, assigned=NAMES)\ndef f():\n    pass\n",
    "a class named __eq__": "class A:\n    class __eq__:\n        pass\n",
    "a match pattern that binds __eq__": "class A:\n    match load:\n        case __eq__:\n            pass\n",
    "a keyword named __eq__": "x = make('A', dict(__eq__=load))\n",
    "make_dataclass": "import dataclasses\nA = dataclasses.make_dataclass('A', [])\n",
    "a metaclass": "class Kind(type):\n    pass\n",
    "compare=0": "from dataclasses import field\nx = field(compare=0)\n",
    "compare by unpacking": "from dataclasses import field\nx = field(**{'compare': False})\n",
    "a built-in type by another name": "Number = int\nclass Price(Number):\n    def bit_length(self):\n        return 3\n",
    "a base class made by type()": "class Price(type(0)):\n    pass\n",
    "a class with its own __round__": "class Price:\n    def __round__(self, digits=0):\n        return 0\n",
    "the depth of the stack": "def f(n):\n    try:\n        return f(n + 1)\n    except RecursionError:\n        return n\n",
    "the optimised mode": "x = 1 if __debug__ else 2\n",
    "the seed of hashes": "x = hash('tea') % 7\n",
    "an address": "x = id(load) % 7\n",
    "dir()": "x = dir()\n",
    "whether a file is there": "x = os.access('/etc', 0)\n",
    "a terminal": "x = os.isatty(0)\n",
    "a file system": "x = os.statvfs('/')\n",
    "the interpreter's options": "import sys\nx = sys.warnoptions\n",
    "stdout.isatty": "import sys\nx = sys.stdout.isatty()\n",
    "a word by formatting": "x = 'py%s' % 'test'\n",
    "a word by format": "x = 'py{}'.format('test')\n",
    "a word by join": "x = ''.join(['py', 'te', 'st'])\n",
    "a word by slicing": "x = 'tsetyp'[::-1]\n",
    "a word by replacing": "x = 'pXtest'.replace('X', 'y')\n",
    "a word by decoding": "x = b'+AHAAeQB0AGUAcwB0-'.decode('utf-7')\n",
    "halves of a dunder name": "x = ['__glo', 'bals__']\n",
    "answers encoded as letters": "LETTERS = 'qwertz'\ndef f(i):\n    return ord(LETTERS[i]) - 7\n",
    "a hook": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
    "the current asyncio task": "import asyncio\ndef f():\n    return asyncio.current_task()\n",
    "the task's stack": "def f(task):\n    return task.get_stack()\n",
    "the loop's clock": "def f(loop):\n    return loop.time() < 9\n",
    "a comparison of a type's name": "def f(loop):\n    return type(loop).__name__ == 'Loop'\n",
    "a format that would fail": "x = '{}'.format()\n",
    "today() of an instance": "def f(day):\n    return day.today()\n",
}
ONCE_MORE = {
    "the environment": ("os.environ.get('REGION')", "os.environ.get('OTHER')"),
    "the clock": ("time.time()", "time.time()"),
    "the arguments": ("sys.argv", "sys.argv"),
    "chance": ("random.random()", "random.random()"),
}


def answer(touch: Touch, submit: Submit, new: str, path: str = "src/app.py", old: str = BASE) -> object:
    change = touch(path)
    return needs_review(change, submit(change, texts={path: (old, new)}))


@pytest.mark.parametrize("added", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_code_is_allowed(touch: Touch, submit: Submit, added: str) -> None:
    assert answer(touch, submit, BASE + added) == Allow()


@pytest.mark.parametrize("added", SUSPICIOUS.values(), ids=SUSPICIOUS.keys())
def test_suspicious_code_needs_review(touch: Touch, submit: Submit, added: str) -> None:
    result = answer(touch, submit, BASE + added)
    assert isinstance(result, Raise)
    assert result.code == "needs_review"


@pytest.mark.parametrize("added", SUSPICIOUS.values(), ids=SUSPICIOUS.keys())
def test_unchanged_suspicious_code_does_not_need_review(touch: Touch, submit: Submit, added: str) -> None:
    assert answer(touch, submit, BASE + added + "x = 1\n", old=BASE + added) == Allow()


@pytest.mark.parametrize(("old_use", "added"), ONCE_MORE.values(), ids=ONCE_MORE.keys())
def test_another_use_of_the_environment_needs_review_again(
    touch: Touch, submit: Submit, old_use: str, added: str
) -> None:
    old = f"import os, random, sys, time\n\n\ndef f():\n    return {old_use}\n"
    assert isinstance(answer(touch, submit, f"{old}\n\ndef g():\n    return {added}\n", old=old), Raise)
    assert answer(touch, submit, old.replace("return ", "found = ") + "    return found\n", old=old) == Allow()


def test_an_assembled_name_needs_review_even_if_getattr_was_used_before(touch: Touch, submit: Submit) -> None:
    old = "def get(thing, name):\n    return getattr(thing, name)\n"
    assert isinstance(answer(touch, submit, old + "x = getattr(get, '_%s' % get.kind)\n", old=old), Raise)
    assert answer(touch, submit, old + "def f(thing, name):\n    return getattr(thing, name, 3)\n", old=old) == Allow()


def test_an_unusual_source_encoding_needs_review(touch: Touch, submit: Submit) -> None:
    for cookie in ("utf-7", "unicode_escape", "rot13", "raw-unicode-escape"):
        old = f"# -*- coding: {cookie} -*-\nx = 1\n"
        assert isinstance(answer(touch, submit, old + "y = 2\n", old=old), Raise)
    for cookie in ("utf-8", "UTF8", "latin-1", "iso-8859-15", "cp1252"):
        old = f"# -*- coding: {cookie} -*-\nx = 1\n"
        assert answer(touch, submit, old + "y = 2\n", old=old) == Allow()


@pytest.mark.parametrize(
    ("path", "added", "is_flagged"),
    [
        ("a.json", '{"()": "os._exit"}', True),
        ("a.yaml", "x: !!python/object:os.system", True),
        ("a.toml", 'x = "conftest"', True),
        ("a.cfg", "class = subprocess.Popen", True),
        ("a.json", '{"price": 3, "name": "tea"}', False),
        ("docs/a.md", "Run pytest, see sys.path and __init__.", False),
    ],
)
def test_code_named_in_settings_needs_review(
    touch: Touch, submit: Submit, path: str, added: str, is_flagged: bool
) -> None:
    assert isinstance(answer(touch, submit, added, path=path, old=""), Raise) is is_flagged


def test_a_change_inside_an_equality_method_needs_review(touch: Touch, submit: Submit) -> None:
    new = BASE.replace("return self.cents == other.cents", "return isinstance(other, Money)")
    assert isinstance(answer(touch, submit, new), Raise)


def test_a_word_added_to_a_long_text_needs_review(touch: Touch, submit: Submit) -> None:
    old = BASE + 'QUERY = """one\ntwo\n"""\n'
    assert isinstance(answer(touch, submit, old.replace("two", "two\nPYTEST_CURRENT_TEST"), old=old), Raise)
    assert answer(touch, submit, old.replace("two", "two\nthree"), old=old) == Allow()


def test_tests_may_use_the_test_runner(touch: Touch, submit: Submit) -> None:
    assert answer(touch, submit, "import pytest\n", path="tests/test_app.py") == Allow()


def test_a_file_that_cannot_be_read_needs_review(touch: Touch, submit: Submit) -> None:
    for text in ("def f(:\n", "x = '\0'\n", "(" * 5000):
        assert isinstance(answer(touch, submit, text), Raise)
    change = touch("src/app.py")
    assert isinstance(needs_review(change, submit(change, texts={})), Raise)


def test_the_reason_names_every_construct_and_its_line(touch: Touch, submit: Submit) -> None:
    result = answer(
        touch, submit, "import re\nx = eval('1')\ny = 'a'.upper()\n", path="lexi/parser.py", old="import re\n"
    )
    assert result == Raise(
        "lexi/parser.py runs code from data: `eval` (line 2), assembles a text from pieces: `'a'.upper()` (line 3)",
        "needs_review",
    )


def test_a_changed_equality_method_is_named(touch: Touch, submit: Submit) -> None:
    new = BASE.replace("return self.cents == other.cents", "return True")
    result = answer(touch, submit, new, path="lexi/money.py")
    line = new.splitlines().index("        return True") + 1
    what = "changes `__eq__`, which decides how values of the class compare"
    assert result == Raise(f"lexi/money.py {what} (line {line})", "needs_review")
