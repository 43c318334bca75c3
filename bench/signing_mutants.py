"""Mutation score of the signature verifier: change one thing in its source, and see if the tests of signing notice.

    python -m bench.signing_mutants [FILE ...]

Mutants replace comparisons, boolean operators, constants, results and arithmetic, drop `not`, checks (`raise`) and calls
whose result is not used, and fix conditions. Texts of messages and annotations are left alone. Each mutant runs in a fork
of a process that has loaded pytest, and replaces one module before the tests import it. Survivors are listed.
"""

import argparse
import ast
import copy
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

_ROOT = Path(__file__).parents[1]
_FOLDER = _ROOT / "src" / "whet" / "signing"
VERIFIER = ("wire", "keys", "primitives", "sshsig", "patterns", "signer_line", "signers", "passkeys")
_TESTS = ("test_forged_keys.py", "test_signers.py", "test_passkeys.py", "test_against_openssh.py")
_WORKERS = 2
_LONGEST_SECONDS = 300  # a mutant that loops counts as killed after that time

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Mod: ast.Mult,
}  # fmt: skip


class Mutant(NamedTuple):
    """One changed source text of a module."""

    module: str
    line: int
    what: str
    source: str


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of one module of the verifier."""
    text = (_FOLDER / f"{module}.py").read_text()
    tree = ast.parse(text)
    for index, node in enumerate(ast.walk(tree)):
        for number, (what, _) in enumerate(_edits(node)):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[index]
            if id(node) in _left_alone(tree):
                continue
            before = ast.unparse(node)
            list(_edits(target))[number][1]()
            source = ast.unparse(ast.fix_missing_locations(changed))
            if source != ast.unparse(tree):
                yield Mutant(module, getattr(node, "lineno", 0), f"{what}: {before.splitlines()[0][:90]}", source)


def _left_alone(tree: ast.Module) -> set[int]:
    """Return the ids of nodes in messages, docstrings, annotations and blocks for the type checker."""
    skipped: list[ast.AST] = []
    for node in ast.walk(tree):
        match node:
            case ast.Raise(exc=ast.Call(args=arguments)):
                skipped += arguments
            case ast.Expr(value=ast.Constant()):
                skipped.append(node)
            case ast.FunctionDef(args=parameters, returns=returns, decorator_list=decorators):
                skipped += [
                    item.annotation for item in ast.walk(parameters) if isinstance(item, ast.arg) and item.annotation
                ]
                skipped += [*([returns] if returns else []), *decorators]
            case ast.AnnAssign(annotation=annotation):
                skipped.append(annotation)
            case ast.ClassDef(decorator_list=decorators):
                skipped += decorators
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                skipped.append(node)
            case ast.Call(func=ast.Name(id="Reader"), args=[_, message]):
                skipped.append(message)
    return {id(inner) for node in skipped for inner in ast.walk(node)}


def _edits(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the ways to change a node in place, each with a description."""
    match node:
        case ast.Compare(ops=operators):
            for index, operator in enumerate(operators):
                other = _COMPARISONS[type(operator)]
                yield f"{type(operator).__name__} -> {other.__name__}", _setter(operators, index, other())
        case ast.BoolOp(values=values):
            other_operator = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and <-> or", _attribute(node, "op", other_operator)
            for index in range(len(values)):
                yield f"operand {index + 1} dropped", _setter(values, index, ast.Constant(isinstance(node.op, ast.And)))
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", _attribute(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.BinOp(op=operator) if type(operator) in _ARITHMETIC:
            yield "other arithmetic", _attribute(node, "op", _ARITHMETIC[type(operator)]())
        case ast.Constant(value=bool() as value):
            yield "other constant", _attribute(node, "value", not value)
        case ast.Constant(value=int() as value):
            yield "other constant", _attribute(node, "value", value + 1)
        case ast.Constant(value=str() as value):
            yield "other constant", _attribute(node, "value", value + "x")
        case ast.Constant(value=bytes() as value):
            yield "other constant", _attribute(node, "value", value + b"x")
        case ast.Return(value=ast.expr()):
            yield "returns None", _attribute(node, "value", ast.Constant(None))
        case ast.If() | ast.IfExp():
            yield "condition true", _attribute(node, "test", ast.Constant(True))
            yield "condition false", _attribute(node, "test", ast.Constant(False))
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue  # the body of a lambda or of a conditional expression
        for index, statement in enumerate(block):
            is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            if isinstance(statement, ast.Raise) or is_call:
                yield f"line {statement.lineno} dropped", _setter(block, index, ast.Pass())


def _setter(items: list[Any], index: int, value: ast.AST) -> Callable[[], None]:
    return lambda: items.__setitem__(index, value)


def _attribute(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def survives(mutant: Mutant) -> bool:
    """Run the tests of signing against a mutant in a forked process; True if none fails."""
    process = os.fork()
    if process == 0:
        os._exit(_run(mutant))
    ends = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < ends:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(process, 9)
    os.waitpid(process, 0)
    return False


def _run(mutant: Mutant) -> int:
    """Return pytest's exit code. Anything that breaks the run counts as noticed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        name = f"whet.signing.{mutant.module}"
        module = ModuleType(name)
        module.__file__ = str(_FOLDER / f"{mutant.module}.py")
        sys.modules[name] = module
        exec(compile(mutant.source, name, "exec"), module.__dict__)
        tests = [str(_ROOT / "tests" / "signing" / test) for test in _TESTS]
        return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-n", "0", *tests]))
    except BaseException:  # noqa: BLE001 - a mutant may raise anything
        return 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutation score of the signature verifier.")
    parser.add_argument("modules", nargs="*", default=VERIFIER, help="modules of whet.signing; all of the verifier")
    total = killed = 0
    with ThreadPoolExecutor(_WORKERS) as pool:
        for module in parser.parse_args().modules:
            unchanged = Mutant(module, 0, "unchanged", (_FOLDER / f"{module}.py").read_text())
            if not survives(unchanged):
                sys.exit(f"the tests fail without a mutant of {module}: nothing can be measured")
            made = list(mutants(module))
            alive = [mutant for mutant, lives in zip(made, pool.map(survives, made), strict=True) if lives]
            total, killed = total + len(made), killed + len(made) - len(alive)
            print(f"{module}: {len(made) - len(alive)} of {len(made)} killed", flush=True)
            for mutant in alive:
                print(f"    line {mutant.line}: {mutant.what}", flush=True)
    print(f"total: {killed} of {total} killed ({killed / total:.1%})")


if __name__ == "__main__":
    main()
