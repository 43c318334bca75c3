"""Everything on record about a proposal, read from the ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from whet.domain.agent_inquiry import AgentInquiry, InquiryReply
from whet.domain.approval import Approval, Gate, Question, Ruling, Vote
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Rollback, Snapshot, Verification
from whet.domain.evidence import Evidence
from whet.domain.following import Following
from whet.domain.lesson import Ending, Lesson
from whet.domain.objection import Objection, notes_of
from whet.domain.proposal import Proposal
from whet.domain.pull_request import PullRequest
from whet.domain.review import Review
from whet.domain.trial import Trial, TrialBegun, Watch
from whet.domain.undecided_call import UndecidedCall
from whet.errors import NotOnRecord, UsageError
from whet.ledger.entry import Entry
from whet.ledger.ledger import Ledger


@dataclass
class ProposalView:
    proposal: Proposal
    built: Build | None = None
    evidence: Evidence | None = None
    reviews: list[Review] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    votes: list[Vote] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    deployments: list[Deployment] = field(default_factory=list)
    trials: list[Trial] = field(default_factory=list)
    trials_begun: list[TrialBegun] = field(default_factory=list)
    verifications: list[Verification] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)
    followings: list[Following] = field(default_factory=list)
    requests: list[PullRequest] = field(default_factory=list)
    objections: list[Objection] = field(default_factory=list)
    inquiries: list[AgentInquiry] = field(default_factory=list)
    replies: list[InquiryReply] = field(default_factory=list)
    lesson: Lesson | None = None
    errors: list[dict[str, str]] = field(default_factory=list)

    @property
    def open_question(self) -> Question | None:
        if self.lesson or not self.questions:
            return None
        last = self.questions[-1]
        answered = any((approval.gate, approval.digest) == (last.gate, last.digest) for approval in self.approvals)
        return None if answered else last

    @property
    def request(self) -> PullRequest | None:
        """The pull request that people are asked about, as it was when whet last changed it."""
        return self.requests[-1] if self.requests else None

    @property
    def waits_on_forge(self) -> bool:
        """True if the open question is answered by merging or closing the pull request."""
        question, request = self.open_question, self.request
        return bool(question and request and question.gate is Gate.MERGE)

    @property
    def undecided(self) -> UndecidedCall | None:
        """The call that a person should decide while the gate is open."""
        question, evidence = self.open_question, self.evidence
        return evidence.undecided if question and evidence and evidence.digest == question.digest else None

    @property
    def rulings(self) -> list[Ruling]:
        """The decisions of undecided calls."""
        return [approval.ruling for approval in self.approvals if approval.ruling]

    @property
    def deployment(self) -> Deployment | None:
        """The newest merge, if there was one, else the newest deployment to the proposal's own branch."""
        merged = [deployment for deployment in self.deployments if deployment.merged]
        return next(iter(reversed(merged or self.deployments)), None)

    @property
    def open_trial(self) -> TrialBegun | None:
        """The trial that has begun and has no result yet. If its time is over, the process that ran it has ended."""
        ended = {trial.deployment for trial in self.trials} | {rollback.deployment for rollback in self.rollbacks}
        begun = [trial for trial in self.trials_begun if trial.deployment not in ended]
        return begun[-1] if begun and not self.lesson else None

    @property
    def status(self) -> str:
        """The status in one word: the ending, the open gate, `on_trial`, `trial_abandoned`, `queued` or `working`.

        `rollback_offered` is a rollback that people have to merge on the forge.
        """
        if self.lesson:
            offered = self.lesson.ending is Ending.ROLLED_BACK and any(each.offered for each in self.rollbacks)
            return "rollback_offered" if offered else self.lesson.ending.value
        if question := self.open_question:
            return f"waiting_{question.gate.value}"
        if trial := self.open_trial:
            return "on_trial" if now() < trial.until else "trial_abandoned"
        if any(approval.gate.value == "apply" and approval.granted for approval in self.approvals):
            return "queued"
        return "working"


_LISTS = {
    "Review": (Review, "reviews"),
    "Question": (Question, "questions"),
    "Vote": (Vote, "votes"),
    "Approval": (Approval, "approvals"),
    "Snapshot": (Snapshot, "snapshots"),
    "Deployment": (Deployment, "deployments"),
    "Trial": (Trial, "trials"),
    "TrialBegun": (TrialBegun, "trials_begun"),
    "Verification": (Verification, "verifications"),
    "Watch": (Watch, "watches"),
    "Rollback": (Rollback, "rollbacks"),
    "Following": (Following, "followings"),
    "PullRequest": (PullRequest, "requests"),
}
_NOTES = {
    "Objection": (Objection, "objections"),
    "AgentInquiry": (AgentInquiry, "inquiries"),
    "InquiryReply": (InquiryReply, "replies"),
}
_SINGLES = {"Build": (Build, "built"), "Evidence": (Evidence, "evidence"), "Lesson": (Lesson, "lesson")}


def view_proposal(ledger: Ledger, identity: str) -> ProposalView:
    return assemble(ledger.entries(subject=identity), ledger.entries(subject=notes_of(identity)))


def assemble(entries: list[Entry], notes: Sequence[Entry] = ()) -> ProposalView:
    """Return the view of a proposal from its rows, and from the rows of the notes about it."""
    view = ProposalView(next(entry.read(Proposal) for entry in entries if entry.kind == "Proposal"))
    for entry in entries:
        if entry.kind in _LISTS:
            cls, name = _LISTS[entry.kind]
            getattr(view, name).append(entry.read(cls))
        elif entry.kind in _SINGLES:
            single, name = _SINGLES[entry.kind]
            setattr(view, name, entry.read(single))
        elif entry.kind == "Error":
            view.errors.append(entry.data)
    for note in notes:
        if note.kind in _NOTES:
            noted, name = _NOTES[note.kind]
            getattr(view, name).append(note.read(noted))
    return view


def view_proposals(ledger: Ledger) -> list[ProposalView]:
    by_subject: dict[str, list[Entry]] = {}
    for entry in ledger.entries():
        by_subject.setdefault(entry.subject, []).append(entry)
    return [
        assemble(rows, by_subject.get(notes_of(subject), ()))
        for subject, rows in by_subject.items()
        if any(row.kind == "Proposal" for row in rows)
    ]


def open_proposals(ledger: Ledger) -> list[str]:
    """Return the ids of the proposals that have not ended, without reading the record of those that have."""
    ended = set(ledger.subjects("Lesson"))
    return [proposal for proposal in ledger.subjects("Proposal") if proposal not in ended]


def resolve(ledger: Ledger, start: str) -> str:
    """Return a proposal id from its beginning, or from the id of one of its deployments."""
    ids = [entry.subject for entry in ledger.entries(kind="Proposal")]
    matching = [identity for identity in ids if identity.startswith(start)]
    if not matching:
        deployed = [entry.read(Deployment) for entry in ledger.entries(kind="Deployment")]
        matching = sorted({deployment.proposal for deployment in deployed if deployment.id.startswith(start)})
    if len(matching) == 1 or start in matching:
        return start if start in matching else matching[0]
    if not matching:
        raise NotOnRecord(f"there is no proposal {start!r}", "`whet list` shows those there are")
    raise UsageError(f"{start!r} could be {', '.join(matching[:5])}", "give more of the id")
