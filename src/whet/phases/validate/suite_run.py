"""One run of the suite for the check, shown as progress, and the results that need no comparison."""

from collections.abc import Iterable
from dataclasses import replace

from whet.domain.suite import SuiteReport
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict, deciding_first
from whet.kit import Kit
from whet.phases.validate.integrity.planted_file import PlantedFile
from whet.phases.validate.integrity.safeguards.varied_inputs import NAME as VARIED_INPUTS


def run_suite(
    kit: Kit,
    tree: str,
    label: str,
    tests: Iterable[str] = (),
    *,
    planted: PlantedFile | None = None,
    fresh: bool = True,
) -> SuiteReport:
    """Run the whole suite or these tests, with the planted file added; `label` is shown as progress."""
    return kit.suite.run(
        tree,
        tuple(tests),
        overlay={planted.path: planted.text} if planted else {},
        planted=(planted.path,) if planted else (),
        fresh=fresh,
        on_progress=lambda done, total: kit.progress.advance(f"tests, {label}", done, total),
    )


def inconclusive_check(reason: str) -> CheckResult:
    return CheckResult(check="tests", verdict=Verdict.INCONCLUSIVE, reason=reason)


def failed_check(reason: str) -> CheckResult:
    return CheckResult(check="tests", verdict=Verdict.FAILED, reason=reason)


def with_held_behaviour(result: CheckResult) -> CheckResult:
    """Add to the reason on how many varied inputs the behaviour held: all that is known of a patch without red tests."""
    words = [
        safeguard.words
        for safeguard in result.safeguards
        if safeguard.name == VARIED_INPUTS and safeguard.verdict is Verdict.PASSED
    ]
    return replace(result, reason="; ".join([result.reason, *words]))


def with_safeguards(result: CheckResult, safeguards: Iterable[SafeguardResult]) -> CheckResult:
    """Add the results of safeguards. One against the patch decides the verdict and stands first, a failure before a doubt."""
    added = tuple(safeguards)
    result = replace(result, safeguards=deciding_first((*result.safeguards, *added)))
    if result.verdict is Verdict.FAILED:
        return result
    for verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        for safeguard in added:
            if safeguard.verdict is verdict:
                return replace(result, verdict=verdict, reason=f"{safeguard.name}: {safeguard.words}")
    return result
