"""The target's suite as a check: red on the base, green with the patch, red on revert, every other id held.

The tests are the base's. Test files that the patch brings or edits are judged in a lane of their own: they may show
what the patch is for only where someone other than its author vouches for them, and they may never take the place
of a base test.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Safeguard, Verdict
from whet.errors import SuiteBroken
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.integrity import assertion_helpers, bundled_tests
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.planted import Canary, plant
from whet.phases.validate.integrity.run import Integrity, Subject, aside, judge_planted
from whet.phases.validate.integrity.test_ids import split
from whet.phases.validate.side_by_side import side_by_side
from whet.phases.validate.test_files import is_material, needs_sources
from whet.target.suite import PER_TEST_RUNNERS

_SHOWN = 20
_STILL_FINE = {
    Outcome.PASSED: (Outcome.PASSED,),
    Outcome.SKIPPED: (Outcome.SKIPPED, Outcome.PASSED),
    Outcome.XFAILED: (Outcome.XFAILED, Outcome.XPASSED),
    Outcome.XPASSED: (Outcome.XPASSED, Outcome.PASSED),
}


@dataclass(frozen=True)
class Lanes:
    """The trees that are run: `ground` is the base with the trusted tests, `graded` the patch with the base's tests."""

    ground: str
    graded: str
    own_tests: tuple[str, ...]


@dataclass(frozen=True)
class Runs:
    """The three runs of the suite; the last two with the planted tests, where there are any."""

    base: SuiteReport
    green: SuiteReport
    reverted: SuiteReport
    canary: Canary | None


class Tests:
    def __init__(self, kit: Kit) -> None:
        self._git, self._suite, self._progress, self._is_test = kit.git, kit.suite, kit.progress, kit.is_test
        policy = kit.policy.tests
        self._runner, self._limit_seconds, self._most_at_once = policy.runner, policy.timeout_seconds, policy.at_once
        self._integrity = Integrity(kit)

    def check(self, claim: Claim) -> CheckResult:
        ground = self._ground(claim)
        base = self._run(ground, "base", fresh=False)
        if base.exit_only:
            return _exit_code_only(base)
        if not base.complete:
            return _unclear(f"the suite on the base {base.problem}")
        lanes = self._lanes(claim, ground, base)
        canary = self._canary(base)
        without = self._reverted(claim)
        green, reverted = side_by_side(
            [
                lambda: self._run(lanes.graded, "patched", canary=canary),
                lambda: self._run(without, "reverted", canary=canary),
            ],
            self._at_once(base),
        )
        if not green.complete:
            return _refuted(f"with the patch the suite {green.problem}")
        if not reverted.complete:
            return _unclear(f"the suite on revert {reverted.problem}")
        runs = Runs(base, green, reverted, canary)
        safeguards = [judge_planted(canary, green, reverted)] if canary else []
        result = _compare(base, aside(green, canary), aside(reverted, canary), claim.targets.get("tests", ()))
        result = self._confirm(result, lanes)
        if result.verdict is Verdict.PASSED and result.red and canary:
            subject = Subject(claim.patch, lanes.ground, lanes.graded, result.red, base)
            safeguards += [*self._integrity.safeguards(subject), self._asserting(claim, lanes, base)]
            safeguards.append(bundled_tests.judge_process(base, green, reverted))
        result = _with_safeguards(result, safeguards)
        return self._with_own_tests(result, claim, lanes, runs) if lanes.own_tests else result

    def _at_once(self, base: SuiteReport) -> int:
        """Runs that share a machine take longer; where that could cost them their time limit, one after the other."""
        return self._most_at_once if base.seconds * 3 < self._limit_seconds else 1

    def _canary(self, base: SuiteReport) -> Canary | None:
        """Beside a test file that exists; only pytest can be asked to run more than the suite has."""
        beside = next((test.partition("::")[0] for test in base.outcomes if "::" in test), None)
        return plant(beside) if beside and self._runner in PER_TEST_RUNNERS else None

    def _ground(self, claim: Claim) -> str:
        base_tree = self._git.tree_of(claim.patch.base)
        trusted = [path for path in claim.patch.paths if path in claim.trusted_tests]
        return self._git.with_entries(base_tree, claim.patch.tree, trusted) if trusted else base_tree

    def _lanes(self, claim: Claim, ground: str, base: SuiteReport) -> Lanes:
        """A file is a test by its name, because the suite finds tests in it, or because only tests use it."""
        patch, base_tree = claim.patch, self._git.tree_of(claim.patch.base)
        found = {path for path, _ in map(split, filter(_is_apart, base.outcomes))}
        touched = {path for path in patch.paths if self._is_test(path) or path in found}
        touched |= self._material(base_tree, [path for path in patch.paths if path not in touched], found)
        own = [path for path in patch.paths if path in touched and path not in claim.trusted_tests]
        from_base = [*own, *claim.restored]
        graded = self._git.with_entries(patch.tree, base_tree, from_base) if from_base else patch.tree
        return Lanes(ground=ground, graded=graded, own_tests=tuple(own))

    def _material(self, tree: str, paths: Iterable[str], found: set[str]) -> set[str]:
        asked = [path for path in paths if needs_sources(path, found)]
        if not asked:
            return set()
        python = [path for path in self._git.files(tree) if path.endswith(".py")]
        sources = {path: text.decode(errors="replace") for path, text in self._git.read_all(tree, python).items()}
        tests = {path for path in sources if path in found or self._is_test(path)}
        return {path for path in asked if is_material(path, sources, tests, found)}

    def _asserting(self, claim: Claim, lanes: Lanes, base: SuiteReport) -> Safeguard:
        """Whether it alters what the tests of the base assert with."""
        texts = self._git.texts(claim.patch.changes)
        code = {path: both for path, both in texts.items() if path.endswith(".py") and path not in lanes.own_tests}
        if not any("assert" in old.lower() for old, _ in code.values()):
            return Safeguard(assertion_helpers.NAME, None, "what it changes asserts nothing")
        tests = self._git.read_all(lanes.graded, {split(test)[0] for test in base.outcomes} - code.keys())
        called = assertion_helpers.called_in(text.decode(errors="replace") for text in tests.values())
        for path, (old, new) in code.items():
            if name := assertion_helpers.altered(old, new, called):
                words = f"{path} alters {name}, which tests assert with"
                return Safeguard(assertion_helpers.NAME, Verdict.INCONCLUSIVE, words)
        return Safeguard(assertion_helpers.NAME, Verdict.PASSED, "what tests assert with is as it was")

    def _reverted(self, claim: Claim) -> str:
        """The patch really taken out again, not the base looked up."""
        patch = claim.patch
        tree = self._git.apply(patch.tree, self._git.diff(patch.base, patch.tree), reverse=True)
        if tree != self._git.tree_of(patch.base):
            raise SuiteBroken("taking the patch out does not give the base back")
        trusted = [path for path in patch.paths if path in claim.trusted_tests]
        return self._git.with_entries(tree, patch.tree, trusted) if trusted else tree

    def _run(
        self, tree: str, name: str, ids: Iterable[str] = (), *, canary: Canary | None = None, fresh: bool = True
    ) -> SuiteReport:
        return self._suite.run(
            tree,
            tuple(ids),
            overlay={canary.path: canary.text} if canary else {},
            planted=(canary.path,) if canary else (),
            fresh=fresh,
            on_progress=lambda done, total: self._progress.advance(f"tests, {name}", done, total),
        )

    def _confirm(self, result: CheckResult, lanes: Lanes) -> CheckResult:
        """What looks like a regression is run again, since one red may be bad luck."""
        if result.verdict is Verdict.FAILED and result.regressed and not result.missing:
            again = self._run(lanes.graded, "regressed again", result.regressed)
            unstable = [test for test in result.regressed if again.outcomes.get(test) is Outcome.PASSED]
            if len(unstable) == len(result.regressed):
                return replace(
                    result,
                    verdict=Verdict.INCONCLUSIVE,
                    flaky=(*result.flaky, *unstable),
                    regressed=(),
                    reason=f"{_names(unstable)} failed once and passed once with the patch",
                )
        return result

    def _with_own_tests(self, result: CheckResult, claim: Claim, lanes: Lanes, runs: Runs) -> CheckResult:
        """The patch's own tests: run with the patch and without it, reported, never counted for it.

        They are merged with it all the same, so what they do to the others counts against it.
        """
        base, canary = runs.base, runs.canary
        whole = self._run(claim.patch.tree, "with its own tests", canary=canary)
        if not whole.complete:
            return _refuted(f"with the change's own tests the suite {whole.problem}")
        head = aside(whole, canary)
        gone = sorted(test for test in base.passed if test not in head.outcomes)
        if gone:
            return replace(
                result, verdict=Verdict.FAILED, missing=tuple(gone), reason=f"it removes tests: {_names(gone)}"
            )
        if head.red - base.red:
            broken = sorted(head.red - base.red)
            return replace(result, verdict=Verdict.FAILED, reason=f"its own tests fail: {_names(broken)}")
        result = self._with_brought(result, claim, lanes, sorted(head.passed - base.outcomes.keys()))
        safeguards = [judge_planted(canary, whole, runs.reverted)] if canary else []
        safeguards.append(self._beside_own_tests(claim, lanes, runs, head, result.flaky))
        return _with_safeguards(result, safeguards)

    def _with_brought(self, result: CheckResult, claim: Claim, lanes: Lanes, brought: list[str]) -> CheckResult:
        tree = self._git.with_entries(lanes.ground, claim.patch.tree, lanes.own_tests)
        without = self._run(tree, "its tests, base code")
        shown = [test for test in brought if without.outcomes.get(test, Outcome.ERROR) is not Outcome.PASSED]
        details = {
            **result.details, "brought_tests": brought, "brought_red_on_base": shown, "from_base": lanes.own_tests,
        }  # fmt: skip
        reason = result.reason + f"; it brings {len(brought)} tests, {len(shown)} of them red without it"
        if brought and not result.red:
            reason += (
                ", which do not count as evidence for the change that brought them (--trust-tests vouches for them)"
            )
        if others := [path for path in lanes.own_tests if not self._is_test(path)]:
            reason += f"; what tests use was taken from the base: {_names(others)}"
        return replace(result, details=details, reason=reason)

    def _beside_own_tests(
        self, claim: Claim, lanes: Lanes, runs: Runs, head: SuiteReport, flaky: Iterable[str]
    ) -> Safeguard:
        """What differs is looked at twice, since once may be bad luck."""
        graded, apart = aside(runs.green, runs.canary), frozenset(flaky)
        differ = bundled_tests.differing(graded, head, apart, lanes.own_tests)
        if differ:
            again = self._run(claim.patch.tree, "with its own tests again")
            differ = [test for test in differ if again.outcomes.get(test) is head.outcomes.get(test)]
        return bundled_tests.judge(graded, head, differ, lanes.own_tests)


def _is_apart(test: str) -> bool:
    """It is in a file of its own; an example in a docstring is in the code."""
    return not is_doctest(test) or not split(test)[0].endswith(".py")


def _with_safeguards(result: CheckResult, safeguards: list[Safeguard]) -> CheckResult:
    """What the safeguards saw goes on record; one that speaks against the patch decides, a failure before a doubt."""
    result = replace(result, safeguards=(*result.safeguards, *safeguards))
    against = [
        one for verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE) for one in safeguards if one.verdict is verdict
    ]
    if not against or result.verdict is Verdict.FAILED:
        return result
    verdict = against[0].verdict or Verdict.INCONCLUSIVE
    return replace(result, verdict=verdict, reason=f"{against[0].name}: {against[0].words}")


def _compare(base: SuiteReport, green: SuiteReport, reverted: SuiteReport, targets: tuple[str, ...]) -> CheckResult:
    flaky = sorted(test for test, outcome in base.outcomes.items() if reverted.outcomes.get(test) is not outcome)
    stable = {test: outcome for test, outcome in base.outcomes.items() if test not in flaky}
    stable_red = {test for test, outcome in stable.items() if outcome.red}
    mended = sorted(test for test in stable_red if green.outcomes.get(test) is Outcome.PASSED)
    wanted = targets or tuple(mended)
    held = [test for test, outcome in stable.items() if not outcome.red]
    missing = sorted(test for test in held if test not in green.outcomes)
    regressed = sorted(
        [test for test in held if test in green.outcomes and green.outcomes[test] not in _STILL_FINE[stable[test]]]
        + [test for test in green.red if test not in base.outcomes]
    )
    facts = CheckResult(
        check="tests",
        verdict=Verdict.PASSED,
        reason="",
        red=tuple(test for test in wanted if test in stable_red),
        green=tuple(test for test in wanted if green.outcomes.get(test) is Outcome.PASSED),
        reverted=tuple(test for test in wanted if test in stable_red),
        held=len(held) - len(regressed) - len(missing),
        regressed=tuple(regressed),
        missing=tuple(missing),
        flaky=tuple(flaky),
        also_mended=tuple(test for test in mended if test not in wanted),
        details={
            "ids": len(base.outcomes),
            "still_red": len(stable_red) - len(mended),
            "seconds": [base.seconds, green.seconds, reverted.seconds],
        },
    )
    verdict, reason = _judge(facts, wanted)
    return replace(facts, verdict=verdict, reason=reason)


def _judge(facts: CheckResult, wanted: tuple[str, ...]) -> tuple[Verdict, str]:
    if facts.missing:
        return Verdict.FAILED, f"tests vanished with the patch: {_names(facts.missing)}"
    if facts.regressed:
        return Verdict.FAILED, f"tests that held on the base fail with the patch: {_names(facts.regressed)}"
    if unstable := [test for test in wanted if test in facts.flaky]:
        return Verdict.INCONCLUSIVE, f"flaky on the base, so it proves nothing: {_names(unstable)}"
    if not_red := [test for test in wanted if test not in facts.red]:
        return Verdict.INCONCLUSIVE, f"not red on the base: {_names(not_red)}"
    if not_green := [test for test in wanted if test not in facts.green]:
        return Verdict.FAILED, f"still not green with the patch: {_names(not_green)}"
    if not facts.red and not facts.held:
        return Verdict.INCONCLUSIVE, "no test ran, so nothing is shown"
    apart = f", {len(facts.flaky)} flaky set apart" if facts.flaky else ""
    red = f"{len(facts.red)} red, green with the patch, red on revert; " if facts.red else ""
    still = f", {facts.details['still_red']} red before and after" if facts.details["still_red"] else ""
    return Verdict.PASSED, f"{red}{facts.held} others held{still}{apart}"


def _exit_code_only(base: SuiteReport) -> CheckResult:
    return CheckResult(
        check="tests",
        verdict=Verdict.INCONCLUSIVE,
        reason="the runner gives an exit code and no test ids, which proves nothing about single tests",
        details={"exit_code": base.exit_code},
    )


def _unclear(reason: str) -> CheckResult:
    return CheckResult(check="tests", verdict=Verdict.INCONCLUSIVE, reason=reason)


def _refuted(reason: str) -> CheckResult:
    return CheckResult(check="tests", verdict=Verdict.FAILED, reason=reason)


def _names(tests: Iterable[str]) -> str:
    listed = list(tests)
    rest = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + rest
