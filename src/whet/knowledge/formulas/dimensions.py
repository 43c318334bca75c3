"""Dimensional analysis of a function: sums and comparisons need equal dimensions, products and powers compute them."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from whet.domain.dimension import NUMBER, UnitDimension, constant_number, parse_unit
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.known_functions import (
    FIRST,
    LIBRARIES,
    PLAIN_CONSTANTS,
    PURE_NUMBERS,
    ROOTS,
    SAME,
    SAME_TO_NUMBER,
    ZERO_LIKE,
)

_DEEPEST = 20
_MOST_STEPS = 20_000  # functions that call each other twice double the work at each level
Found = UnitDimension | None
"""The dimension of a value. None is that of 0 and infinity, which go together with every dimension."""


class Mismatch(Exception):
    """The expression puts together what has different dimensions; the text names the line."""


class NotFollowed(Exception):
    """The analysis does not know a part of the function; the text names it."""


def check_dimensions(formula: Formula, own_units: tuple[str, ...]) -> None:
    """Raise Mismatch if the units of a formula do not fit together, NotFollowed if that cannot be told."""
    policy = formula.policy
    units = {name: parse_unit(unit, own_units) for name, unit in policy.units.items()}
    module = ast.parse(formula.source)
    reader = _Reader(module, {name: units[name] for name in policy.constants if name in units})
    arguments: dict[str, Found] = {name: units.get(name, NUMBER) for name in formula.parameters}
    result = reader.call(formula.node, arguments, formula.node)
    declared = units.get("")
    if declared is not None and result is not None and result != declared:
        raise Mismatch(f"the result is {result}, and the declared unit {policy.unit} is {declared}")


@dataclass
class _Reader:
    """Reads the functions of one module. `units` are those of its constants."""

    module: ast.Module
    units: Mapping[str, UnitDimension]
    depth: int = 0
    steps: int = 0
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    values: dict[str, ast.expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in self.module.body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                self.values[node.target.id] = node.value

    def count_step(self, at: ast.AST) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise NotFollowed(_where(at, "the expression is too long"))

    def call(self, function: ast.FunctionDef, arguments: dict[str, Found], at: ast.AST) -> Found:
        """Return the dimension of the result of a function of the module."""
        if self.depth >= _DEEPEST:
            raise NotFollowed(_where(at, "the calls are nested too deep"))
        self.depth += 1
        try:
            results = _Body(self, dict(arguments)).returned(function.body)
        finally:
            self.depth -= 1
        if not results:
            raise NotFollowed(_where(function, f"{function.name} returns nothing"))
        found: Found = None
        for node, result in results:
            found = together(found, result, node)
        return found

    def constant(self, name: str, at: ast.AST) -> Found:
        """Return the dimension of a name of the module: as declared, or that of its value."""
        if name in self.units:
            return self.units[name]
        if name in self.values and self.depth < _DEEPEST:
            self.depth += 1
            try:
                return _Body(self, {}).of(self.values[name])
            finally:
                self.depth -= 1
        raise NotFollowed(_where(at, f"{name} has no one known unit; a constant is declared in `constants`"))


@dataclass
class _Body:
    """The names of one call of a function, with their dimensions."""

    reader: _Reader
    names: dict[str, Found]

    def returned(self, statements: list[ast.stmt]) -> list[tuple[ast.AST, Found]]:
        """Return the dimension of each returned value."""
        results: list[tuple[ast.AST, Found]] = []
        for statement in statements:
            if isinstance(statement, ast.Return) and statement.value is not None:
                results.append((statement, self.of(statement.value)))
            elif isinstance(statement, ast.If):
                self.of(statement.test)
                results += self._branches(statement)
            elif isinstance(statement, ast.Assert):
                self.of(statement.test)
            elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
                self._assign(statement)
            elif not _is_silent(statement):
                raise NotFollowed(_where(statement, f"`{_short(statement)}` is not followed"))
        return results

    def _branches(self, statement: ast.If) -> list[tuple[ast.AST, Found]]:
        """Return what both branches return. A name has a dimension after them if it has the same one in both."""
        left, right = _Body(self.reader, dict(self.names)), _Body(self.reader, dict(self.names))
        results = left.returned(statement.body) + right.returned(statement.orelse)
        ends = [branch for branch, body in ((left, statement.body), (right, statement.orelse)) if not _leaves(body)]
        if len(ends) == 1:
            self.names = ends[0].names
        elif ends:
            self.names = _merged(left.names, right.names)
        return results

    def _assign(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if isinstance(statement, ast.AugAssign):
            if not isinstance(statement.target, ast.Name):
                raise NotFollowed(_where(statement, f"`{_short(statement)}` is not followed"))
            left = self.of(ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement))
            self.names[statement.target.id] = self._computed(statement, statement.op, left, statement.value)
            return
        if statement.value is None:
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            self._bind(target, statement.value)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = self.of(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            found = [self.of(element) for element in value.elts]
            for name, dimension in zip(target.elts, found, strict=True):
                if not isinstance(name, ast.Name):
                    raise NotFollowed(_where(target, f"`{_short(target)}` is not followed"))
                self.names[name.id] = dimension
        else:
            raise NotFollowed(_where(target, f"the value of `{_short(target)}` is not followed"))

    def of(self, node: ast.expr) -> Found:
        """Return the dimension of an expression."""
        self.reader.count_step(node)
        if isinstance(node, ast.Constant):
            return None if node.value == 0 and type(node.value) in (int, float) else NUMBER
        if isinstance(node, ast.Name):
            return self.names[node.id] if node.id in self.names else self.reader.constant(node.id, node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.UnaryOp):
            found = self.of(node.operand)
            return NUMBER if isinstance(node.op, ast.Not) else found
        if isinstance(node, ast.BinOp):
            return self._computed(node, node.op, self.of(node.left), node.right)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.BoolOp):
            return self._together(node.values, node)
        if isinstance(node, ast.IfExp):
            self.of(node.test)
            return self._together([node.body, node.orelse], node)
        if isinstance(node, ast.Call):
            return self._called(node)
        raise NotFollowed(_where(node, f"`{_short(node)}` is not followed"))

    def _attribute(self, node: ast.Attribute) -> Found:
        """Return the dimension of `math.pi`, or of a constant of another module that is declared."""
        text = ast.unparse(node)
        for name in (text, node.attr):
            if name in self.reader.units:
                return self.reader.units[name]
        if _library(node.value) and node.attr in PLAIN_CONSTANTS:
            return None if node.attr in ZERO_LIKE else NUMBER
        raise NotFollowed(_where(node, f"{text} has no known unit; a constant is declared in `constants`"))

    def _computed(self, node: ast.AST, operator: ast.operator, left: Found, right_node: ast.expr) -> Found:
        if isinstance(operator, ast.Pow):
            return self._power(node, left, right_node)
        right = self.of(right_node)
        if isinstance(operator, ast.Add | ast.Sub | ast.Mod):
            return together(left, right, node)
        if isinstance(operator, ast.Mult):
            return left * right if left is not None and right is not None else None
        if isinstance(operator, ast.Div | ast.FloorDiv):
            return left / right if left is not None and right is not None else None
        raise NotFollowed(_where(node, f"`{_short(node)}` is not followed"))

    def _power(self, node: ast.AST, base: Found, exponent_node: ast.expr) -> Found:
        self._number(exponent_node, node)
        if base is None or base == NUMBER:
            return base
        exponent = constant_number(exponent_node)
        if exponent is None:
            raise NotFollowed(_where(node, f"the exponent `{_short(exponent_node)}` of {base} is not a plain number"))
        return base**exponent

    def _compared(self, node: ast.Compare) -> Found:
        sides = [node.left, *node.comparators]
        found = [self.of(side) for side in sides]
        for operator, left, right in zip(node.ops, found, found[1:], strict=False):
            if not isinstance(operator, ast.In | ast.NotIn | ast.Is | ast.IsNot):
                together(left, right, node)
        return NUMBER

    def _called(self, node: ast.Call) -> Found:
        name = _function_name(node.func)
        if isinstance(node.func, ast.Name) and name in self.reader.functions:
            return self.reader.call(self.reader.functions[name], self._bound(node, name), node)
        if any(isinstance(argument, ast.Starred) for argument in node.args) or not node.args:
            raise NotFollowed(_where(node, f"`{_short(node)}` is not followed"))
        if name in ROOTS:
            found = self.of(node.args[0])
            return None if found is None else found ** Fraction(1, ROOTS[name])
        if name in PURE_NUMBERS:
            for argument in node.args:
                self._number(argument, node)
            return NUMBER
        if name == "pow" and len(node.args) == 2:
            return self._power(node, self.of(node.args[0]), node.args[1])
        if name in FIRST:
            return self.of(node.args[0])
        if name in SAME or name in SAME_TO_NUMBER:
            found = self._together(node.args, node)
            return found if name in SAME and len(node.args) > 1 else NUMBER if name in SAME_TO_NUMBER else found
        raise NotFollowed(_where(node, f"the function `{_short(node.func)}` is not followed"))

    def _bound(self, node: ast.Call, name: str) -> dict[str, Found]:
        """Return the arguments of a call of a function of the module; a default has the dimension of its expression."""
        function = self.reader.functions[name].args
        names = [argument.arg for argument in (*function.posonlyargs, *function.args)]
        bound: dict[str, Found] = {}
        for argument, default in zip(reversed(names), reversed(function.defaults), strict=False):
            bound[argument] = _Body(self.reader, {}).of(default)
        for keyword, given in zip(function.kwonlyargs, function.kw_defaults, strict=True):
            if given is not None:
                bound[keyword.arg] = _Body(self.reader, {}).of(given)
        if any(isinstance(value, ast.Starred) for value in node.args) or len(node.args) > len(names):
            raise NotFollowed(_where(node, f"`{_short(node)}` is not followed"))
        bound |= {argument: self.of(value) for argument, value in zip(names, node.args, strict=False)}
        return bound | {given.arg: self.of(given.value) for given in node.keywords if given.arg}

    def _number(self, argument: ast.expr, node: ast.AST) -> None:
        """Raise Mismatch if an argument that must be a number has a unit."""
        found = self.of(argument)
        if found is not None and found != NUMBER:
            raise Mismatch(_where(node, f"`{_short(node)}` needs a number, and `{_short(argument)}` is {found}"))

    def _together(self, nodes: list[ast.expr], at: ast.AST) -> Found:
        found: Found = None
        for node in nodes:
            found = together(found, self.of(node), at)
        return found


def _merged(left: Mapping[str, Found], right: Mapping[str, Found]) -> dict[str, Found]:
    """Return the names that have one dimension after both branches of an `if`."""
    merged: dict[str, Found] = {}
    for name in left.keys() & right.keys():
        first, second = left[name], right[name]
        if first is None or second is None or first == second:
            merged[name] = second if first is None else first
    return merged


def together(left: Found, right: Found, node: ast.AST) -> Found:
    """Return the common dimension. Raise Mismatch if there is none."""
    if left is None or right is None or left == right:
        return right if left is None else left
    raise Mismatch(_where(node, f"`{_short(node)}` puts together {left} and {right}"))


def _function_name(node: ast.expr) -> str:
    """Return the name of a function of the language or of a known library; empty for any other."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) and _library(node.value) else ""


def _library(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in LIBRARIES


def _is_silent(statement: ast.stmt) -> bool:
    """True if a statement has no influence on the dimension of the result."""
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or isinstance(statement, ast.Pass | ast.Raise | ast.Import | ast.ImportFrom)


def _leaves(statements: list[ast.stmt]) -> bool:
    """True if the function ends at the end of these statements."""
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Raise)


def _where(node: ast.AST, words: str) -> str:
    return f"line {getattr(node, 'lineno', 0)}: {words}"


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
