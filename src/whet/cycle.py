"""READ FIRST: one cycle, and what happens to each proposal it starts.

    observe -> diagnose -> propose -> validate -> approve -> deploy -> learn

`cycle` looks and proposes; `carry` takes one proposal through its gates. Both are durable: every `step` runs once,
is recorded in the ledger, and after a crash is found instead of run again.
"""

from whet.domain.approval import Approval, Gate
from whet.domain.built import Built
from whet.domain.deployment import Deployment, Verification
from whet.domain.evidence import Evidence
from whet.domain.lesson import Ending
from whet.domain.proposal import Proposal
from whet.domain.verdict import Verdict
from whet.errors import BaseMoved, Refused, WhetError, Withdrawn
from whet.phases.carry_steps import CarrySteps
from whet.phases.cycle_steps import CycleSteps

ORDER = ("observe", "diagnose", "propose", "validate", "approve", "deploy", "learn")
MOST_ATTEMPTS = 8  # proofs of one proposal: a rival after a refuted patch, the same patch on a base that moved


def cycle(identity: str, do: CycleSteps) -> str:
    """Find what is worth doing, and start carrying the best of it; a cycle that breaks leaves a lesson too."""
    try:
        _look_and_start(identity, do)
    except WhetError as broken:
        do.learn_broken(identity, broken)
        raise
    return identity


def _look_and_start(identity: str, do: CycleSteps) -> None:
    trigger = do.trigger(identity)
    base = do.base(identity)
    signals = do.observe(identity, base)
    diagnoses = do.diagnose(trigger, signals, base)
    proposals = do.propose(trigger, diagnoses, base)
    if not proposals:
        do.learn_nothing(identity, base, signals)
    for proposal in proposals:
        do.start(proposal, trigger)


def carry(identity: str, do: CarrySteps) -> str:
    """One proposal to its end; whatever the end is, it leaves a lesson."""
    proposal = do.proposal(identity)
    try:
        ending, why = _through_the_gates(proposal, do)
    except WhetError as broken:
        ending = Ending.WITHDRAWN if isinstance(broken, Withdrawn) else Ending.FAILED
        do.learn(proposal, ending, broken.message, broken.code)
    else:
        do.learn(proposal, ending, why)
    return identity


def _through_the_gates(proposal: Proposal, do: CarrySteps) -> tuple[Ending, str]:
    plan = do.gate(Gate.PLAN, proposal)
    if not plan.granted:
        return Ending(plan.answer.value), plan.why
    built = do.build(proposal)
    for attempt in range(MOST_ATTEMPTS):
        if built.patch is None:
            return Ending.NOT_BUILT, built.note
        evidence = do.validate(proposal, built, attempt)
        if evidence.verdict is Verdict.FAILED and built.rivals:
            built = built.next_rival()
            continue
        if evidence.verdict is Verdict.FAILED:
            return _not_proven(evidence)
        apply = do.gate(Gate.APPLY, proposal, evidence)
        if not apply.granted:
            return Ending(apply.answer.value), apply.why
        try:
            return _deploy(proposal, built, evidence, do)
        except BaseMoved:
            do.unstage(proposal, evidence)
            built = do.rebase(proposal, built, attempt)
    raise BaseMoved(f"{MOST_ATTEMPTS} proofs were not enough: the branch keeps moving")


def _deploy(proposal: Proposal, built: Built, evidence: Evidence, do: CarrySteps) -> tuple[Ending, str]:
    do.snapshot_and_rehearse(proposal, built, evidence)
    staged = do.stage(proposal, built, evidence)
    if not do.merges:
        return _verify(proposal, staged, evidence, Ending.COMPLETED, do)
    if do.tries_first:
        trial = do.trial(proposal, built, staged)
        if not trial.promoted:
            do.take_back(proposal, staged, trial.why)
            return Ending.ROLLED_BACK, trial.why
    merge = do.gate(Gate.MERGE, proposal, evidence)
    if not merge.granted:
        return Ending(merge.answer.value), _clear_away(proposal, staged, merge, do)
    landed = do.land(proposal, built, evidence)
    ending, why = _verify(proposal, landed, evidence, Ending.MERGED, do)
    if ending is Ending.MERGED and do.watches:
        return _watch(proposal, built, landed, do)
    return ending, why


def _clear_away(proposal: Proposal, staged: Deployment, no: Approval, do: CarrySteps) -> str:
    """The branch of its own goes; one that somebody is at work on stays, and that is said. A no is a no either way."""
    try:
        do.take_back(proposal, staged, f"{no.answer.value} at the merge gate")
    except Refused as in_use:
        return "; ".join(filter(None, (no.why, f"its branch stays: {in_use.message}")))
    return no.why


def _verify(
    proposal: Proposal, deployment: Deployment, evidence: Evidence, done: Ending, do: CarrySteps
) -> tuple[Ending, str]:
    seen: Verification = do.verify(proposal, deployment, evidence)
    if seen.ok:
        return done, "; ".join(seen.facts)
    do.take_back(proposal, deployment, "; ".join(seen.problems))
    return Ending.ROLLED_BACK, "; ".join(seen.problems)


def _watch(proposal: Proposal, built: Built, landed: Deployment, do: CarrySteps) -> tuple[Ending, str]:
    """On the calls that come in since. What is not shown to hurt stays."""
    seen = do.watch(proposal, built, landed)
    if not seen.hurts:
        return Ending.MERGED, seen.why
    do.take_back(proposal, landed, seen.why)
    return Ending.ROLLED_BACK, seen.why


def _not_proven(evidence: Evidence) -> tuple[Ending, str]:
    blocked = any(finding.severity == "block" for finding in evidence.guard)
    return (Ending.REFUSED if blocked else Ending.NOT_PROVEN), "; ".join(evidence.reasons)
