"""The dimension of a quantity, and the reader of units such as `kg*m/s^2`."""

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

_BASE = ("m", "kg", "s", "A", "K", "mol", "cd")
_PREFIXES = ("Y", "Z", "E", "P", "T", "G", "M", "k", "h", "d", "c", "m", "u", "μ", "n", "p", "f")
_PLAIN = ("rad", "sr", "deg", "percent", "ppm")
# Units that take a prefix, as exponents of m, kg, s, A, K, mol, cd.
_PREFIXED: Mapping[str, tuple[int, ...]] = {
    "m": (1,), "g": (0, 1), "s": (0, 0, 1), "A": (0, 0, 0, 1), "K": (0, 0, 0, 0, 1), "mol": (0, 0, 0, 0, 0, 1),
    "cd": (0, 0, 0, 0, 0, 0, 1), "lm": (0, 0, 0, 0, 0, 0, 1), "lx": (-2, 0, 0, 0, 0, 0, 1), "N": (1, 1, -2),
    "J": (2, 1, -2), "eV": (2, 1, -2), "W": (2, 1, -3), "Pa": (-1, 1, -2), "bar": (-1, 1, -2), "Hz": (0, 0, -1),
    "C": (0, 0, 1, 1), "V": (2, 1, -3, -1), "F": (-2, -1, 4, 2), "ohm": (2, 1, -3, -2), "S": (-2, -1, 3, 2),
    "Wb": (2, 1, -2, -1), "T": (0, 1, -2, -1), "H": (2, 1, -2, -2), "Bq": (0, 0, -1), "Gy": (2, 0, -2),
    "L": (3,), "l": (3,), "t": (0, 1),
}  # fmt: skip
_OTHERS: Mapping[str, tuple[int, ...]] = {
    "min": (0, 0, 1), "h": (0, 0, 1), "day": (0, 0, 1), "year": (0, 0, 1), "degC": (0, 0, 0, 0, 1), "ha": (2,),
    "atm": (-1, 1, -2), "cal": (2, 1, -2), "kWh": (2, 1, -2), "ft": (1,), "mile": (1,), "lb": (0, 1),
}  # fmt: skip
_SIGNS = {"^": "**", "·": "*", "²": "**2", "³": "**3", "%": "percent", "°C": "degC", "Ω": "ohm"}


@dataclass(frozen=True)
class UnitDimension:
    """Exponents of base units, ordered by unit; empty for a number without a unit."""

    exponents: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def of(cls, exponents: Iterable[tuple[str, Fraction | int]]) -> "UnitDimension":
        """Return the dimension with these exponents; the exponents of one unit are added."""
        summed: dict[str, Fraction] = {}
        for unit, exponent in exponents:
            summed[unit] = summed.get(unit, Fraction()) + exponent
        return cls(tuple(sorted((unit, exponent) for unit, exponent in summed.items() if exponent)))

    def __mul__(self, other: "UnitDimension") -> "UnitDimension":
        return UnitDimension.of([*self.exponents, *other.exponents])

    def __truediv__(self, other: "UnitDimension") -> "UnitDimension":
        return self * other ** Fraction(-1)

    def __pow__(self, exponent: Fraction) -> "UnitDimension":
        return UnitDimension.of((unit, own * exponent) for unit, own in self.exponents)

    def __str__(self) -> str:
        if not self.exponents:
            return "a number without a unit"
        return "*".join(unit if exponent == 1 else f"{unit}^{_shown(exponent)}" for unit, exponent in self.exponents)


NUMBER = UnitDimension()


def _shown(exponent: Fraction) -> str:
    return str(exponent) if exponent.denominator == 1 else f"({exponent})"


def parse_unit(text: str, own: Collection[str] = ()) -> UnitDimension:
    """Return the dimension of a unit; `own` are base units of the project, such as EUR. Raise ValueError, saying how to write it."""
    if len(text) > 200:
        raise ValueError("a unit may have 200 characters")
    python = text
    for sign, meaning in _SIGNS.items():
        python = python.replace(sign, meaning)
    try:
        return _dimension(ast.parse(python.strip(), mode="eval").body, frozenset(own))
    except (SyntaxError, RecursionError, _NotAUnit):
        raise ValueError(
            f"{text!r} is not a unit: write products with *, quotients with / and powers with ^, such as kg*m/s^2; 1 for none"
        ) from None


class _NotAUnit(Exception):
    """A part of the text is not a product, a quotient, a power or a name."""


def _dimension(node: ast.expr, own: frozenset[str]) -> UnitDimension:
    if isinstance(node, ast.Name):
        return _named(node.id, own)
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1:
        return NUMBER
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Mult):
            return _dimension(node.left, own) * _dimension(node.right, own)
        if isinstance(node.op, ast.Div):
            return _dimension(node.left, own) / _dimension(node.right, own)
        if isinstance(node.op, ast.Pow):
            return _dimension(node.left, own) ** _exponent(node.right)
    raise _NotAUnit


def _exponent(node: ast.expr) -> Fraction:
    exponent = constant_number(node)
    if exponent is None or abs(exponent) > 100:
        raise _NotAUnit
    return exponent


def constant_number(node: ast.expr) -> Fraction | None:
    """Return the value of an expression of numbers alone, such as `-2`, `0.5` or `1 / 3`; None for any other."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Fraction(str(node.value)) if abs(node.value) < 1e6 else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = constant_number(node.operand)
        return -inner if inner is not None and isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        left, right = constant_number(node.left), constant_number(node.right)
        return left / right if left is not None and right else None
    return None


def _named(name: str, own: frozenset[str]) -> UnitDimension:
    if name in own:
        return UnitDimension.of([(name, 1)])
    if name in _PLAIN:
        return NUMBER
    known = _OTHERS.get(name) or _PREFIXED.get(name)
    if known is None and name.startswith(_PREFIXES):
        prefix = next(prefix for prefix in _PREFIXES if name.startswith(prefix))
        known = _PREFIXED.get(name.removeprefix(prefix))
    if known is None:
        near = get_close_matches(name, [*own, *_OTHERS, *_PREFIXED], n=3, cutoff=0.5)
        hint = f"; near it are {', '.join(near)}" if near else ""
        raise ValueError(f"{name!r} is not a unit that whet knows{hint}; list units of your own in formulas.units")
    return UnitDimension.of(zip(_BASE, known, strict=False))


def is_unit_name(name: str) -> bool:
    """True if a project may name a base unit of its own so."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None and not _is_known(name)


def _is_known(name: str) -> bool:
    try:
        _named(name, frozenset())
    except ValueError:
        return False
    return True
