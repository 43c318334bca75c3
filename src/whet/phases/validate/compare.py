"""Compare three runs of the suite: on the base, with the patch, and with the patch reverted.

The targets must be red, green and red again; no other test may get worse or disappear.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from whet.domain.plural import count, shorten
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.target.import_errors import import_errors

_MOST_SHOWN = 5
ACCEPTED_OUTCOMES = {
    Outcome.PASSED: (Outcome.PASSED,),
    Outcome.SKIPPED: (Outcome.SKIPPED, Outcome.PASSED),
    Outcome.XFAILED: (Outcome.XFAILED, Outcome.XPASSED),
    Outcome.XPASSED: (Outcome.XPASSED, Outcome.PASSED),
}


def compare(
    base: SuiteReport,
    patched: SuiteReport,
    reverted: SuiteReport,
    targets: tuple[str, ...],
    repeated: Collection[str] | None = None,
) -> CheckResult:
    """Return the result of the check; if `targets` is empty, every test that turned green is a target.

    `repeated` are the tests that ran on the reverted tree, by default all. A test that did something else there than on
    the base is flaky and proves nothing; so does a target that did not run there.
    """
    repeated = base.outcomes.keys() if repeated is None else repeated
    flaky = sorted(test for test in repeated if reverted.outcomes.get(test) is not base.outcomes[test])
    stable = {test: outcome for test, outcome in base.outcomes.items() if test not in flaky}
    stable_red = {test for test, outcome in stable.items() if outcome.red}
    mended = sorted(test for test in stable_red if patched.outcomes.get(test) is Outcome.PASSED)
    targets = targets or tuple(mended)
    others = {test: outcome for test, outcome in stable.items() if not outcome.red}
    missing = sorted(test for test in others if test not in patched.outcomes)
    worse = [
        test
        for test, outcome in others.items()
        if test in patched.outcomes and patched.outcomes[test] not in ACCEPTED_OUTCOMES[outcome]
    ]
    new_red = [test for test in patched.red if test not in base.outcomes]
    regressed = sorted(worse + new_red)
    red_targets = tuple(test for test in targets if test in stable_red and test in repeated)
    facts = CheckResult(
        check="tests",
        verdict=Verdict.PASSED,
        reason="",
        red=red_targets,
        green=tuple(test for test in targets if patched.outcomes.get(test) is Outcome.PASSED),
        reverted=red_targets,  # each ran again on revert and is stable, so it was red there too
        held=len(others) - len(regressed) - len(missing),
        regressed=tuple(regressed),
        missing=tuple(missing),
        flaky=tuple(flaky),
        also_mended=tuple(test for test in mended if test not in targets),
        still_red=tuple(sorted((stable_red & patched.red) - set(targets))),
        details={
            "ids": len(base.outcomes),
            "still_red": len(stable_red) - len(mended),
            "repeated": len(repeated),
            "seconds": [base.seconds, patched.seconds, reverted.seconds],
        },
    )
    verdict, reason = _conclude(facts, targets, base)
    return replace(facts, verdict=verdict, reason=reason)


def _conclude(facts: CheckResult, targets: tuple[str, ...], base: SuiteReport) -> tuple[Verdict, str]:
    if facts.missing:
        return Verdict.FAILED, f"tests are missing with the patch: {list_tests(facts.missing)}"
    if facts.regressed:
        return Verdict.FAILED, f"tests that held on the base fail with the patch: {list_tests(facts.regressed)}"
    if flaky := [test for test in targets if test in facts.flaky]:
        return Verdict.INCONCLUSIVE, f"flaky on the base, so it proves nothing: {list_tests(flaky)}"
    if not_red := [test for test in targets if test not in facts.red]:
        return Verdict.INCONCLUSIVE, f"not red on the base: {list_tests(not_red)}"
    if not_green := [test for test in targets if test not in facts.green]:
        return Verdict.FAILED, f"still not green with the patch: {list_tests(not_green)}"
    if not facts.red and not facts.held:
        return Verdict.INCONCLUSIVE, _why_nothing_ran(base)
    red = f"{len(facts.red)} red, green with the patch, red on revert; " if facts.red else ""
    still_red = f", {facts.details['still_red']} red before and after" if facts.details["still_red"] else ""
    set_apart = f", {len(facts.flaky)} flaky set apart" if facts.flaky else ""
    return Verdict.PASSED, f"{red}{count(facts.held, 'other')} held{still_red}{set_apart}"


def _why_nothing_ran(base: SuiteReport) -> str:
    if not base.outcomes:
        return "no test was collected on the base, so nothing is shown: see `[tests]` in whet.toml"
    if not any("::" in test for test in base.outcomes) and (errors := import_errors(base)):
        return f"the test suite does not import on the base, so nothing is shown: {errors}"
    return "no test ran, so nothing is shown"


def list_tests(tests: Iterable[str]) -> str:
    return shorten(list(tests), _MOST_SHOWN)
