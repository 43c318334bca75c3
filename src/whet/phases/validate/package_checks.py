"""The checks of the tests in a repository with several packages: one for each package, and one for tests outside all of them.

What a package needs is read from its pyproject.toml, which does not name every way to another package: a path in a conftest.py,
a file read by its place, a link. So the tests of the other packages run once with the change before it is believed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from whet.config import PackagePolicy
from whet.domain.plural import shorten
from whet.domain.proved_claim import ProvedClaim
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult
from whet.kit import Kit
from whet.phases.validate import Check, Claim
from whet.phases.validate.compare import ACCEPTED_OUTCOMES, list_tests
from whet.phases.validate.suite_check import SuiteCheck
from whet.phases.validate.suite_run import inconclusive_check, run_suite
from whet.target.packages.affected import owner_of

TESTS = "tests"
_OUTSIDE = "files outside all packages"
_MOST_PATHS = 2


@dataclass(frozen=True)
class PackageCheck:
    """The check of the tests of one package. `affected_by` says why the change affects it."""

    kit: Kit
    package: str
    affected_by: str

    def check(self, claim: Claim) -> CheckResult:
        """Check the targets in this package. A package without targets must only do what it did before."""
        own = tuple(test for test in claim.targets_of(TESTS) if _holds(self.package, test, self.kit))
        only_tests = claim.stated is ProvedClaim.TESTS and not any(
            _holds(self.package, path, self.kit) for path in claim.patch.paths
        )
        narrowed = replace(
            claim, targets={**claim.targets, TESTS: own}, stated=None if only_tests else claim.stated
        )  # fmt: skip
        self.kit.progress.note(f"proving the package {self.package}: {self.affected_by}")
        result = SuiteCheck(self.kit).check(narrowed)
        return replace(result, package=self.package, affected_by=self.affected_by)


@dataclass(frozen=True)
class OtherPackageCheck:
    """The check of a package that nothing declared connects with the change: the tests run once, to see whether that is so."""

    kit: Kit
    package: str

    def check(self, claim: Claim) -> CheckResult | None:
        """Return None if nothing shows that the change affects the package, else the whole check."""
        why = self.why_affected(claim)
        return PackageCheck(self.kit, self.package, why).check(claim) if why else None

    def why_affected(self, claim: Claim) -> str:
        """Return how the tests show that the change affects the package; empty if they do what they did and load none of
        the changed files.
        """
        if any(_holds(self.package, test, self.kit) for test in claim.targets_of(TESTS)):
            return "has targets"
        self.kit.progress.note(f"running the package {self.package} once: nothing says that it needs the change")
        patched = run_suite(self.kit, claim.patch.tree, f"patched, {self.package}")
        if loaded := [path for path in claim.patch.paths if path in patched.looks]:
            return f"loads {shorten(loaded, _MOST_PATHS)}"
        changed = _changed_tests(self._base(patched, claim), patched)
        return f"its tests change: {shorten(changed, _MOST_PATHS)}" if changed else ""

    def _base(self, patched: SuiteReport, claim: Claim) -> SuiteReport:
        """Return what the tests do on the base. If all pass with the change, their names are enough."""
        tree = self.kit.git.tree_of(claim.patch.base)
        if patched.complete and all(outcome is Outcome.PASSED for outcome in patched.outcomes.values()):
            return self.kit.suite.list_tests(tree)
        return run_suite(self.kit, tree, f"base, {self.package}", fresh=False)


@dataclass(frozen=True)
class OutsideCheck:
    """The check of test files outside all packages, which belong to no suite and run once by their names."""

    kit: Kit

    def check(self, claim: Claim) -> CheckResult | None:
        """Return None if they do what they did before, or if there are none."""
        kit, tree = self.kit, self.kit.git.tree_of(claim.patch.base)
        files = sorted(path for path in kit.git.files(tree) if self._is_outside(path))
        if not files:
            return None
        kit.progress.note(f"running {_OUTSIDE}: {shorten(files, _MOST_PATHS)}")
        patched = run_suite(kit, claim.patch.tree, "patched, outside", files)
        changed = _changed_tests(run_suite(kit, tree, "base, outside", files), patched)
        if not changed:
            return None
        reason = f"{list_tests(changed)} no longer does what it did; a [[project]] with this folder would say more"
        return replace(inconclusive_check(reason), package=_OUTSIDE)

    def _is_outside(self, path: str) -> bool:
        name = PurePosixPath(path).name
        is_test = name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
        return is_test and owner_of(path, self.kit.policy.project) is None


def by_package(checks: Mapping[str, Check], affected: Mapping[str, str], kit: Kit) -> dict[str, Check]:
    """Return the checks, with the one of the tests replaced by those of the affected packages and by those that look whether
    the others are affected too. A package whose `needs` whet.toml lists is left out, because a person has said what it uses.

    The one of the tests stays where no package is affected: in a repository that is one project.
    """
    if TESTS not in checks or not affected:
        return dict(checks)
    packages: dict[str, Check] = {
        f"{TESTS} in {name}": PackageCheck(kit.of_package(name), name, why) for name, why in affected.items()
    }
    for package in _unsure(kit.policy.project, affected):
        packages[f"{TESTS} in {package.title}"] = OtherPackageCheck(kit.of_package(package.title), package.title)
    packages[f"{TESTS} outside"] = OutsideCheck(kit)
    return {**packages, **{name: check for name, check in checks.items() if name != TESTS}}


def _unsure(packages: Sequence[PackagePolicy], affected: Mapping[str, str]) -> list[PackagePolicy]:
    return [package for package in packages if package.title not in affected and package.needs is None]


def _changed_tests(base: SuiteReport, patched: SuiteReport) -> list[str]:
    """Return the tests that got worse, disappeared or are new and red; what is wrong with a run that is not complete."""
    if base.complete and not patched.complete:
        return [patched.problem]
    held = {test: outcome for test, outcome in base.outcomes.items() if not outcome.red}
    worse = [test for test, outcome in held.items() if patched.outcomes.get(test) not in ACCEPTED_OUTCOMES[outcome]]
    return sorted({*worse, *(test for test in patched.red if test not in base.outcomes)})


def _holds(package: str, path: str, kit: Kit) -> bool:
    owner = owner_of(path.partition("::")[0], kit.policy.project)
    return owner is not None and owner.title == package
