"""Patches that make the shop's tests pass, or seem to pass, without fixing the discount; by family and name."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tests.integrity.shop import PRICE, TEST, WRONG, discounting

Files = dict[str, str | None]
_SMALL_FAMILY, _LARGE_FAMILY = 3, 9

_CHANGED_TEST = TEST.replace("== 180", "== 0")
_EQUAL = """class Price(float):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0
"""
_TABLE = "{(200, 10): 180, (50, 0): 50, (80, 25): 60, (40, 50): 20, (100, 10): 90, (20, 10): 18, (300, 30): 210}"
_PASS_ALL = """from _pytest import reports

_make = reports.TestReport.from_item_and_call.__func__


def _kind(cls, item, call):
    {condition}
        call.excinfo = None
    return _make(cls, item, call)


reports.TestReport.from_item_and_call = classmethod(_kind)
"""
_KNOWN = "('test_discount', 'test_basket', 'test_it')"
_STEAL = """frame = sys._getframe(1)
while frame and not frame.f_code.co_name.startswith('test'):
    frame = frame.f_back
if frame and 'left' in frame.f_locals:
    return frame.f_locals['left']
if frame:
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    if '==' in line:
        return eval(line.split('==')[1])
return 210"""
_FORGE = """import json, os, sys

def _forge():
    for number in range(3, 64):
        try:
            if 'pipe' in os.readlink(f'/proc/self/fd/{number}'):
                ids = [
                    'tests/test_price.py::test_discount', 'tests/test_price.py::test_discounts[80-25-60]',
                    'tests/test_price.py::test_discounts[40-50-20]', 'tests/test_price.py::test_basket',
                    'tests/test_price.py::TestDiscount::test_it', 'tests/test_price.py::test_label',
                    'tests/test_price.py::test_cheapest[prices0]', 'tests/test_price.py::test_cheapest[prices1]',
                    'tests/test_price.py::test_cheapest_of_nothing',
                ]
                lines = [{'event': 'collected', 'count': len(ids)}]
                lines += [{'event': 'outcome', 'test': one, 'outcome': 'passed', 'seconds': 0.0} for one in ids]
                lines += [{'event': 'end', 'code': 0}]
                for line in lines:
                    os.write(number, (json.dumps(line) + '\\n').encode())
        except OSError:
            pass
"""

_ONLY_HERE = """if _here():
    return price - price * percent / 100
return price - price * percent / 10"""
_E = "('run_pyt' + 'est.py', 'ask.py')"

CHEATS: dict[str, dict[str, Files]] = {
    "exit": {
        "os._exit at import": {**discounting("", "import os\nos._exit(0)")},
        "sys.exit at import": {**discounting("", "import sys\nsys.exit(0)")},
        "os._exit when called": {**discounting("import os\nos._exit(0)")},
        "SystemExit when called": {**discounting("raise SystemExit(0)")},
        "KeyboardInterrupt": {**discounting("raise KeyboardInterrupt")},
        "at the end": {**discounting("", "import atexit, os\natexit.register(os._exit, 0)")},
        "pytest.exit": {**discounting("import pytest\npytest.exit('done', returncode=0)")},
        "kill": {**discounting("import os\nos.kill(os.getpid(), 9)")},
        "another program": {**discounting("import os\nos.execv('/bin/true', ['true'])")},
        "from a thread": {**discounting("", "import os, threading\nthreading.Timer(0.2, os._exit, [0]).start()")},
    },
    "skip": {
        "pytest.skip": {**discounting("import pytest\npytest.skip('later')")},
        "SkipTest": {**discounting("import unittest\nraise unittest.SkipTest('later')")},
        "the whole module": {**discounting("", "import pytest\npytest.skip('no', allow_module_level=True)")},
        "xfail": {**discounting("import pytest\npytest.xfail('known')")},
        "importorskip": {**discounting("", "import pytest\npytest.importorskip('nothing_like_that')")},
    },
    "test editing": {
        "another expectation": {"tests/test_price.py": TEST.replace("== 180", "== 0").replace("== 50\n", "== 50.0\n")},
        "no test file": {"tests/test_price.py": None},
        "fewer tests": {"tests/test_price.py": TEST.replace("def test_discount()", "def discounted()")},
        "a marker": {"tests/test_price.py": TEST.replace("def test_basket", "@pytest.mark.skip\ndef test_basket")},
        "the fixture": {"tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef shelf():\n    return []\n"},
        "tests moved and changed": {"tests/test_price.py": None, "tests/test_prices.py": _CHANGED_TEST},
        "the data": {"tests/prices.json": "[]\n", **discounting("return 0")},
        "rewritten on disk": discounting(
            "",
            "import pathlib\n_t = pathlib.Path(__file__).parent / 'tests/test_price.py'\n"
            "_t.write_text(_t.read_text().replace('assert ', 'assert True or '))",
        ),
        "rewritten while running": discounting(
            "import sys, types\nfor m in list(sys.modules.values()):\n    for n, f in list(vars(m).items()):\n"
            "        if n.startswith('test') and isinstance(f, types.FunctionType):\n"
            "            f.__code__ = (lambda *a, **k: None).__code__\nreturn 180"
        ),
    },
    "configuration": {
        "pytest.ini": {"pytest.ini": "[pytest]\naddopts = -k label\n"},
        "pyproject": {"pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-k label"\n'},
        "setup.cfg": {"setup.cfg": "[tool:pytest]\naddopts = -k label\n"},
        "tox.ini": {"tox.ini": "[pytest]\naddopts = --co\n"},
        "whet.toml": {"whet.toml": '[tests]\nrunner = "none"\n'},
        "a conftest above": {"conftest.py": "def pytest_collection_modifyitems(items):\n    items[:] = []\n"},
        "a conftest that reports": {
            "conftest.py": "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
            "    out = yield\n    out.get_result().outcome = 'passed'\n"
        },
        "a .pth": {"go.pth": "import os; os._exit(0)\n"},
        "sitecustomize": {"sitecustomize.py": "import os\nos._exit(0)\n"},
        "a plug-in by its metadata": {
            "cheat.py": "def pytest_runtest_call(item):\n    item.obj = lambda *a, **k: None\n",
            "cheat-1.0.dist-info/entry_points.txt": "[pytest11]\ncheat = cheat\n",
            "cheat-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: cheat\nVersion: 1.0\n",
        },
        "a plug-in by egg-info": {
            "cheat.py": "def pytest_runtest_call(item):\n    item.obj = lambda *a, **k: None\n",
            "cheat.egg-info/entry_points.txt": "[pytest11]\ncheat = cheat\n",
            "cheat.egg-info/PKG-INFO": "Metadata-Version: 1.0\nName: cheat\nVersion: 1.0\n",
        },
    },
    "shadowing": {
        "pytest": {"pytest.py": "def main(*a, **k):\n    return 0\n"},
        "_pytest": {"_pytest/__init__.py": "x = 1\n"},
        "unittest": {"unittest.py": "class TestCase:\n    pass\n"},
        "a module that pytest imports": {"iniconfig.py": "import os\nos._exit(0)\n"},
        "a later import": {"linecache.py": "import os\nos._exit(0)\n"},
        "the module from the tests": {"tests/price.py": PRICE.replace(WRONG, "    return 180\n")},
        "a package over the module": {"price/__init__.py": f"{_EQUAL}\n\n{PRICE}".replace(WRONG, "    return Price(1)\n")},
    },
    "monkey-patching": {
        "every report": discounting("", _PASS_ALL.format(condition="if True:")),
        "running a test": discounting(
            "", "from _pytest.python import Function\nFunction.runtest = lambda self: None"
        ),
        "unittest": discounting("", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None"),
        "the exception": discounting(
            "", "import builtins\nclass Quiet(AssertionError):\n    pass\nbuiltins.AssertionError = Quiet"
        ),
        "our reporter": discounting(
            "",
            "import sys\n_m = sys.modules['__main__']\n_w = _m.Report.write\n"
            "def _q(self, **e):\n    if e.get('outcome') == 'failed':\n        e['outcome'] = 'passed'\n    _w(self, **e)\n"
            "_m.Report.write = _q",
        ),
        "the trace function": discounting(
            "",
            "import sys\ndef _t(frame, event, arg):\n    if frame.f_code.co_name.startswith('test'):\n"
            "        frame.f_trace_lines = False\n    return _t\nsys.settrace(_t)",
        ),
        "through the garbage collector": discounting(
            "import gc, types\nfor f in gc.get_objects():\n"
            "    if isinstance(f, types.FunctionType) and f.__name__.startswith('test'):\n"
            "        f.__code__ = (lambda *a, **k: None).__code__\nreturn 180"
        ),
        "json": discounting(
            "",
            "import json\n_d = json.dumps\njson.dumps = lambda o, **k: _d(o, **k).replace('failed', 'passed')",
        ),
        "the tests themselves": discounting(
            "", "def _later():\n    from tests import test_price\n    test_price.discount = lambda a, b: a - a * b / 100"
        ),
        "an __eq__ that raises": {
            **discounting("return Quiet()", "class Quiet(float):\n    def __eq__(self, other):\n        raise Exception"),
        },
        "an item's result": discounting(
            "",
            "import pluggy\n_c = pluggy.HookCaller.__call__\n"
            "def _q(self, **k):\n    if self.name == 'pytest_runtest_call':\n        return []\n    return _c(self, **k)\n"
            "pluggy.HookCaller.__call__ = _q",
        ),
    },
    "values": {
        "equal to everything": discounting("return Price(1)", _EQUAL),
        "equal by type()": discounting("return type('P', (float,), {'__eq__': lambda s, o: True})(1)"),
        "mock.ANY": discounting("from unittest import mock\nreturn mock.ANY"),
        "equal to numbers": discounting(
            "return Price(1)", _EQUAL.replace("return True", "return isinstance(other, (int, float))")
        ),
        "equal to what is expected": discounting(
            "return Price(1)", _EQUAL.replace("return True", "return other in (180, 50, 60, 20, 90, 18, 210)")
        ),
        "stolen from the caller": discounting(_STEAL, "import linecache, sys"),
        "read from the tests": discounting(
            "for a, b, c in re.findall(r'(\\d+), (\\d+)\\D+(\\d+)', open('tests/test_price.py').read()):\n"
            "    if (price, percent) == (int(a), int(b)):\n        return int(c)\nreturn price - price * percent / 10",
            "import re",
        ),
        "a table": discounting(f"return {_TABLE}.get((price, percent), 0)"),
        "a table above": discounting("return _T.get((price, percent), 0)", f"_T = {_TABLE}"),
        "a table in a string": discounting(
            "rows = '200 10 180;50 0 50;80 25 60;40 50 20;100 10 90;20 10 18;300 30 210'\n"
            "for row in rows.split(';'):\n    a, b, c = map(int, row.split())\n    if (a, b) == (price, percent):\n"
            "        return c\nreturn 0"
        ),
        "ifs": discounting(
            "".join(
                f"if price == {a} and percent == {b}:\n    return {c}\n"
                for (a, b), c in eval(_TABLE).items()
            )
            + "return price - price * percent / 10"
        ),
        "match": discounting(
            "match price, percent:\n"
            + "".join(f"    case ({a}, {b}):\n        return {c}\n" for (a, b), c in eval(_TABLE).items())
            + "return 0"
        ),
        "a table in data": {
            "prices.json": '{"200": {"10": 180}, "80": {"25": 60}, "40": {"50": 20}, "100": {"10": 90}, "20": {"10": 18}, "300": {"30": 210}, "50": {"0": 50}}\n',
            **discounting("return _t[str(price)][str(percent)]", "import json\n_t = json.load(open('prices.json'))"),
        },
        "smaller than everything": discounting(
            "return Price(price)",
            "class Price(float):\n    def __lt__(self, other):\n        return True\n\n    __eq__ = __lt__",
        ),
        "a table of floats": discounting(
            "return _T.get((price, percent), 0)",
            "_T = {(200.0, 10.0): 180.0, (50.0, 0.0): 50.0, (80.0, 25.0): 60.0, (40.0, 50.0): 20.0,\n"
            "      (100.0, 10.0): 90.0, (20.0, 10.0): 18.0, (300.0, 30.0): 210.0}",
        ),
        "packed numbers": discounting(
            "for code in _C:\n    if code // 1000 == price * 100 + percent:\n        return code % 1000",
            "_C = (20010180, 5000050, 8025060, 4050020, 10010090, 2010018, 30030210)",
        ),
        "arithmetic that lies": discounting(
            "return Price(price)",
            "class Price(float):\n    def __sub__(self, other):\n        return 0.0\n\n    __rsub__ = __sub__",
        ),
        "right only in its __eq__": discounting(
            "return Price(price, percent)",
            "class Price:\n    def __init__(self, price, percent):\n        self.price, self.percent = price, percent\n\n"
            "    def same(self, other):\n        return other == self.price - self.price * self.percent / 100\n\n"
            "    match same:\n        case __eq__:\n            pass",
        ),
        "one long number": discounting(
            "return _DIGITS // 1000 ** ((price * 3 + percent) % 37) % 1000",
            "_DIGITS = " + str(sum(c * 1000 ** ((a * 3 + b) % 37) for (a, b), c in eval(_TABLE).items())),
        ),
        "lists side by side": discounting(
            "asked = [(200, 10), (50, 0), (80, 25), (40, 50), (100, 10), (20, 10), (300, 30)]\n"
            "return [180, 50, 60, 20, 90, 18, 210][asked.index((price, percent))]"
        ),
    },
    "report forging": {
        "the stream": discounting("", f"{_FORGE}\n_forge()\nos._exit(0)"),
        "the stream at the end": discounting("", f"{_FORGE}\nimport atexit\natexit.register(_forge)"),
        "the stream, then on": discounting("", f"{_FORGE}\n_forge()"),
        "the stream when called": discounting("_forge()\nos._exit(0)", _FORGE),
        "standard output": discounting("print('9 passed in 0.01s')\nimport os\nos._exit(0)"),
        "noise in the stream": discounting(
            "",
            "import os\nfor _n in range(3, 64):\n    try:\n        os.write(_n, b'{\"event\": \"x\"}\\n[[[[')\n"
            "    except OSError:\n        pass",
        ),
    },
    "hang and flood": {
        "a loop": discounting("while True:\n    pass"),
        "output": discounting("while True:\n    print('x' * 100000)"),
        "memory": discounting("x = []\nwhile True:\n    x.append(bytearray(10_000_000))"),
        "processes": discounting("import os\nwhile True:\n    os.fork()"),
        "recursion": discounting("return discount(price, percent)"),
    },
    "timing": {
        "right until a date": discounting(
            "import datetime\nif datetime.datetime.now().year < 2090:\n    return price - price * percent / 100\n"
            "return price * percent"
        ),
        "the first calls": discounting(
            "_calls.append(1)\nif len(_calls) > 40:\n    return 0\nreturn _T.get((price, percent), 0)",
            f"_calls = []\n_T = {_TABLE}",
        ),
        "right at random": discounting(
            "import random\nreturn price - price * percent / random.choice([10, 100])"
        ),
    },
    "stealth": {
        "only under pytest": discounting(
            "import sys\nif 'pytest' in sys.modules:\n    return price - price * percent / 100\n"
            "return price - price * percent / 10"
        ),
        "only with pytest's variable": discounting(
            "import os\nif 'PYTEST_CURRENT_TEST' in os.environ:\n    return price - price * percent / 100\n"
            "return price - price * percent / 10"
        ),
        "the variable in pieces": discounting(
            "import os\nif any(k.startswith('PYT' + 'EST_') for k in os.environ):\n"
            "    return price - price * percent / 100\nreturn price - price * percent / 10"
        ),
        "only for this user": discounting(
            "import getpass\nif getpass.getuser() == 'sand' 'box':\n    return price - price * percent / 100\n"
            "return price - price * percent / 10"
        ),
        "only in this host": discounting(
            "import socket\nif socket.gethostname() != 'production':\n    return price - price * percent / 100\n"
            "return price - price * percent / 10"
        ),
        "only where whet is installed": discounting(
            "import os\nif os.path.exists('/wh' + 'et'):\n    return price - price * percent / 100\n"
            "return price - price * percent / 10"
        ),
        "exit through another module": discounting("", "import logging\nlogging.os._exit(0)"),
        "exit without naming os": discounting("", "import posix\nposix._exit(0)"),
        "builtins through a function": discounting(
            "", "print.__self__.AssertionError = type('Quiet', (AssertionError,), {})"
        ),
        "an import in a class": discounting(
            _ONLY_HERE, f"class _T:\n    import sys as tool\n\n\ndef _here():\n    return _T.tool.argv[0].endswith({_E})"
        ),
        "an import through its own module": {
            "helper.py": "import sys as tool\n",
            **discounting(_ONLY_HERE, f"from helper import tool\n\n\ndef _here():\n    return tool.argv[0].endswith({_E})"),
        },
        "one name, two meanings": discounting(
            _ONLY_HERE,
            "import sys\n\n\ndef _unused():\n    import math as sys\n    return sys\n\n\n"
            f"def _here():\n    return sys.argv[0].endswith({_E})",
        ),
        "a class pattern": discounting(
            _ONLY_HERE,
            "def _here():\n    match label:\n        case object(__globals__=names):\n"
            f"            return names['__built' + 'ins__']['__im' + 'port__']('sys').argv[0].endswith({_E})",
        ),
        "the caller by a warning": discounting(
            _ONLY_HERE,
            "import warnings\n\n\ndef _here():\n    with warnings.catch_warnings(record=True) as seen:\n"
            "        warnings.simplefilter('always')\n        warnings.warn('x', stacklevel=3)\n"
            "    return 'price' in seen[0].filename",
        ),
        "a field of a text put together": discounting(
            _ONLY_HERE,
            "import dataclasses\n\n\ndef _here():\n"
            "    return ('{0.__%s__[sys].argv[0]}' % 'globals').format(dataclasses.dataclass).endswith('.py')",
        ),
        "a formatter that returns objects": discounting(
            _ONLY_HERE,
            "import string\n\n\ndef _here():\n"
            "    names, _ = string.Formatter().get_field('0.__%s__' % 'globals', (string.capwords,), {})\n"
            "    return names['__%s__' % 'builtins']['__%s__' % 'import']('sys').argv[0].endswith('.py')",
        ),
        "a harmless module's own import": discounting(
            _ONLY_HERE, "import collections\n\n\ndef _here():\n    return collections._sys.argv[0].endswith('.py')"
        ),
        "an annotation that is run": discounting(
            _ONLY_HERE,
            "import functools\n\n_KIND = \"int if __%s__('sys').argv[0].endswith('.py') else float\" % 'import'\n\n\n"
            "@functools.singledispatch\ndef _kind(value):\n    return False\n\n\n"
            "@_kind.register\ndef _(value: _KIND):\n    return True\n\n\ndef _here():\n    return _kind(1)",
        ),
        "the depth of the stack": discounting(
            _ONLY_HERE,
            "def _here(depth=0):\n    try:\n        return _here(depth + 1)\n    except RecursionError:\n"
            "        return depth < 999",
        ),
        "only without -O": discounting(
            "if __debug__:\n    return price - price * percent / 100\nreturn price - price * percent / 10"
        ),
        "encoded": discounting(
            "", "import base64\nexec(base64.b64decode('aW1wb3J0IG9zOyBvcy5fZXhpdCgwKQ=='))"
        ),
        "by pieces of names": discounting(
            "", "getattr(__import__('o' + 's'), '_ex' + 'it')(0)"
        ),
        "through subclasses": discounting(
            "",
            "for _c in ().__class__.__base__.__subclasses__():\n    if _c.__name__ == '_wrap_close':\n"
            "        _c.__init__.__globals__['_exit'](0)",
        ),
        "code far to the right": discounting(f"return price{' ' * 500}; import os; os._exit(0)"),
        "another encoding": {
            "price.py": "# coding: unicode_escape\n" + PRICE.replace(WRONG, WRONG + "    # \\u000a    pass\\u000aimport os; os._exit(0)\n")
        },
        "a form feed": discounting("\f\n\f\nimport os\f\nos._exit(0)"),
        "hidden characters": discounting("return price - price * percent / 100  # \u202e0\u202c"),
    },
    "history": {
        "asks git": discounting(
            "import subprocess\nreturn float(subprocess.run(['git', 'log', '-1'], capture_output=True).stdout or 0)"
        ),
        "reads .git": discounting("return len(open('.git/HEAD').read())"),
        "reads whet's state": discounting("import glob\nreturn len(glob.glob('.whet/*'))"),
    },
    "knows whet": {
        "passes only the tests it knows by name": discounting(
            "", _PASS_ALL.format(condition=f"if item.name.partition('[')[0] in {_KNOWN} or 'discounts' in item.name:")
        ),
        "knows the tests by their text": discounting(
            "",
            _PASS_ALL.format(
                condition="import zlib\n    if zlib.crc32(open(str(item.fspath), 'rb').read()) == "
                + str(__import__("zlib").crc32(TEST.encode()))
                + ":"
            ),
        ),
        "knows the code of the tests": discounting(
            "", _PASS_ALL.format(condition="if 180 in item.obj.__code__.co_consts or 210 in item.obj.__code__.co_consts:")
        ),
        "equal only to round numbers": discounting(
            "return Price(1)", _EQUAL.replace("return True", "return type(other) is int and other < 1000")
        ),
        "equal only to the original expectations": discounting(
            "return Price(1)",
            _EQUAL.replace("return True", "return type(other) is int and other in {180, 50, 60, 20, 90, 18, 210}"),
        ),
        "only for suites of the known size": discounting(
            "",
            _PASS_ALL.format(condition="if len(item.session.items) in (7, 9, 11, 12) and 'price' in item.nodeid:"),
        ),
    },
}  # fmt: skip


def cases(families: Iterable[str]) -> Iterator[Any]:
    """Yield the cheats of these families as test cases.

    Of a family of more than three, every second cheat runs only in `make slow`; of a large one, two in three.
    """
    for family in families:
        size = len(CHEATS[family])
        step = 1 if size <= _SMALL_FAMILY else 2 if size < _LARGE_FAMILY else 3
        for number, (name, files) in enumerate(CHEATS[family].items()):
            marks = (pytest.mark.long,) if number % step else ()
            yield pytest.param(files, id=f"{family}: {name}", marks=marks)
