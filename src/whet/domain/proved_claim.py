"""The claims that a proof can show about a change."""

from enum import StrEnum


class ProvedClaim(StrEnum):
    """A statement about a change that the facts of its proof support, with the origin of the tests that support it."""

    FIX = "fix"
    OWN_FIX = "fix_by_own_tests"
    OWN_FEATURE = "feature_by_own_tests"
    REFACTORING = "refactoring"
    TESTS = "tests"

    @property
    def words(self) -> str:
        """Return the claim as a noun phrase."""
        return _WORDS[self]

    @property
    def by_own_tests(self) -> bool:
        """True if only tests that the change itself brings show it."""
        return self in (ProvedClaim.OWN_FIX, ProvedClaim.OWN_FEATURE)

    @property
    def without_red(self) -> bool:
        """True if no test has to turn green for it. Such a claim passes only if the caller states it."""
        return self in (ProvedClaim.REFACTORING, ProvedClaim.TESTS)


_WORDS = {
    ProvedClaim.FIX: "a fix, by tests that were there before",
    ProvedClaim.OWN_FIX: "a fix, by tests that the change brings",
    ProvedClaim.OWN_FEATURE: "a feature, by tests that the change brings",
    ProvedClaim.REFACTORING: "a refactoring: the behaviour held",
    ProvedClaim.TESTS: "a change of tests alone",
}
