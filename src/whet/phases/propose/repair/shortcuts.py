"""Reasons to distrust a patch that passes: it makes a check weaker, or answers the tested case and no other."""

import ast
from collections import Counter
from collections.abc import Collection, Iterator

from whet.pyast.functions import Function, parameters

_ALWAYS_TRUE = frozenset({"enumerate", "filter", "finditer", "iter", "map", "reversed", "zip"})
_CHECKING = ("assert", "check_that", "expect")


def shortcut(before: str, after: str, *, wrong_values: bool) -> str:
    """Describe the first reason for distrust; empty if there is none. `wrong_values`: the red tests end with one."""
    return (
        always_true(before, after)
        or weakened_check(before, after)
        or initialised_again(before, after)
        or ignored_argument(before, after)
        or (special_case(before, after) if wrong_values else "")
    )


def always_true(before: str, after: str) -> str:
    """Describe a condition that the patch makes true whatever happens, such as a test of `re.finditer(...)`."""
    added = _constant_tests(after) - _constant_tests(before)
    return f"{next(iter(added))} is always true" if added else ""


def weakened_check(before: str, after: str) -> str:
    """Describe an assertion helper of the project that the patch changes: the red test may only have been silenced."""
    old, new = _checks(before), _checks(after)
    changed = [name for name in old if new.get(name) != old[name]]
    return f"it changes what {changed[0]}() checks, instead of what is checked" if changed else ""


def initialised_again(before: str, after: str) -> str:
    """Describe a call of `__init__` on an existing object that the patch brings in."""
    added = _initialisations(after) - _initialisations(before)
    return f"it calls {next(iter(added))}(), which resets the object" if added else ""


def ignored_argument(before: str, after: str) -> str:
    """Describe a parameter that the patch adds and nothing reads: a call with it only seems to work."""
    known = {pair for pair, _ in _parameters(before)}
    added = [name for (function, name), is_read in _parameters(after) if not is_read and (function, name) not in known]
    return f"{added[0]} is accepted and ignored" if added else ""


def special_case(before: str, after: str) -> str:
    """Describe a new `if` that returns a constant if a parameter is on one side of another: `if item < 0: return True`.

    Ask this only where the failing tests ended with a wrong value. Then such an answer is often fitted to the test.
    """
    added = _special_cases(after) - _special_cases(before)
    return f"`{next(iter(added))}` answers the case that the tests check, and computes nothing" if added else ""


def _constant_tests(source: str) -> Counter[str]:
    tree = _parse(source)
    made: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_always_true(value):
                made[name] = ast.unparse(value)
    tests: Counter[str] = Counter()
    for test in _tests(tree):
        if _is_always_true(test):
            tests[ast.unparse(test)] += 1
        elif isinstance(test, ast.Name) and test.id in made:
            tests[made[test.id]] += 1
    return tests


def _tests(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are read for their truth, or compared with None."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                yield test
            case ast.UnaryOp(op=ast.Not(), operand=test) | ast.Call(func=ast.Name(id="bool"), args=[test]):
                yield test
            case ast.BoolOp(values=values):
                yield from values
            case ast.comprehension(ifs=tests):
                yield from tests
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
                yield left


def _is_always_true(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _ALWAYS_TRUE
        case ast.Tuple(elts=elements):
            return bool(elements)
    return isinstance(node, ast.GeneratorExp | ast.Lambda)


def _checks(source: str) -> dict[str, str]:
    """Return the functions that raise AssertionError, or whose name says that they assert, with their code."""
    return {
        node.name: ast.dump(node)
        for node in ast.walk(_parse(source))
        if isinstance(node, Function) and (node.name.lstrip("_").startswith(_CHECKING) or _raises_assertion(node))
    }


def _raises_assertion(function: Function) -> bool:
    raised = [node.exc for node in ast.walk(function) if isinstance(node, ast.Raise) and node.exc is not None]
    return any(ast.unparse(error).startswith("AssertionError") for error in raised)


def _parameters(source: str) -> Iterator[tuple[tuple[str, str], bool]]:
    """Yield ((function, parameter), whether the function reads it)."""
    for function in ast.walk(_parse(source)):
        if isinstance(function, Function):
            read = {node.id for part in function.body for node in ast.walk(part) if isinstance(node, ast.Name)}
            for name in parameters(function.args):
                yield (function.name, name), name in read


def _initialisations(source: str) -> Counter[str]:
    return Counter(
        ast.unparse(node.func)
        for node in ast.walk(_parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("__init__", "__new__")
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    )


def _special_cases(source: str) -> Counter[str]:
    """Return the `if` statements at the top of a function that compare a parameter with a constant and return one."""
    return Counter(
        f"if {ast.unparse(node.test)}: return {ast.unparse(result)}"
        for function in ast.walk(_parse(source))
        if isinstance(function, Function)
        for node in function.body
        if isinstance(node, ast.If) and (result := _fixed_answer(node, parameters(function.args))) is not None
    )


def _fixed_answer(node: ast.If, names: Collection[str]) -> ast.expr | None:
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=name), comparators=[other]),
            body=[ast.Return(value=ast.Constant(value=bool() | int() | float() | str()) as result)],
        ) if name in names and _is_constant(other):
            return result
    return None


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def _parse(source: str) -> ast.Module:
    return ast.parse(source.removeprefix("\ufeff"))
