"""For every invariant: an honest ledger that satisfies it, and forged ledgers that violate it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from whet.config import ApprovePolicy, BudgetPolicy, Config
from whet.domain.approval import Answer, Approval, Gate, Question, Tier
from whet.domain.build import Build
from whet.domain.canonical import canonical, to_plain
from whet.domain.captured import Overhead
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.domain.deployment import Deployment, DeploymentState, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.lesson import Ending, Lesson
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.signal import Signal
from whet.domain.trigger import Trigger, TriggerKind
from whet.domain.verdict import Verdict
from whet.ledger.entry import GENESIS, Entry
from whet.ledger.invariants.check import InvariantResult, check_invariants
from whet.ledger.ledger import verify

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
PRODUCTION = Config()
BASE, BASE_TREE, TREE = "b" * 40, "1" * 40, "2" * 40


# ---- a ledger, built by hand --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """The arguments of one append; `wait` is the number of seconds after the row before."""

    phase: str
    noun: Any
    subject: str
    key: str
    kind: str = ""
    wait: float = 1.0

    @property
    def name(self) -> str:
        return self.kind or type(self.noun).__name__


@dataclass(frozen=True)
class Scenario:
    """A cycle that merges one change under a policy."""

    cycle: str = "c-1"
    proposal: str = "p-1"
    policy: Config = PRODUCTION
    risk: Risk = Risk.MEDIUM
    verdict: Verdict = Verdict.PASSED
    approver: str = "person"
    tier: Tier = Tier.CONFIRM
    override: bool = False
    path: str = "calc.py"
    trigger: TriggerKind = TriggerKind.HUMAN
    guard: tuple[GuardFinding, ...] = ()

    def rows(self) -> list[Row]:
        return [*self.until_proposed(), *self.until_applied(), *self.until_merged()]

    def until_proposed(self) -> list[Row]:
        c, p, policy = self.cycle, self.proposal, self.policy
        why = Trigger(id=c, kind=self.trigger, reason="asked", actor="ann", at=NOON)
        return [
            Row("observe", policy.recorded, "policy", f"policy/{policy.digest}", "Policy"),
            Row("observe", why, c, f"{c}/trigger"),
            Row("diagnose", (diagnosis(),), c, f"{c}/diagnose/diagnose", "Diagnose"),
            Row("propose", (self.proposed(),), c, f"{c}/propose/propose", "Propose"),
            Row("propose", self.proposed(), p, f"{p}/proposal"),
        ]

    def until_applied(self) -> list[Row]:
        p = self.proposal
        return [
            Row("propose", Build(patch=self.patch(), note="one edit"), p, f"{p}/propose/build"),
            Row("validate", self.evidence(), p, f"{p}/validate/validate-0"),
            *self.gate(Gate.APPLY),
        ]

    def until_merged(self) -> list[Row]:
        p = self.proposal
        saved = Snapshot(id=f"{p}-s", ref=f"refs/whet/snapshots/{p}-s", commit=BASE, tree=BASE_TREE, saved=())
        return [
            Row("deploy", saved, p, f"{p}/deploy/snapshot"),
            Row(
                "deploy", Rehearsal(proposal=p, before=BASE, after=TREE, restores=BASE_TREE), p, f"{p}/deploy/rehearse"
            ),
            *self.gate(Gate.MERGE),
            Row("deploy", self.deployment(), p, f"{p}/deploy/merge"),
            Row("deploy", verification(f"d-{p}", ok=True), p, f"{p}/deploy/verify"),
            Row("learn", self.lesson(Ending.MERGED), p, f"{p}/learn/learn"),
        ]

    def gate(self, gate: Gate, answer: Answer = Answer.APPROVED) -> list[Row]:
        p, digest = self.proposal, self.evidence().digest
        key = f"approval/{p}/{gate.value}/{digest}"
        question = Question(
            proposal=p, gate=gate, tier=self.tier, reasons=(), digest=digest, asked_at=NOON,
            expires_at=NOON + timedelta(days=7),
        )  # fmt: skip
        approval = Approval(
            proposal=p, gate=gate, tier=self.tier, answer=answer, approver=self.approver, who="ann", via="cli",
            digest=digest, decided_at=NOON, override=self.override,
        )  # fmt: skip
        return [
            Row("approve", question, p, f"{p}/approve/ask-{gate.value}"),
            Row("approve", approval, p, key),
            Row("approve", key, p, f"{p}/approve/look-{gate.value}", "Look"),
        ]

    def proposed(self) -> Proposal:
        return Proposal(
            id=self.proposal, engine="repair", kind=ProposalKind.BEHAVIOR_FIX, category=Category.BUG_FIX,
            target=("calc.py",), title="Repair add", rationale="1 failing", risk=self.risk, expected_gain=0.5,
            plan=ValidationPlan(targets={"tests": ("t::a",)}), diagnosis=diagnosis(), base=BASE, created_at=NOON,
        )  # fmt: skip

    def patch(self) -> Patch:
        change = Change(
            path=self.path, status=ChangeStatus.MODIFIED, old_mode="100644", new_mode="100644", old_blob="3" * 40,
            new_blob="4" * 40, added_lines=1, removed_lines=1,
        )  # fmt: skip
        return Patch(base=BASE, tree=TREE, diff="-a\n+b\n", digest="5" * 64, changes=(change,), summary="Repair add")

    def evidence(self) -> Evidence:
        return Evidence(
            proposal=self.proposal, signature="sig", base=BASE, tree=TREE, patch_digest="5" * 64,
            policy_digest=self.policy.digest, verdict=self.verdict, reasons=(), checks=(), guard=self.guard, containment=None,
            cost=Cost(seconds=1.0, suite_runs=3), made_at=NOON,
        )  # fmt: skip

    def deployment(self) -> Deployment:
        return Deployment(
            id=f"d-{self.proposal}", proposal=self.proposal, strategy="merge", ref="refs/heads/main", before=BASE,
            after="a" * 40, snapshot=f"{self.proposal}-s", evidence_digest=self.evidence().digest,
            state=DeploymentState.DEPLOYED, actor="ann", at=NOON,
        )  # fmt: skip

    def lesson(self, ending: Ending) -> Lesson:
        return Lesson(
            proposal=self.proposal, signature="sig", engine="repair", ending=ending, code=ending.value, summary="",
            base=BASE, patch_digest="5" * 64, learned_at=NOON,
        )  # fmt: skip

    def rollback(self, wait: float = 1.0) -> Row:
        done = Rollback(
            deployment=f"d-{self.proposal}", proposal=self.proposal, ref="refs/heads/main", before="a" * 40,
            after="e" * 40, actor="ann", reason="it hurt", at=NOON,
        )  # fmt: skip
        return Row("deploy", done, self.proposal, f"{self.proposal}/deploy/rollback", wait=wait)

    def learned(self, ending: Ending, key: str = "learn") -> Row:
        return Row("learn", self.lesson(ending), self.proposal, f"{self.proposal}/learn/{key}")


def diagnosis(signals: int = 1) -> Diagnosis:
    seen = Signal(source="tests", subject="t::a", kind="failing_test", at=NOON)
    finding = Finding(
        id="f-1", kind=FindingKind.FAILING_TEST, minimum_signals=1, signature="sig", title="t::a", category=Category.BUG_FIX,
        subjects=("t::a",), paths=("calc.py",), signals=(seen,) * signals, score=1.0, reasons=("red",),
    )  # fmt: skip
    return Diagnosis(finding=finding, layer=Layer.BEHAVIOR, places=(), evidence=(), confidence=0.5)


def verification(deployment: str, *, ok: bool) -> Verification:
    return Verification(deployment=deployment, ok=ok, facts=(), problems=() if ok else ("red",), at=NOON)


def chain(rows: Sequence[Row]) -> list[Entry]:
    entries: list[Entry] = []
    at, previous, keys = NOON, GENESIS, set()
    for row in rows:
        if row.key in keys:
            continue  # the ledger records a key once
        keys.add(row.key)
        at += timedelta(seconds=row.wait)
        body = row.noun if isinstance(row.noun, Raw) else canonical(row.noun)
        unhashed = Entry(
            seq=len(entries) + 1, at=at, phase=row.phase, kind=row.name, subject=row.subject, key=row.key, actor="ann",
            body=str(body), previous=previous, hash="",
        )  # fmt: skip
        entries.append(replace(unhashed, hash=unhashed.computed_hash()))
        previous = entries[-1].hash
    return entries


class Raw(str):
    """A body exactly as it is in the database, valid or not."""


# ---- edits of a forger ---------------------------------------------------------------------------------------------


def without(rows: Sequence[Row], kind: str) -> list[Row]:
    return [row for row in rows if row.name != kind]


def last(rows: Sequence[Row], kind: str) -> list[Row]:
    """Return the rows with those of a kind moved to the end."""
    return [*without(rows, kind), *(row for row in rows if row.name == kind)]


def changed(rows: Sequence[Row], kind: str, **fields: Any) -> list[Row]:
    return [replace(row, noun=replace(row.noun, **fields)) if row.name == kind else row for row in rows]


def rewritten(rows: Sequence[Row], kind: str, change: Callable[[Any], Any]) -> list[Row]:
    """Return the rows with the plain body of a kind changed, possibly to an invalid noun."""
    return [
        replace(row, noun=Raw(canonical(change(to_plain(row.noun)))), kind=kind) if row.name == kind else row
        for row in rows
    ]


def unreadable(rows: Sequence[Row], kind: str, body: str = "{") -> list[Row]:
    return [replace(row, noun=Raw(body), kind=kind) if row.name == kind else row for row in rows]


def at_gate(rows: Sequence[Row], kind: str, where: Gate, **fields: Any) -> list[Row]:
    return [
        replace(row, noun=replace(row.noun, **fields)) if row.name == kind and row.noun.gate is where else row
        for row in rows
    ]


def spliced(rows: Sequence[Row], before: str, *more: Row) -> list[Row]:
    at = next(index for index, row in enumerate(rows) if row.name == before)
    return [*rows[:at], *more, *rows[at:]]


def result_of(rows: Sequence[Row], number: int) -> InvariantResult:
    return next(each for each in check_invariants(chain(rows)) if each.number == number)


HONEST = Scenario().rows()
WITHDRAWN = replace(Scenario().gate(Gate.APPLY, Answer.WITHDRAWN)[1], key="withdrawal")
AUTOMATIC_POLICY = Config(
    environment="development", approve=ApprovePolicy(apply=Tier.AUTO, auto_kinds=(ProposalKind.BEHAVIOR_FIX,))
)
AUTOMATIC = Scenario(policy=AUTOMATIC_POLICY, risk=Risk.LOW, approver="policy", tier=Tier.AUTO)
OVERRIDDEN = Scenario(verdict=Verdict.INCONCLUSIVE, tier=Tier.REQUIRE, override=True)
ITSELF = Scenario(path="src/whet/cycle.py", tier=Tier.REQUIRE)


# ---- honest ledgers -----------------------------------------------------------------------------------------------


def test_the_honest_ledger_is_a_valid_chain() -> None:
    assert verify(chain(HONEST), []) == []


@pytest.mark.parametrize(
    "scenario", [Scenario(), AUTOMATIC, OVERRIDDEN, ITSELF], ids=["merged", "automatic", "overridden", "itself"]
)
def test_an_honest_ledger_satisfies_every_invariant(scenario: Scenario) -> None:
    assert [each.violations for each in check_invariants(chain(scenario.rows()))] == [()] * 10


def test_the_first_four_invariants_block_and_the_others_alert() -> None:
    assert [(each.number, each.blocking) for each in check_invariants([])] == [(n, n <= 4) for n in range(1, 11)]


def test_an_invariant_over_an_empty_ledger_has_checked_nothing() -> None:
    assert [(each.holds, each.checked) for each in check_invariants([])] == [(True, 0)] * 10


def test_checked_items_are_counted() -> None:
    counted = {each.number: each.checked for each in check_invariants(chain([*HONEST, *other_day().rows()]))}
    assert counted == {1: 2, 2: 2, 3: 2, 4: 6, 5: 2, 6: 2, 7: 2, 8: 2, 9: 0, 10: 0}


def other_day() -> Scenario:
    return Scenario(cycle="c-2", proposal="p-2")


# ---- invariants 1 to 4 -------------------------------------------------------------------------------------------------------

BROKEN: list[tuple[int, str, list[Row], str]] = [
    (1, "no evidence", without(HONEST, "Evidence"), "not on record before it"),
    (1, "evidence only afterwards", last(HONEST, "Evidence"), "not on record before it"),
    (1, "evidence of something else", changed(HONEST, "Deployment", evidence_digest="0" * 64), "not on record"),
    (1, "evidence of another proposal", changed(HONEST, "Evidence", proposal="p-9"), "not on record"),
    (1, "a failed verdict", Scenario(verdict=Verdict.FAILED).rows(), "the verdict was failed"),
    (1, "an inconclusive verdict", Scenario(verdict=Verdict.INCONCLUSIVE).rows(), "the verdict was inconclusive"),
    (1, "overridden below the highest tier", replace(OVERRIDDEN, tier=Tier.APPROVE).rows(), "tier require"),
    (1, "approved and not overridden", replace(OVERRIDDEN, override=False).rows(), "no person overrode it"),
    (1, "overridden by the policy", replace(OVERRIDDEN, approver="policy").rows(), "no person overrode it"),
    (1, "overridden by a rejection", changed(OVERRIDDEN.rows(), "Approval", answer=Answer.REJECTED), "no person overrode it"),
    (1, "the override came afterwards", last(OVERRIDDEN.rows(), "Approval"), "no person overrode it"),
    (1, "evidence that cannot be read", unreadable(HONEST, "Evidence"), "is not JSON"),
    (1, "a deployment that cannot be read", unreadable(HONEST, "Deployment", "[]"), "cannot be read"),
    (2, "no proposal", without(HONEST, "Proposal"), "its proposal is not on record"),
    (2, "proposed afterwards", last(HONEST, "Proposal"), "its proposal is not on record"),
    (2, "no evidence", without(HONEST, "Evidence"), "its evidence is not on record"),
    (2, "no approval", without(HONEST, "Approval"), "nobody approved this evidence at the apply gate"),
    (2, "approved afterwards", last(HONEST, "Approval"), "nobody approved"),
    (2, "approved for another digest", changed(HONEST, "Approval", digest="0" * 64), "nobody approved"),
    (2, "approved for another proposal", changed(HONEST, "Approval", proposal="p-9"), "nobody approved"),
    (2, "approved at another gate", at_gate(HONEST, "Approval", Gate.APPLY, gate=Gate.PLAN), "at the apply gate"),
    (2, "merged without the merge gate", at_gate(HONEST, "Approval", Gate.MERGE, gate=Gate.PLAN), "at the merge gate"),
    (2, "rejected", at_gate(HONEST, "Approval", Gate.APPLY, answer=Answer.REJECTED), "ann had answered rejected"),
    (2, "withdrawn in between", spliced(HONEST, "Deployment", WITHDRAWN), "ann had answered withdrawn"),
    (2, "no actor", changed(HONEST, "Deployment", actor=" "), "its actor is not on record"),
    (2, "no time", rewritten(HONEST, "Deployment", lambda d: {**d, "at": "2026-01-01T00:00:00"}), "its time is not"),
    (2, "recorded under another subject", [replace(r, subject="p-9") if r.name == "Deployment" else r for r in HONEST], "not"),
    (2, "an approval that cannot be read", unreadable(HONEST, "Approval", '{"who":"ann"}'), "cannot be read"),
    (3, "no snapshot", without(HONEST, "Snapshot"), "no snapshot of bbbbbbbbbb"),
    (3, "saved afterwards", last(HONEST, "Snapshot"), "no snapshot"),
    (3, "a snapshot of another commit", changed(HONEST, "Snapshot", commit="c" * 40), "no snapshot"),
    (3, "another snapshot than it names", changed(HONEST, "Deployment", snapshot="s-9"), "no snapshot"),
    (3, "no rehearsal", without(HONEST, "Rehearsal"), "not rehearsed"),
    (3, "rehearsed afterwards", last(HONEST, "Rehearsal"), "not rehearsed"),
    (3, "rehearsed from another commit", changed(HONEST, "Rehearsal", before="c" * 40), "not rehearsed"),
    (3, "another change was rehearsed", changed(HONEST, "Rehearsal", after="c" * 40), "not rehearsed"),
    (3, "the rehearsal gave another tree", changed(HONEST, "Rehearsal", restores="c" * 40), "not rehearsed"),
    (3, "a snapshot that cannot be read", unreadable(HONEST, "Snapshot", "null"), "cannot be read"),
    (4, "no question", without(HONEST, "Question"), "no such question"),
    (4, "asked afterwards", last(HONEST, "Question"), "no such question"),
    (4, "a higher tier was asked for", changed(HONEST, "Question", tier=Tier.REQUIRE), "no such question"),
    (4, "asked about something else", changed(HONEST, "Question", digest="0" * 64), "no such question"),
    (4, "the policy answered for a person", changed(HONEST, "Approval", approver="policy"), "tier confirm needs a person"),
    (4, "production without a person", changed(HONEST, "Approval", approver="policy"), "in production, and no person"),
    (4, "automatic with some risk", replace(AUTOMATIC, risk=Risk.MEDIUM).rows(), "the risk is medium"),
    (4, "automatic in production", replace(AUTOMATIC, policy=AUTOMATIC_POLICY.model_copy(update={"environment": "production"})).rows(), "not development"),
    (4, "automatic for a kind that is not listed", replace(AUTOMATIC, policy=Config(environment="development")).rows(), "auto_kinds"),
    (4, "the policy is not on record", without(AUTOMATIC.rows(), "Policy"), "is not on record"),
    (4, "the policy was softened afterwards", [replace(r, noun=AUTOMATIC_POLICY.model_dump(mode="json")) if r.name == "Policy" else r for r in replace(AUTOMATIC, policy=Config()).rows()], "is not on record"),
    (4, "the policy cannot be read", unreadable(AUTOMATIC.rows(), "Policy"), "is not on record"),
    (4, "a question that cannot be read", unreadable(HONEST, "Question"), "is not JSON"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "rows", "words"), [(n, r, w) for n, _, r, w in BROKEN], ids=[f"{n}: {i}" for n, i, _, _ in BROKEN]
)
def test_a_violated_blocking_invariant_is_described(number: int, rows: list[Row], words: str) -> None:
    result = result_of(rows, number)
    assert not result.holds
    assert result.blocking
    assert any(words in violation for violation in result.violations), result.violations


def test_a_withdrawal_after_the_deployment_is_not_a_violation() -> None:
    assert result_of([*HONEST, WITHDRAWN], 2).holds


# ---- invariants 5 to 10 ------------------------------------------------------------------------------------------------------

FAILED = [*HONEST[:-2], Row("deploy", verification("d-p-1", ok=False), "p-1", "p-1/deploy/verify")]
ROLLED_BACK = [*FAILED, Scenario().rollback(), Scenario().learned(Ending.ROLLED_BACK)]
NOTHING = [*Scenario().rows()[:2], Row("propose", (), "c-1", "c-1/propose/propose", "Propose")]
NO_PATCH = [*HONEST[:5], Row("propose", Build(patch=None, note="none held"), "p-1", "p-1/propose/build")]
REJECTED = [*HONEST[:7], *Scenario().gate(Gate.APPLY, Answer.REJECTED)]
NOT_LOOKED_AT = REJECTED[:-1]
ERROR = Row("deploy", {"step": "p-1/deploy/merge", "code": "base_moved"}, "p-1", "p-1/deploy/merge/error/9", "Error")
BROKE = [*HONEST[:10], ERROR]
SLOW = [replace(row, wait=4000.0) if row.name == "Diagnose" else row for row in HONEST]
PATIENT = Scenario(policy=Config(budget=BudgetPolicy(cycle_seconds=5000)))
OVERLAPPING = [*HONEST[:2], replace(other_day().until_proposed()[1]), *HONEST[2:], *other_day().rows()]
KNOWN = Scenario(
    path="vendored/x.py", guard=(GuardFinding(rule="changes_itself", severity="require", path="", reason="x"),)
)
TWICE = [*ITSELF.rows(), *replace(ITSELF, cycle="c-2", proposal="p-2").rows()]


def next_day(rows: Sequence[Row]) -> list[Row]:
    return [replace(row, wait=90_000.0) if row.key == "c-2/trigger" else row for row in rows]


def back_to_the_patient_policy() -> list[Row]:
    """A policy is recorded once. After a switch back to it, the last recorded policy is not the one in force."""
    third = replace(PATIENT, cycle="c-3", proposal="p-3").rows()
    slow = [replace(row, wait=4000.0) if row.name == "Diagnose" else row for row in third]
    return [*PATIENT.rows(), *other_day().rows(), *slow]


def recorded(own: float, spent: float) -> list[Row]:
    cost = Overhead(own_seconds=own, spent_seconds=spent)
    return spliced(HONEST, "Diagnose", Row("observe", cost, "c-1", "c-1/observe/overhead"))


def without_signals(body: Any) -> Any:
    return [{**d, "finding": {**d["finding"], "signals": []}} for d in body]


def as_lint(body: Any) -> Any:
    return [{**d, "finding": {**d["finding"], "kind": "lint"}} for d in body]


def with_signal(**fields: Any) -> Callable[[Any], Any]:
    def change(body: Any) -> Any:
        return [
            {**d, "finding": {**d["finding"], "signals": [{**s, **fields} for s in d["finding"]["signals"]]}}
            for d in body
        ]

    return change


ALERTS: list[tuple[int, str, list[Row], str]] = [
    (5, "a finding without signals", rewritten(HONEST, "Diagnose", without_signals), "needs 1 signals, has 0"),
    (5, "a lint finding with one signal", rewritten(HONEST, "Diagnose", as_lint), "needs 3 signals, has 1"),
    (5, "a signal without a source", rewritten(HONEST, "Diagnose", with_signal(source="")), "where it comes from"),
    (5, "a signal without a subject", rewritten(HONEST, "Diagnose", with_signal(subject=" ")), "where it comes from"),
    (5, "a signal without a time zone", rewritten(HONEST, "Diagnose", with_signal(at="2026-01-01T00:00:00")), "when"),
    (5, "a signal without a time", rewritten(HONEST, "Diagnose", with_signal(at=None)), "cannot be read"),
    (5, "a diagnosis that cannot be read", unreadable(HONEST, "Diagnose"), "is not JSON"),
    (6, "a proposal without a rationale", rewritten(HONEST, "Proposal", lambda p: {**p, "rationale": ""}), "not complete"),
    (6, "a proposal of no kind", rewritten(HONEST, "Proposal", lambda p: {**p, "kind": "rewrite"}), "cannot be read"),
    (6, "a proposal without checks", rewritten(HONEST, "Proposal", lambda p: {**p, "plan": {"targets": {}}}), "checks"),
    (6, "a proposal under another's id", changed(HONEST, "Proposal", id="p-9"), "holds p-9 as the proposal p-1"),
    (6, "a gain that is no number", rewritten(HONEST, "Proposal", lambda p: {**p, "score": "inf"}), "row 5"),
    (7, "a cycle that took too long", SLOW, "took 4001 s, budget.cycle_seconds is 3600"),
    (7, "two cycles at a time", OVERLAPPING, "cycle c-2 began in row 3, before c-1 had ended"),
    (7, "no policy on record", without(HONEST, "Policy"), "the policy that bounds it is not on record"),
    (7, "capturing beyond its share", recorded(100.0, 5.1), "capturing calls took 5.1 s for 100.0 s of tool time, the limit is 5%"),
    (7, "capturing beside nothing", recorded(0.0, 1.5), "capturing calls took 1.5 s for 0.0 s"),
    (7, "an overhead that cannot be read", unreadable(recorded(1.0, 0.0), "Overhead"), "is not JSON"),
    (7, "a trigger that cannot be read", unreadable(HONEST, "Trigger"), "is not JSON"),
    (8, "a cycle that proposed nothing", NOTHING, "c-1 proposed nothing and left no lesson"),
    (8, "nothing was built", NO_PATCH, "ended (Build in row 6) and left no lesson"),
    (8, "not proven", [*Scenario(verdict=Verdict.FAILED).rows()[:7]], "ended (Evidence in row 7)"),
    (8, "rejected", REJECTED, "ended (Approval in row 9)"),
    (8, "broken", BROKE, "ended (Error in row 11)"),
    (8, "merged", HONEST[:-1], "ended (Verification in row 17)"),
    (8, "rolled back by hand with only an old lesson", [*HONEST, Scenario().rollback()], "ended (Rollback in row 19)"),
    (8, "the lesson is another's", changed(HONEST, "Lesson", proposal="p-9"), "left no lesson"),
    (8, "a lesson that cannot be read", unreadable(HONEST, "Lesson"), "is not JSON"),
    (9, "not rolled back", FAILED, "d-p-1 (row 17) failed its verification and was not rolled back"),
    (9, "rolled back too late", [*FAILED, Scenario().rollback(wait=301.0)], "after 301 s, the limit is 300"),
    (9, "another deployment was rolled back", changed(ROLLED_BACK, "Rollback", deployment="d-9"), "was not rolled back"),
    (9, "rolled back before it failed", [*FAILED[:-1], Scenario().rollback(), FAILED[-1]], "was not rolled back"),
    (9, "a verification that cannot be read", unreadable(HONEST, "Verification"), "is not JSON"),
    (10, "itself, below the highest tier", replace(ITSELF, tier=Tier.APPROVE).rows(), "no person approved it at tier require"),
    (10, "itself, approved by the policy", replace(ITSELF, approver="policy").rows(), "no person approved it"),
    (10, "itself, started by itself", replace(ITSELF, trigger=TriggerKind.PERIODIC).rows(), "a periodic trigger"),
    (10, "itself, by what the guard saw", KNOWN.rows(), "no person approved it at tier require"),
    (10, "itself, twice a day", TWICE, "the cycle c-1 did so less than a day before"),
    (10, "itself, from no cycle", without(ITSELF.rows(), "Trigger"), "trigger of its cycle is not on record"),
    (10, "the patch is not on record", without(HONEST, "Build"), "its patch is not on record"),
    (10, "another patch is on record", changed(HONEST, "Build", patch=replace(Scenario().patch(), digest="6" * 64)), "its patch is not on record"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "rows", "words"), [(n, r, w) for n, _, r, w in ALERTS], ids=[f"{n}: {i}" for n, i, _, _ in ALERTS]
)
def test_a_violated_alerting_invariant_is_described(number: int, rows: list[Row], words: str) -> None:
    result = result_of(rows, number)
    assert not result.holds
    assert not result.blocking
    assert any(words in violation for violation in result.violations), result.violations


KEPT: list[tuple[int, str, list[Row]]] = [
    (7, "a policy that allows more time", [replace(r, wait=4000.0) if r.name == "Diagnose" else r for r in PATIENT.rows()]),
    (7, "a policy that is in force again", back_to_the_patient_policy()),
    (7, "capturing within its share", recorded(100.0, 4.9)),
    (7, "capturing that has only begun", recorded(0.1, 0.9)),
    (7, "nothing recorded", recorded(0.0, 0.0)),
    (7, "one cycle after the other", [*HONEST, *other_day().rows()]),
    (7, "a slow proposal is not a slow cycle", [replace(r, wait=99_999.0) if r.name == "Approval" else r for r in HONEST]),
    (8, "nothing to do, and learned", [*NOTHING, Row("learn", replace(Scenario().lesson(Ending.NOTHING), proposal="c-1"), "c-1", "c-1/learn")]),
    (8, "not built, and learned", [*NO_PATCH, Scenario().learned(Ending.NOT_BUILT)]),
    (8, "rejected, and learned", [*REJECTED, Scenario().learned(Ending.REJECTED)]),
    (8, "rejected while whet is not running", NOT_LOOKED_AT),
    (8, "waiting for an answer", HONEST[:8]),
    (8, "an error after which it went on", [*BROKE, Row("propose", Build(patch=Scenario().patch(), note="rebased"), "p-1", "p-1/propose/rebase-0")]),
    (8, "rolled back by hand, and learned", [*HONEST, Scenario().rollback(), Scenario().learned(Ending.ROLLED_BACK, "rollback")]),
    (9, "rolled back in time", ROLLED_BACK),
    (9, "rolled back at the last moment", [*FAILED, Scenario().rollback(wait=300.0)]),
    (10, "itself, once a day", next_day(TWICE)),
    (10, "a path that only resembles whet's", replace(ITSELF, path="lib/src/whet/x.py", tier=Tier.CONFIRM).rows()),
]  # fmt: skip


@pytest.mark.parametrize(("number", "rows"), [(n, r) for n, _, r in KEPT], ids=[f"{n}: {i}" for n, i, _ in KEPT])
def test_a_lookalike_is_not_a_violation(number: int, rows: list[Row]) -> None:
    assert result_of(rows, number).violations == ()


KINDS = sorted({row.name for row in [*HONEST, *ROLLED_BACK, ERROR]})
RUBBISH = ["", "{", "null", "[]", "{}", "0", '"x"', "[[[]]]", "NaN", "1e999", '{"digest":NaN}', "[" * 100_000, '{"at":"0001-01-01T00:00:00+23:59"}']  # fmt: skip


@pytest.mark.parametrize("body", RUBBISH, ids=[body[:20] or "empty" for body in RUBBISH])
@pytest.mark.parametrize("kind", KINDS)
def test_no_body_makes_the_check_itself_fail(kind: str, body: str) -> None:
    assert len(check_invariants(chain(unreadable([*ROLLED_BACK, ERROR], kind, body)))) == 10


@pytest.mark.parametrize(
    "cost", [{"seconds": "inf", "suite_runs": 1}, {"seconds": "nan", "suite_runs": 1}, {"seconds": 1, "suite_runs": 2}]
)
def test_evidence_without_the_named_digest_proves_nothing(cost: dict[str, Any]) -> None:
    assert not result_of(rewritten(HONEST, "Evidence", lambda e: {**e, "cost": cost}), 1).holds


NEEDED_BY_A_DEPLOYMENT = ["Policy", "Proposal", "Build", "Evidence", "Question", "Approval", "Snapshot", "Rehearsal"]


@pytest.mark.parametrize("kind", NEEDED_BY_A_DEPLOYMENT)
def test_removing_any_row_that_a_deployment_needs_is_detected(kind: str) -> None:
    assert not all(each.holds for each in check_invariants(chain(without(HONEST, kind))))
