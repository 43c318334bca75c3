from enum import StrEnum


class Layer(StrEnum):
    """Which kind of thing the root cause lives in; globs in the config say which paths belong to which."""

    CONSTANTS = "constants"
    BEHAVIOR = "behavior"
    PROTOCOL = "protocol"
    SKILL = "skill"
