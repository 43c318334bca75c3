"""The check of the tests in a repository with several packages: one for each package that the change affects."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from whet.domain.proved_claim import ProvedClaim
from whet.domain.verdict import CheckResult
from whet.kit import Kit
from whet.phases.validate import Check, Claim
from whet.phases.validate.suite_check import SuiteCheck
from whet.target.packages.affected import owner_of

TESTS = "tests"


@dataclass(frozen=True)
class PackageCheck:
    """The check of the tests of one package. `affected_by` says why the change affects it."""

    kit: Kit
    package: str
    affected_by: str

    def check(self, claim: Claim) -> CheckResult:
        """Check the targets in this package. A package without targets must only do what it did before."""
        own = tuple(test for test in claim.targets_of(TESTS) if self._holds(test.partition("::")[0]))
        only_tests = claim.stated is ProvedClaim.TESTS and not any(map(self._holds, claim.patch.paths))
        narrowed = replace(
            claim, targets={**claim.targets, TESTS: own}, stated=None if only_tests else claim.stated
        )  # fmt: skip
        self.kit.progress.note(f"proving the package {self.package}: {self.affected_by}")
        result = SuiteCheck(self.kit).check(narrowed)
        return replace(result, package=self.package, affected_by=self.affected_by)

    def _holds(self, path: str) -> bool:
        owner = owner_of(path, self.kit.policy.project)
        return owner is not None and owner.title == self.package


def by_package(checks: Mapping[str, Check], affected: Mapping[str, str], kit: Kit) -> dict[str, Check]:
    """Return the checks, with the one of the tests replaced by those of the affected packages.

    The one of the tests stays where no package is affected: in a repository that is one project.
    """
    if TESTS not in checks or not affected:
        return dict(checks)
    packages = {f"{TESTS} in {name}": PackageCheck(kit.of_package(name), name, why) for name, why in affected.items()}
    return {**packages, **{name: check for name, check in checks.items() if name != TESTS}}
