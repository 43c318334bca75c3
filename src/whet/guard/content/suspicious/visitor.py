"""The flags of one node of a file, found with knowledge of all names of the file."""

import ast
from collections.abc import Iterator
from typing import cast

from whet.guard.content.suspicious.annotations import annotation_flags
from whet.guard.content.suspicious.assembled_strings import assembly_flags, may_become, revealing_text_flags
from whet.guard.content.suspicious.env_probes import probe_flags
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.global_state import emptying_flags, store_flags
from whet.guard.content.suspicious.listed_names import constant_flags, import_flags, name_flags, reexport_flags
from whet.guard.content.suspicious.lookalike_classes import class_flags, ordered_fields
from whet.guard.content.suspicious.timing import Stopwatches
from whet.guard.content.suspicious.vocabulary import (
    CLOCK,
    COPY_ATTRIBUTES,
    ENVIRONMENT,
    INTERNAL_ATTRIBUTES,
    INTERNALS,
    LOOKUPS,
    NAMESPACE,
    REEXPORTED,
    REVEALING_ATTRIBUTES,
    RISKY_MODULES,
    SPECIAL_METHODS,
    UNSPELLED,
)
from whet.pyast.bindings import assigned_values
from whet.pyast.fold import possible_texts
from whet.pyast.functions import Function, docstrings, last_line
from whet.pyast.imports import bindings_of, dotted_name, import_bindings, imported_names, root_name
from whet.pyast.resolve import GETTERS, NameResolver


class Visitor:
    """Finds the flags of single nodes. It is made once per file and called with every node of it."""

    def __init__(self, tree: ast.Module) -> None:
        bindings = list(import_bindings(tree))
        self._aliases = dict(bindings)
        self._ambiguous = {local for local, target in bindings if target != self._aliases[local]}
        self._assigned = assigned_values(tree)
        self._names = NameResolver(tree)
        self._stopwatches = Stopwatches(tree, self._names)
        self._docstrings = set(map(id, docstrings(tree)))
        self._called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        self._inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        self._truth_tested = set(map(id, _truth_tested(tree)))
        self._ordered_fields = set(map(id, ordered_fields(tree)))
        self._only_warns = _only_warns(tree)

    def __call__(self, node: ast.AST) -> Iterator[Flag]:
        if id(node) not in self._ordered_fields:
            yield from class_flags(node, self._names)
        yield from store_flags(node, self._names)
        yield from emptying_flags(node)
        yield from probe_flags(node, self._names)
        yield from self._stopwatches.decision_flags(node)
        yield from annotation_flags(node, self._assigned)
        if id(node) not in self._docstrings:
            yield from assembly_flags(node, self._assigned)
            yield from revealing_text_flags(node, self._names)
        yield from self._by_kind(node)

    def _by_kind(self, node: ast.AST) -> Iterator[Flag]:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from self._import(node)
            case ast.Name() | ast.Attribute():
                yield from self._use(node)
            case ast.Constant(value=str() | bytes()) if id(node) not in self._docstrings:
                yield from constant_flags(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if _catches_around_a_yield(node):
                # As a context manager it would catch the exceptions of the block that uses it.
                yield Flag(node.lineno, "may swallow exceptions of its caller: {name}", node.name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                for name in {*node.kwd_attrs} & {*INTERNAL_ATTRIBUTES, *SPECIAL_METHODS, "__import__"}:
                    yield Flag(node.lineno, INTERNALS, name)
            case ast.ExceptHandler() if node.type is None or ast.unparse(node.type) == "BaseException":
                what = "catches every exception, even the end of the process: {name}"
                yield Flag(node.lineno, what, "except", only_if_new=True)
            case ast.Call():
                yield from self._call(node)
            case ast.Compare(left=left, comparators=right) if any(map(_is_name_of_a_type, [left, *right])):
                yield Flag(node.lineno, ENVIRONMENT, "type().__name__", only_if_new=True)

    def _import(self, node: ast.Import | ast.ImportFrom) -> Iterator[Flag]:
        for name in imported_names(node):
            if name == "warnings" and self._only_warns:
                continue
            yield from import_flags(node.lineno, name)
            yield from reexport_flags(node.lineno, name)
        for local, target in bindings_of(node):
            if local in SPECIAL_METHODS:
                yield Flag(node.lineno, SPECIAL_METHODS[local], local)
            if self._aliases.get(local) != target or local in self._ambiguous:
                yield Flag(node.lineno, "imports two things under one name: {name}", local)

    def _call(self, node: ast.Call) -> Iterator[Flag]:
        for attribute in self._attributes_looked_up(node):
            yield from self._use(attribute)
        called = self._dotted(node.func)
        match node:
            case ast.Call(func=ast.Name(id="setattr" | "delattr" | "getattr" as name), args=[owner, key, *_]):
                yield from self._lookup(node, name, owner, key)
            case ast.Call(args=[_, *_]) if called in GETTERS:
                if not all(isinstance(arg, ast.Constant) for arg in node.args):
                    yield Flag(node.lineno, UNSPELLED, called)
            case ast.Call(func=ast.Name(id="dir"), args=[]):
                yield Flag(node.lineno, NAMESPACE, "dir")
            case ast.Call(func=ast.Attribute(value=owner, attr="time"), args=[]) if "loop" in ast.unparse(owner):
                yield Flag(node.lineno, CLOCK, "loop.time", only_if_more=True)
            case ast.Call() if called in COPY_ATTRIBUTES:
                if len(node.args) > COPY_ATTRIBUTES[called] or node.keywords:
                    yield Flag(node.lineno, UNSPELLED, called)

    def _lookup(self, node: ast.Call, function: str, owner: ast.expr, key: ast.expr) -> Iterator[Flag]:
        """Flag `getattr`, `setattr` and `delattr` of another module, or with a key that is not spelled out."""
        if isinstance(owner, ast.Name) and owner.id in self._aliases:
            yield Flag(node.lineno, "looks into another module: {name}", function)
        if may_become(key, _is_prefix_of_an_internal):
            yield Flag(node.lineno, UNSPELLED, ast.unparse(key)[:40])
            return
        is_variable = isinstance(key, ast.Name | ast.Attribute | ast.Subscript)
        if is_variable and not self._is_chosen_by_the_caller(function, owner, key):
            yield Flag(node.lineno, UNSPELLED, function, only_if_new=True)

    def _is_chosen_by_the_caller(self, function: str, owner: ast.expr, key: ast.expr) -> bool:
        """True if `key` is a parameter and `owner` is neither a module nor a class of another module."""
        is_own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
        return (
            self._names.is_parameter(key)
            and (is_own or function == "getattr")
            and not self._names.foreign(owner, passed=True)
        )

    def _attributes_looked_up(self, node: ast.Call) -> Iterator[ast.Attribute]:
        """Yield the attributes that a call looks up by text, as if they were written with dots."""
        match node:
            case ast.Call(func=func, args=[owner, key, *_]) if self._names.meanings(func) & {"getattr"}:
                for name in possible_texts(key, self._values):
                    yield _attribute(owner, name, node)
            case ast.Call(func=func, args=[owner, *_]):
                for name in self._names.getter_texts(func):
                    yield _attribute(owner, name, node)
        for name in self._names.getter_texts(node):
            yield _attribute(ast.Name(id="", ctx=ast.Load()), name, node)

    def _values(self, node: ast.expr) -> list[ast.expr]:
        return self._names.values(node, passed=True)

    def _use(self, node: ast.Name | ast.Attribute) -> Iterator[Flag]:
        """Flag a name or attribute that is read, stored or deleted."""
        line = last_line(node)
        if isinstance(node, ast.Attribute) and node.attr in INTERNAL_ATTRIBUTES:
            yield Flag(line, INTERNALS, node.attr)
        if isinstance(node, ast.Attribute) and node.attr in REVEALING_ATTRIBUTES:
            yield Flag(line, ENVIRONMENT, node.attr, only_if_new=True)
        if not isinstance(node.ctx, ast.Load):
            stored = node.id if isinstance(node, ast.Name) else node.attr
            if stored in SPECIAL_METHODS:
                yield Flag(node.lineno, SPECIAL_METHODS[stored], stored)
            return
        # Of `a.b.c` only the whole is looked at; a clock that only measures is allowed.
        if id(node) in self._inner or self._stopwatches.is_measurement(node):
            return
        written = self._dotted(node)
        for name in sorted({written, *self._names.meanings(node)} - {""}):
            is_import = self._is_imported(node) or name != written
            yield from self._listed_name(node, name)
            if is_import:
                yield from reexport_flags(line, name)
            yield from self._reached_module(node, name, is_import=is_import)
        if isinstance(node, ast.Name) and node.id in self._names.modules and id(node) not in self._truth_tested:
            yield Flag(line, "passes a module on: {name}", node.id)

    def _listed_name(self, node: ast.Name | ast.Attribute, name: str) -> Iterator[Flag]:
        """Flag a listed name. An alias was already flagged where it was assigned; it counts again only when called."""
        is_alias = isinstance(node, ast.Name) and name != self._dotted(node) and id(node) not in self._called
        for flag in name_flags(last_line(node), name):
            if not (is_alias and (flag.only_if_new or flag.only_if_more)):
                yield flag

    def _reached_module(self, node: ast.Name | ast.Attribute, name: str, *, is_import: bool) -> Iterator[Flag]:
        """Flag a module that is reached through another (`logging.os._exit`) or passed on under another name."""
        _, *parts = name.split(".")
        for start in range(len(parts) - 1):
            for flag in name_flags(last_line(node), ".".join(parts[start:])):
                if is_import or not (flag.only_if_new or flag.only_if_more):
                    yield flag
        if name in LOOKUPS and id(node) not in self._called:
            yield Flag(node.lineno, "passes on a function that looks names up: {name}", name)
        if is_import and (name in RISKY_MODULES or (parts and parts[-1] in REEXPORTED)):
            yield Flag(last_line(node), "passes on a module that does more than compute: {name}", name)

    def _is_imported(self, node: ast.Name | ast.Attribute) -> bool:
        root = root_name(node)
        # An attribute looked up by a getter has no owner that is known: its root is the empty name.
        return root in self._aliases or root == ""

    def _dotted(self, node: ast.expr) -> str:
        return dotted_name(node, self._aliases)


def _attribute(owner: ast.expr, path: str, call: ast.Call) -> ast.Attribute:
    """Return the node of `owner.path`, placed where `call` is."""
    node = owner
    for name in path.split("."):
        node = ast.copy_location(ast.Attribute(value=node, attr=name, ctx=ast.Load()), call)
    return cast("ast.Attribute", node)


def _truth_tested(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield values that are only tested for being there, as an optional module is."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
                yield from (left, right)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) | ast.Assert(test=test):
                yield test
            case ast.BoolOp(values=[*tested, _]):
                yield from tested
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield operand
            case ast.Call(func=ast.Name(id="hasattr" | "bool" | "getattr"), args=[first, *_]):
                yield first


def _is_prefix_of_an_internal(text: str) -> bool:
    return any(name.startswith(text) for name in INTERNAL_ATTRIBUTES)


def _is_name_of_a_type(node: ast.expr) -> bool:
    """True for `type(x).__name__` and the like."""
    match node:
        case ast.Attribute(value=ast.Call(), attr="__name__" | "__qualname__" | "__module__"):
            return True
    return False


def _catches_around_a_yield(function: Function) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and node.handlers:
            body = (inner for statement in node.body for inner in ast.walk(statement))
            if any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in body):
                return True
    return False


def _only_warns(tree: ast.Module) -> bool:
    """True if the file uses the module `warnings`, by this name, for calls of `warnings.warn` and for nothing else."""
    uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "warnings"]
    calls = [
        node.func.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "warn"
    ]
    return bool(uses) and {id(node) for node in uses} <= {id(node) for node in calls}
