"""The risk of a proposal."""

from enum import StrEnum


class Risk(StrEnum):
    """The risk that an engine assigns to its proposal, from least to most."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        return list(Risk).index(self)
