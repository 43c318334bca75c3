"""The layer that holds the cause of a failure, as shown by running its tests with earlier versions."""

from dataclasses import dataclass
from enum import StrEnum

from whet.domain.layer import Layer


class Replayed(StrEnum):
    """The result of the runs with earlier versions."""

    UNIT = "unit"  # one constant, section, prompt or function alone decides
    LAYER = "layer"  # the files of one layer decide, and no single unit of them alone
    SEVERAL = "several"  # the files of more than one layer each decide alone
    TOGETHER = "together"  # only the files of several layers together decide


# (right + 1) / (cases + 2) of the labelled cases of `python -m bench.layers`; 0.5 where fewer than ten cases showed it.
CONFIDENCE = {Replayed.UNIT: 0.94, Replayed.LAYER: 0.5, Replayed.SEVERAL: 0.5, Replayed.TOGETHER: 0.5}
CONFIDENCE_WITHOUT_REPLAY = 0.5


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """The layer with the cause. `unit` of `path`, as it was in the commit `earlier`, turns the failing tests green; both are
    empty if no single unit does."""

    layer: Layer
    replayed: Replayed
    earlier: str
    evidence: tuple[str, ...]
    path: str = ""
    unit: str = ""

    @property
    def decided(self) -> bool:
        """True if the files of this layer alone decide."""
        return self.replayed in (Replayed.UNIT, Replayed.LAYER)

    @property
    def confidence(self) -> float:
        return CONFIDENCE[self.replayed]
