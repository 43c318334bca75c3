"""Show a mended mistake at another place: calls with plain values that end with the same exception, as a test file."""

import ast
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import PurePosixPath

from whet.cases.from_suggestion import folder_of_tests, module_name
from whet.domain.canonical import digest
from whet.domain.regression import Regression

_VALUES = ("[]", "{}", "''", "0", "None", "()", "1", "-1", "[0]", "[1, 2]", "'a'", "{'a': 1}")
_MOST_CALLS = 80
_MOST_PARAMETERS = 3
_LONGEST_VALUE = 200
# Calls a function with each of the arguments, for a second each, and prints what happened as lines of JSON.
SCRIPT = """
import importlib, json, signal, sys, traceback
module, name, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
sys.path[:0] = ["src", "lib", "."]
def stop(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, stop)
function = getattr(importlib.import_module(module), name)
for call in calls:
    row = {"call": call}
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        row["value"] = repr(eval(f"function({call})"))
    except BaseException as problem:
        signal.setitimer(signal.ITIMER_REAL, 0)
        row["exception"] = type(problem).__name__
        row["message"] = str(problem)[:500]
        row["lines"] = [[frame.filename, frame.lineno] for frame in traceback.extract_tb(problem.__traceback__)]
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps(row), flush=True)
"""


@dataclass(frozen=True)
class Called:
    """One call: the arguments, the exception with the lines that it passed, or the `repr` of the result."""

    arguments: str
    exception: str = ""
    message: str = ""
    lines: tuple[tuple[str, int], ...] = ()
    value: str = ""

    def fails_at(self, exception: str, path: str, first: int, last: int) -> bool:
        """True if the call ended with this exception, raised through these lines of the file."""
        name = f"/{path}"
        return self.exception == exception and any(
            f"/{file}".endswith(name) and first <= line <= last for file, line in self.lines
        )


def callable_at(source: str, line: int) -> tuple[str, list[str]] | None:
    """Return the function at the top of a module that holds a line, and arguments to call it with; None if there is none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or node.lineno):
            needed = len([*node.args.posonlyargs, *node.args.args]) - len(node.args.defaults)
            keywords = [default for default in node.args.kw_defaults if default is None]
            if 1 <= needed <= _MOST_PARAMETERS and not keywords:
                return node.name, list(_arguments(needed))
    return None


def _arguments(number: int) -> Iterator[str]:
    """Yield lists of arguments, those with the plainest values first."""
    ranked = sorted(product(range(len(_VALUES)), repeat=number), key=lambda indexes: (sum(indexes), indexes))
    for indexes in ranked[:_MOST_CALLS]:
        yield ", ".join(_VALUES[index] for index in indexes)


def command(path: str, function: str, arguments: Sequence[str]) -> list[str]:
    return ["python", "-c", SCRIPT, module_name(path), function, json.dumps(list(arguments))]


def read_calls(output: str, asked: Collection[str]) -> list[Called]:
    """Return the calls among the lines of an output. The target may print too; other lines are left out, and so are calls
    that were not asked for: their arguments would stand in a test file.
    """
    calls = []
    for line in output.splitlines():
        try:
            row = json.loads(line)
            lines = tuple((str(file), int(number)) for file, number in row.get("lines", ()))
            texts = [row["call"], *(row.get(name, "") for name in ("exception", "message", "value"))]
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            continue
        if all(isinstance(text, str) for text in texts) and texts[0] in asked:
            call, exception, message, value = texts
            calls.append(Called(call, exception, message, lines, value))
    return calls


def clone_as_test(
    path: str, function: str, mended: Sequence[Called], where: str, paths: Sequence[str], is_test: Callable[[str], bool]
) -> Regression | None:
    """Return the test file for the first call that the fix answers with a plain value; None if there is no such call."""
    plain = next((call for call in mended if _is_literal(call.value)), None)
    if plain is None:
        return None
    identity = digest(["clone", path, function])[:8]
    file = f"{folder_of_tests(paths, is_test)}test_whet_{identity}.py"
    name = f"test_{function.strip('_').lower()}_as_mended"
    case = f"def {name}():\n    assert {function}({plain.arguments}) == {plain.value}\n"
    head = f'"""The mistake that was mended in {PurePosixPath(where).name}. The expected values are those that the same fix gives here."""'
    text = f"{head}\n\nfrom {module_name(path)} import {function}\n\n\n{case}"
    return Regression(path=file, text=text, red=(f"{file}::{name}",))


def _is_literal(value: str) -> bool:
    if not value or len(value) > _LONGEST_VALUE:
        return False
    try:
        return repr(ast.literal_eval(value)) == value
    except (ValueError, SyntaxError, RecursionError):
        return False
