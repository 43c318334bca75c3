"""`[formulas]`: functions with known cases and properties that a change must keep."""

import re
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from whet.config.section import Section
from whet.config.target import below_the_root
from whet.domain.dimension import is_unit_name, parse_unit

Finite = Annotated[float, Field(allow_inf_nan=False)]
Input = bool | int | Finite | str


def _function(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", name):
        raise ValueError(f"{name!r} names no function: write module:function, such as physics.drag:force")
    return name


class FormulaCase(Section):
    """One case: the inputs by argument, the expected result, and by how much the result may differ from it.

    Without `tolerance` the result may differ by a billionth of the expected one.
    """

    inputs: dict[str, Input]
    expected: Finite
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class ArgumentPolicy(Section):
    """`arguments.ARGUMENT` of a formula: the range of an argument, its unit, and how the result follows it.

    `whole` is for arguments that are whole numbers.
    """

    low: Finite | None = None
    high: Finite | None = None
    whole: bool = False
    unit: str = ""
    monotone: Annotated[str, Field(pattern="^(increasing|decreasing|)$")] = ""

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("a range needs both low and high")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"low ({self.low:g}) must be below high ({self.high:g})")
        if self.whole and any(bound is not None and bound != int(bound) for bound in (self.low, self.high)):
            raise ValueError("the range of an argument with whole = true needs whole numbers as low and high")
        if self.monotone and self.low is None:
            raise ValueError(f"monotone = {self.monotone!r} needs low and high: the range over which it holds")
        return self

    @property
    def range(self) -> tuple[float, float] | None:
        """Return (low, high); None without a range."""
        return None if self.low is None or self.high is None else (self.low, self.high)


class FormulaPolicy(Section):
    """`[formulas.declared.NAME]`: a function as `module:function`, its cases and its properties.

    `cases_file` is a CSV file (a column for each argument, `expected`, perhaps `tolerance`) or a JSON list of cases. `lower` and
    `upper` bound the result over the ranges of the arguments. `unit` is that of the result, `constants` are units of constants
    that the expression uses. `samples` is how many random inputs are tried besides the edges of the ranges.
    """

    function: Annotated[str, AfterValidator(_function)]
    cases: tuple[FormulaCase, ...] = ()
    cases_file: Annotated[str, AfterValidator(lambda path: below_the_root(path) if path else path)] = ""
    arguments: dict[str, ArgumentPolicy] = Field(default_factory=dict)
    lower: Finite | None = None
    upper: Finite | None = None
    unit: str = ""
    constants: dict[str, str] = Field(default_factory=dict)
    samples: Annotated[int, Field(ge=1, le=10_000)] = 100

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower ({self.lower:g}) is above upper ({self.upper:g}), so that no result fits")
        for case in self.cases:
            if not self._is_within(case.expected):
                raise ValueError(f"a case expects {case.expected:g}, which lower and upper exclude")
        if self.is_bounded and not any(argument.range for argument in self.arguments.values()):
            raise ValueError("lower and upper need an argument with low and high: the range over which they hold")
        if not (self.cases or self.cases_file or self.is_bounded or self.has_units or self.monotone):
            raise ValueError("declare cases, lower or upper, units, or an argument with `monotone`")
        return self

    def _is_within(self, number: float) -> bool:
        return (self.lower is None or number >= self.lower) and (self.upper is None or number <= self.upper)

    @property
    def is_bounded(self) -> bool:
        return self.lower is not None or self.upper is not None

    @property
    def has_units(self) -> bool:
        return bool(self.unit or self.constants or any(argument.unit for argument in self.arguments.values()))

    @property
    def monotone(self) -> dict[str, str]:
        """Return the direction of each argument that the result follows."""
        return {name: argument.monotone for name, argument in self.arguments.items() if argument.monotone}

    @property
    def units(self) -> dict[str, str]:
        """Return all units by what has them; that of the result is under the empty name."""
        units = {"": self.unit, **self.constants}
        units |= {name: argument.unit for name, argument in self.arguments.items()}
        return {name: unit for name, unit in units.items() if unit}

    @property
    def module(self) -> str:
        return self.function.partition(":")[0]

    @property
    def name(self) -> str:
        return self.function.partition(":")[2]


class FormulasPolicy(Section):
    """`[formulas]`: the declared formulas, and the units that the project has besides those of physics, such as EUR."""

    declared: dict[str, FormulaPolicy] = Field(default_factory=dict)
    units: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_readable_units(self) -> Self:
        for unit in self.units:
            if not is_unit_name(unit):
                raise ValueError(f"units: {unit!r} is a known unit or no name; choose a name such as EUR or item")
        for formula, policy in self.declared.items():
            for owner, unit in policy.units.items():
                try:
                    parse_unit(unit, self.units)
                except ValueError as problem:
                    raise ValueError(f"declared.{formula}, unit of {owner or 'the result'}: {problem}") from None
        return self
