from typing import Protocol

from whet.domain.approval import Approval, Question


class Approver(Protocol):
    """Who may answer at a gate. None means: not mine to answer, or not answered yet."""

    def answer(self, question: Question) -> Approval | None: ...
