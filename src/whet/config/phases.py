"""`[observe]`, `[propose]` and `[checks]`: the engines that a cycle uses."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.config.target import below_the_root, file_pattern


class ObservePolicy(Section):
    """`[observe]`: the sources of signals, by plug-in name."""

    sources: tuple[str, ...] = (
        "tests",
        "lint",
        "suggestions",
        "tools",
        "clones",
        "junit",
        "sarif",
        "traces",
        "events",
        "otlp",
        "tuning",
        "improvements",
        "codemods",
        "formulas",
        "health",
        "diagnostics",
    )


class ProposePolicy(Section):
    """`[propose]`: the engines that write changes, by plug-in name, and their limits."""

    engines: tuple[str, ...] = (
        "supplied_patch",
        "known_fix",
        "restore",
        "repair",
        "model",
        "tune",
        "improve",
        "speed",
        "codemod",
        "autofix",
    )
    top: Annotated[int, Field(ge=1)] = 1
    repair_seconds: Annotated[int, Field(ge=1)] = 60
    lint_rules: tuple[str, ...] = ()
    similarity: Annotated[str, Field(pattern="^(trigrams|embeddings)$")] = "trigrams"
    similarity_threshold: Annotated[float, Field(ge=0, le=1)] = 0.8


class ChecksPolicy(Section):
    """`[checks]`: the checks of a proof besides the tests."""

    diagnostics: Annotated[str, Field(pattern="^(off|inconclusive|failed)$")] = "inconclusive"
    own_tests: Annotated[str, Field(pattern="^(count|report)$")] = "count"
    schemas: dict[Annotated[str, AfterValidator(file_pattern)], Annotated[str, AfterValidator(below_the_root)]] = Field(
        default_factory=dict
    )
