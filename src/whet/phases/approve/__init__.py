"""Approve: ask at each gate, and take an answer only for the digest that was asked about."""

from typing import Protocol

from whet.domain.approval import Approval, Question


class Approver(Protocol):
    """An engine that answers questions at gates. None means that it may not answer this one, or has no answer yet."""

    def answer(self, question: Question) -> Approval | None: ...
