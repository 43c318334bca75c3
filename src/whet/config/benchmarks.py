"""`[benchmarks]`: commands that print a number which must not get worse."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.config.target import file_pattern


class BenchmarkPolicy(Section):
    """`[benchmarks.declared.NAME]`: a command whose last line with only a number on it is the measurement.

    `{seed}` in the command is replaced by a number that is new for each pair of runs. `files` are paths, folders or globs
    besides the command's own script that are always taken from the base.
    """

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    better: Annotated[str, Field(pattern="^(lower|higher)$")] = "lower"
    timeout_seconds: Annotated[int, Field(ge=1, le=3600)] = 60
    files: tuple[Annotated[str, AfterValidator(file_pattern)], ...] = ()


class BenchmarksPolicy(Section):
    """`[benchmarks]`: the declared benchmarks and how they are compared."""

    declared: dict[str, BenchmarkPolicy] = Field(default_factory=dict)
    margin_percent: Annotated[float, Field(ge=0, le=100)] = 5.0
    most_pairs: Annotated[int, Field(ge=8, le=200)] = 20
