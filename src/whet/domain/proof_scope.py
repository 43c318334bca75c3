"""The scope of a proof: what it showed and what it did not look at, in clauses that people read."""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.domain.plural import count, shorten
from whet.domain.verdict import CheckResult, Verdict

# No check measures time, and no check knows what the tests do not ask.
_NEVER_EXAMINED = ("speed", "inputs that no test uses")
_MOST_NAMES = 3
OWN_TESTS_UNREAD = "whether the tests that the change brings ask for the right thing"


@dataclass(frozen=True, kw_only=True)
class ProofScope:
    """The facts that the checks of a proof showed, and the properties that no check looked at; a clause each, without a full
    stop.

    `shown` is proved only if the verdict is `passed`: a safeguard may have seen that the tests were fooled.
    """

    verdict: Verdict
    shown: tuple[str, ...]
    not_examined: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the scope as one paragraph."""
        head = "Proved" if self.verdict is Verdict.PASSED else "Shown, but not proved"
        parts = [f"{head}: {'; '.join(self.shown)}."] if self.shown else []
        return " ".join([*parts, f"Not looked at: {'; '.join(self.not_examined)}."])


def scope_of(verdict: Verdict, checks: Sequence[CheckResult], questions: Sequence[str] = ()) -> ProofScope:
    """Return the scope of a proof with these checks; `questions` are what it leaves to a person."""
    return ProofScope(
        verdict=verdict,
        shown=tuple(clause for check in checks for clause in _shown(check)),
        not_examined=(
            *questions,
            *dict.fromkeys(clause for check in checks for clause in _open(check)),
            *_NEVER_EXAMINED,
        ),
    )


def not_affected_words(packages: Sequence[str]) -> str:
    """Return the clause that names the packages whose tests did not run."""
    number = count(len(packages), "package")
    return f"{number} that the change does not affect ({shorten(packages, _MOST_NAMES)})"


def _shown(check: CheckResult) -> list[str]:
    clauses = _clauses(check)
    return [f"in {check.package}: {clauses[0]}", *clauses[1:]] if check.package and clauses else clauses


def _clauses(check: CheckResult) -> list[str]:
    if check.check != "tests":
        return [f"{check.check}: {check.reason}"] if check.verdict is Verdict.PASSED else []
    clauses = []
    if check.claim:
        clauses.append(check.claim.words)
    if check.saw_red:
        subject = _with_verb(len(check.red), "own test" if check.claim else "test")
        clauses.append(f"{subject} red without the patch, green with it and red again on revert")
    if check.also_mended:
        clauses.append(f"{count(len(check.also_mended), 'other red test')} turned green too")
    if check.held:
        clauses.append(f"{count(check.held, 'other test')} did what {_pronoun(check.held)} did before")
    if silent := sum(safeguard.verdict is Verdict.PASSED for safeguard in check.safeguards):
        clauses.append(f"{count(silent, 'safeguard')} saw nothing suspicious")
    return clauses


def _open(check: CheckResult) -> list[str]:
    clauses = [note.rstrip(".") for note in (*check.notes, *check.details.get("skipped", ()))]
    if check.claim and check.claim.by_own_tests:
        clauses.append(OWN_TESTS_UNREAD)
    if check.check == "tests" and check.saw_red and not check.safeguards:
        clauses.append("whether the patch fools its tests (no safeguard knows this test runner)")
    if check.flaky:
        clauses.append(f"{count(len(check.flaky), 'flaky test')} ({shorten(check.flaky, _MOST_NAMES)})")
    if check.still_red:
        stay = "stays" if len(check.still_red) == 1 else "stay"
        clauses.append(
            f"{count(len(check.still_red), 'test')} that {stay} red ({shorten(check.still_red, _MOST_NAMES)})"
        )
    return clauses


def _with_verb(number: int, noun: str) -> str:
    return f"{count(number, noun)} {'was' if number == 1 else 'were'}"


def _pronoun(number: int) -> str:
    return "it" if number == 1 else "they"
