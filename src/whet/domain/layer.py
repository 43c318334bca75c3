"""The layers of a project."""

from enum import StrEnum


class Layer(StrEnum):
    """The kind of file that holds a root cause. Globs in `[target]` assign paths to layers; the rest is behavior."""

    CONSTANTS = "constants"
    BEHAVIOR = "behavior"
    PROTOCOL = "protocol"
    SKILL = "skill"
