"""`[service]`: when `whet serve` looks at the repository, and how much it may ask."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section


def _cron(expression: str) -> str:
    """Refuse an expression that croniter does not read. The library is loaded only if there is one."""
    if expression:
        from croniter import croniter

        if len(expression.split()) != 5 or not croniter.is_valid(expression):
            raise ValueError(f"{expression!r} is not a cron expression of five fields, such as 0 3 * * 1-5")
    return expression


class ServicePolicy(Section):
    """`[service]`: the triggers of `whet serve` and the limits of the questions that it may ask by itself.

    The limits hold for cycles that the service starts. A cycle that a person asks for is not held back by them.
    """

    cron: Annotated[str, AfterValidator(_cron)] = ""
    every_hours: Annotated[float, Field(ge=0, le=24 * 30)] = 24.0
    jitter_minutes: Annotated[float, Field(ge=0, le=24 * 60)] = 10.0
    poll_seconds: Annotated[float, Field(ge=0.2, le=3600)] = 5.0
    health_seconds: Annotated[float, Field(ge=0, le=24 * 3600)] = 60.0
    forge_seconds: Annotated[float, Field(ge=5, le=3600)] = 60.0
    debounce_seconds: Annotated[float, Field(ge=0, le=3600)] = 30.0
    debounce_most_seconds: Annotated[float, Field(ge=0, le=24 * 3600)] = 600.0
    failures: Annotated[int, Field(ge=1)] = 3
    cycles_per_day: Annotated[int, Field(ge=0)] = 24
    open_questions: Annotated[int, Field(ge=1)] = 3
    open_per_file: Annotated[int, Field(ge=1)] = 1
    expired_in_a_row: Annotated[int, Field(ge=1)] = 2
    lint_days: Annotated[float, Field(ge=0, le=365)] = 7.0
    dry_run_days: Annotated[float, Field(ge=0, le=365)] = 7.0
