"""The text that a person signs: an answer at a gate, the answer of an undecided call, a change of the approvers, an
invitation to enrol a passkey, or the acceptance of a record.

A statement is plain text, one `name: value` line per field. The text that is shown is the text that is signed. whet makes it
from its own record, and recognises a signed text by making it again.
"""

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import ClassVar

from whet.domain.acceptance import Acceptance
from whet.domain.approval import Answer, Question
from whet.domain.sanitize import one_line
from whet.domain.undecided_call import UndecidedCall

_EMPTY = "-"


@dataclass(frozen=True, kw_only=True)
class _Statement:
    """The lines of a statement, in the order of its fields."""

    title: ClassVar[str]

    @property
    def text(self) -> str:
        lines = [f"{field.name}: {getattr(self, field.name) or _EMPTY}" for field in fields(self)]
        return "\n".join([self.title, *lines]) + "\n"


@dataclass(frozen=True, kw_only=True)
class ApprovalStatement(_Statement):
    """A person's answer to one question. `approvers` is the digest of the approvers in force, `question` a random number
    that no other question has."""

    title: ClassVar[str] = "whet approval v1"
    repository: str
    proposal: str
    gate: str
    answer: str
    tier: str
    verdict: str
    evidence: str
    base: str
    policy: str
    approvers: str
    question: str
    until: str
    who: str
    why: str

    @classmethod
    def about(cls, question: Question, approvers: str, answer: Answer, who: str, why: str) -> "ApprovalStatement":
        """Return the statement by which `who` answers a question, for the digest of the approvers in force."""
        return cls(
            **_identify(question, approvers, who, why),
            gate=question.gate.value,
            answer=answer.value,
            tier=question.tier.value,
            verdict=question.verdict,
            policy=question.policy,
        )


@dataclass(frozen=True, kw_only=True)
class RulingStatement(_Statement):
    """A person's decision of an undecided call, made while the apply gate waits. It approves nothing."""

    title: ClassVar[str] = "whet answer v1"
    repository: str
    proposal: str
    evidence: str
    base: str
    path: str
    call: str
    answer: str
    undecided: str
    approvers: str
    question: str
    until: str
    who: str
    why: str

    @classmethod
    def about(
        cls, question: Question, call: UndecidedCall, answer: str, approvers: str, who: str, why: str
    ) -> "RulingStatement":
        """Return the statement by which `who` decides a call while a question at a gate is open."""
        return cls(
            **_identify(question, approvers, who, why),
            path=line(call.path),
            call=line(call.call),
            answer=line(answer),
            undecided=call.id,
        )


@dataclass(frozen=True, kw_only=True)
class ApproversStatement(_Statement):
    """A person's yes to new approvers. `number` is the place of the change in the record, so that a signature for one
    change cannot be used for a later one."""

    title: ClassVar[str] = "whet approvers v1"
    repository: str
    number: str
    before: str
    after: str
    change: str
    question: str
    who: str
    why: str


@dataclass(frozen=True, kw_only=True)
class InvitationStatement(_Statement):
    """A person's yes to one new passkey of `invited` at the server `origin`. `link` is the digest of the link's secret."""

    title: ClassVar[str] = "whet invitation v1"
    repository: str
    invited: str
    origin: str
    link: str
    until: str
    who: str
    why: str

    @classmethod
    def about(
        cls, repository: str, invited: str, origin: str, link: str, expires_at: datetime, who: str, why: str
    ) -> "InvitationStatement":
        """Return the statement by which `who` invites a person."""
        return cls(
            repository=repository,
            invited=line(invited),
            origin=line(origin),
            link=link,
            until=_time(expires_at),
            who=line(who),
            why=line(why),
        )


@dataclass(frozen=True, kw_only=True)
class AcceptanceStatement(_Statement):
    """A person's yes to a record that does not match its witness. An acceptance moves witness and ref, so that a signature
    for one state of the record cannot be used for a later one."""

    title: ClassVar[str] = "whet acceptance v1"
    repository: str
    record: str
    witness: str
    ref: str
    problems: str
    approvers: str
    who: str
    why: str

    @classmethod
    def about(cls, acceptance: Acceptance, repository: str, who: str, why: str) -> "AcceptanceStatement":
        """Return the statement by which `who` accepts the record of a repository."""
        return cls(
            repository=repository,
            record=acceptance.record,
            witness=acceptance.witness,
            ref=acceptance.ref,
            problems=line("; ".join(acceptance.problems)),
            approvers=acceptance.approvers,
            who=line(who),
            why=line(why),
        )


def line(text: str) -> str:
    """Return the text as it stands in a statement: on one line, visible characters only, empty for `-`."""
    shown = one_line(text.strip())
    return "" if shown == _EMPTY else shown


def field_of(text: str, name: str) -> str:
    """Return the value of a field in the text of a statement; empty if the text has no such line."""
    start = f"{name}: "
    values = [row.removeprefix(start) for row in text.split("\n") if row.startswith(start)]
    return line(values[0]) if values else ""


def _identify(question: Question, approvers: str, who: str, why: str) -> dict[str, str]:
    """Return the fields by which a statement names its question, the approvers in force, the person and the reason."""
    return {
        "repository": question.repository,
        "proposal": question.proposal,
        "evidence": question.digest,
        "base": question.base,
        "approvers": approvers,
        "question": question.nonce,
        "until": _time(question.expires_at),
        "who": line(who),
        "why": line(why),
    }


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
