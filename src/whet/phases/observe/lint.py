"""Signals from ruff, by the target's own ruff settings: one per violation."""

from whet.domain.clock import now
from whet.domain.payload import LintViolation
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.target.linters.ruff import Ruff, Violation


class Lint:
    def __init__(self, kit: Kit) -> None:
        self._git, self._ruff = kit.git, Ruff(kit.suite, kit.policy.propose.lint_rules)

    def observe(self, commit: str) -> tuple[Signal, ...]:
        return tuple(map(_signal, self._ruff.check(self._git.tree_of(commit))))


def _signal(violation: Violation) -> Signal:
    payload = LintViolation(
        path=violation.path, line=violation.line, message=violation.message, fixable=violation.fixable
    )
    return Signal.of("lint", violation.rule, payload, now())
