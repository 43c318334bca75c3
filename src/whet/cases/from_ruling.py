"""Turn a person's decision of an undecided call into a test file that ships with the fix."""

import ast
import builtins
from collections.abc import Callable, Sequence

from whet.cases.from_suggestion import folder_of_tests, module_name
from whet.domain.approval import Ruling
from whet.domain.redact import redact
from whet.domain.regression import Regression
from whet.domain.undecided_call import RAISE, PossibleAnswer, is_exception_name, is_literal
from whet.errors import UsageError

_LONGEST = 2000
_SINGLETONS = ("None", "True", "False")
_CASE = "Decided"


def ruling_as_test(
    ruling: Ruling, source: str, paths: Sequence[str], is_test: Callable[[str], bool], runner: str = "pytest"
) -> Regression:
    """Return the test file of a decision, in the form that the runner collects; `red` names its one test.

    `source` is the module that the call is about.
    """
    identity = ruling.undecided.removeprefix("q-")
    name = f"test_{ruling.function.strip('_').lower() or 'call'}_decided_{identity}"
    path = f"{folder_of_tests(paths, is_test)}test_whet_{identity}.py"
    if runner == "unittest":
        return Regression(path=path, text=_text(ruling, source, _case(ruling, name)), red=(f"{path}::{_CASE}::{name}",))
    return Regression(path=path, text=_text(ruling, source, _function(ruling, name)), red=(f"{path}::{name}",))


def _text(ruling: Ruling, source: str, test: tuple[str, str]) -> str:
    """Return the file: `test` is the module that the test needs, or empty, and the test itself."""
    needed, body = test
    error = PossibleAnswer(text=ruling.answer).raises
    imported = [ruling.function, *([error] if error in _classes(source) else [])]
    own = f"from {module_name(ruling.path)} import {', '.join(sorted(imported))}\n"
    above = f"import {needed}\n\n" if needed else ""
    summary = f"Decided by {ruling.voter.who}, because the tests left it open."
    return f'"""{_in_docstring(summary)}"""\n\n{above}{own}\n\n{body}'


def _function(ruling: Ruling, name: str) -> tuple[str, str]:
    """Return the test as a function for pytest."""
    if error := PossibleAnswer(text=ruling.answer).raises:
        return "pytest", f"def {name}():\n    with pytest.raises({error}):\n        {ruling.call}\n"
    comparison = "is" if ruling.answer in _SINGLETONS else "=="
    return "", f"def {name}():\n    assert {ruling.call} {comparison} {ruling.answer}\n"


def _case(ruling: Ruling, name: str) -> tuple[str, str]:
    """Return the test as a method for unittest."""
    if error := PossibleAnswer(text=ruling.answer).raises:
        body = f"        with self.assertRaises({error}):\n            {ruling.call}\n"
    else:
        method = "assertIs" if ruling.answer in _SINGLETONS else "assertEqual"
        body = f"        self.{method}({ruling.call}, {ruling.answer})\n"
    return "unittest", f"class {_CASE}(unittest.TestCase):\n    def {name}(self):\n{body}"


def _in_docstring(text: str) -> str:
    return " ".join(text.split()).replace('"""', "'''").replace("\\", "/")


def read_answer(text: str, source: str) -> str:
    """Return an answer as a test can state it: a literal, or `raise NAME` with an exception that the module knows.

    Raise UsageError for anything else. `source` is the module that the call is about.
    """
    answer = text.strip()
    if not answer or len(answer) > _LONGEST:
        raise UsageError("the answer is empty or too long", _FORM)
    if redact(answer) != answer:
        raise UsageError("the answer looks like a secret, and it would be in a test file", "answer with another value")
    if answer.startswith(RAISE):
        return f"{RAISE}{_known_exception(answer.removeprefix(RAISE).strip(), source)}"
    if not is_literal(answer):
        raise UsageError(f"{answer!r} is not a Python literal", _FORM)
    return repr(ast.literal_eval(answer))


_FORM = "give a literal or an exception, for example: '' or None or [1, 2] or raise ValueError"


def _known_exception(name: str, source: str) -> str:
    """Return the name of an exception that the test can import: a built-in one, or one that the module defines."""
    built_in = getattr(builtins, name, None) if is_exception_name(name) else None
    is_built_in = isinstance(built_in, type) and issubclass(built_in, Exception)
    if not is_built_in and not (is_exception_name(name) and name in _classes(source)):
        raise UsageError(f"{name!r} is not an exception that Python or the module defines", _FORM)
    return name


def _classes(source: str) -> set[str]:
    """Return the names that may be exceptions in a module: those of its classes, and those that it imports."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names
