"""The three answers of a guard rule. A rule that cannot decide refuses.

`pattern` is the path pattern that decided, if one did; `setting` is the key of whet.toml that lists it, empty for a
pattern of the defaults.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from whet.domain.approval import Tier


@dataclass(frozen=True)
class Allow:
    reason: str = ""
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class Raise:
    """Allowed if a person of the given tier approves. `code` is stable; `reason` is a sentence."""

    reason: str
    code: str
    tier: Tier = Tier.APPROVE
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class Refuse:
    """Not allowed. `code` is stable, for scripts; `reason` is a sentence, for people."""

    reason: str
    code: str
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


GuardAnswer = Allow | Raise | Refuse


def strictest(answers: Iterable[GuardAnswer], otherwise: Allow) -> GuardAnswer:
    """Return the first refusal, else the first raise, else `otherwise`."""
    raised: Raise | None = None
    for answer in answers:
        if isinstance(answer, Refuse):
            return answer
        if isinstance(answer, Raise):
            raised = raised or answer
    return raised or otherwise
