"""Access checks that are written as lambdas: `can_edit = lambda user, page: ...`, `add_perm("edit", lambda u: ...)`."""

import ast
import re
from collections.abc import Callable, Iterator

from whet.guard.denied.units import Unit
from whet.pyast.imports import last_name

# Names of parameters that stand for the one whose access is decided.
_SUBJECTS = frozenset({
    "user", "u", "usr", "principal", "actor", "current_user", "identity", "account", "viewer", "requester", "member", "request",
    "req",
})  # fmt: skip
_DECIDES = frozenset({
    "can", "may", "allow", "allows", "allowed", "permit", "permits", "permitted", "grant", "grants", "granted", "deny", "denied", "access",
    "accessible", "perm", "perms", "policy", "policies", "role", "roles", "owner", "owns", "rule", "predicate", "guard",
})  # fmt: skip


def access_lambda(unit: Unit, controls_access: Callable[[str], bool]) -> str:
    """Return the name under which a unit keeps a lambda that decides about access; empty if there is none."""
    for name, function in _named_lambdas(unit.nodes()):
        if controls_access(name) or decides_for_someone(name, function.args):
            return name
    return ""


def decides_for_someone(name: str, arguments: ast.arguments) -> bool:
    """True if a function decides by its name, about somebody by a parameter: `can_edit(user, page)`."""
    names = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    words = re.findall("[a-z0-9]+", re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return not _DECIDES.isdisjoint(words) and not _SUBJECTS.isdisjoint(names)


def _named_lambdas(nodes: Iterator[ast.AST]) -> Iterator[tuple[str, ast.Lambda]]:
    """Yield every lambda with the name it is bound to: a variable, an argument, a key, or the function it is given to."""
    for node in nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Lambda() as function):
                yield from ((_target_name(target), function) for target in targets)
            case ast.AnnAssign(target=target, value=ast.Lambda() as function):
                yield _target_name(target), function
            case ast.keyword(arg=str() as name, value=ast.Lambda() as function):
                yield name, function
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(value, ast.Lambda) and isinstance(key, ast.Constant):
                        yield str(key.value), value
            case ast.Call(func=called, args=arguments):
                for argument in arguments:
                    if isinstance(argument, ast.Lambda):
                        yield last_name(called), argument


def _target_name(target: ast.expr) -> str:
    """Return the name of a target; of `rules["can_edit"]` the names of the dict and of the key."""
    if isinstance(target, ast.Subscript):
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        return f"{last_name(target.value)}_{key if isinstance(key, str) else ''}"
    return last_name(target)
