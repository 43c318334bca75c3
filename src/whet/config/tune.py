"""`[tune]`: constants that whet may search better values for."""

from typing import Annotated

from pydantic import Field, model_validator

from whet.config.section import Section


class Bounds(Section):
    """The values that a constant may take. `integer` follows from the constant's present value."""

    low: float
    high: float

    @model_validator(mode="after")
    def _is_a_range(self) -> "Bounds":
        if not self.low < self.high:
            raise ValueError("low must be below high")
        return self


class TunedPolicy(Section):
    """`[tune.declared.NAME]`: constants of one file, the benchmark or evaluation to improve, and how many sets of values are tried.

    A constant is `NAME` at the top of a Python file, `function.parameter` for a default there, or a dotted path of keys in a
    TOML, YAML or JSON file.
    """

    file: Annotated[str, Field(min_length=1)]
    constants: Annotated[dict[str, Bounds], Field(min_length=1, max_length=8)]
    objective: Annotated[str, Field(min_length=1)]
    trials: Annotated[int, Field(ge=2, le=500)] = 16


class TunePolicy(Section):
    """`[tune]`: what `whet tune` may tune, by name."""

    declared: dict[str, TunedPolicy] = Field(default_factory=dict)
