"""The review of a patch and its proof by a model."""

from dataclasses import dataclass
from enum import StrEnum


class ReviewAnswer(StrEnum):
    """The answer of a review. No answer makes a patch pass: the best one changes nothing."""

    FINE = "fine"
    CONCERN = "concern"
    REWORK = "rework"
    NONE = "none"


WORST_FIRST = (ReviewAnswer.REWORK, ReviewAnswer.CONCERN, ReviewAnswer.NONE, ReviewAnswer.FINE)


@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of one patch. Made by `phases/validate/review.py`; `evidence` is the digest that it was made for.

    `why_not` says why there is no review, if `answer` is none. `required` is true if the policy demands one.
    """

    evidence: str
    answer: ReviewAnswer
    remarks: tuple[str, ...] = ()
    model: str = ""
    why_not: str = ""
    required: bool = False

    @property
    def asks_for_rework(self) -> bool:
        return self.answer is ReviewAnswer.REWORK

    @property
    def sentence(self) -> str:
        """Return the review in one sentence; empty if there is nothing to say against the patch."""
        if self.answer is ReviewAnswer.NONE:
            return f"the policy asks for a review, and there is none: {self.why_not}" if self.required else ""
        if self.answer is ReviewAnswer.FINE:
            return ""
        more = f" (and {len(self.remarks) - 1} more)" if len(self.remarks) > 1 else ""
        return (
            f"{self.model}, asked to review the patch, says: {self.remarks[0] if self.remarks else 'no reason'}{more}"
        )
