"""What a guard rule may say. There is no fourth answer: what a rule cannot decide, it refuses."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Allow:
    reason: str = ""


@dataclass(frozen=True)
class Raise:
    """Allowed, but a person of a higher tier must look. `code` is stable; `reason` is a sentence."""

    reason: str
    code: str


@dataclass(frozen=True)
class Refuse:
    """No. `code` is stable, for scripts; `reason` is a sentence, for people."""

    reason: str
    code: str


Answer = Allow | Raise | Refuse
