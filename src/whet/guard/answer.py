"""What a guard rule may say. There is no fourth answer: what a rule cannot decide, it refuses.

`pattern` and `setting` say what decided, where it was a pattern: of that key of whet.toml, or of the defaults.
"""

from dataclasses import dataclass, field

from whet.domain.approval import Tier


@dataclass(frozen=True)
class Allow:
    reason: str = ""
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class Raise:
    """Allowed, but a person of a higher tier must look. `code` is stable; `reason` is a sentence."""

    reason: str
    code: str
    tier: Tier = Tier.APPROVE
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True)
class Refuse:
    """No. `code` is stable, for scripts; `reason` is a sentence, for people."""

    reason: str
    code: str
    pattern: str = field(default="", compare=False, kw_only=True)
    setting: str = field(default="", compare=False, kw_only=True)


GuardAnswer = Allow | Raise | Refuse
