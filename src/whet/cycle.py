"""READ FIRST: one cycle, and what happens to each proposal it starts.

    observe -> diagnose -> propose -> validate -> approve -> deploy -> learn

`cycle` looks and proposes; `carry` takes one proposal through its gates. Both are durable: every `step` runs once,
is recorded in the ledger, and after a crash is found instead of run again.
"""

from whet.domain.approval import Gate
from whet.domain.build import Build
from whet.domain.deployment import Deployment
from whet.domain.evidence import Evidence
from whet.domain.lesson import Ending
from whet.domain.proposal import Proposal
from whet.domain.verdict import Verdict
from whet.errors import BaseMoved, WhetError, Withdrawn
from whet.workflow.carry_steps import CarrySteps
from whet.workflow.cycle_steps import CycleSteps

ORDER = ("observe", "diagnose", "propose", "validate", "approve", "deploy", "learn")
End = tuple[Ending, str]
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
    do.overhead(identity)
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


def _through_the_gates(proposal: Proposal, do: CarrySteps) -> End:
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


def _deploy(proposal: Proposal, built: Build, evidence: Evidence, do: CarrySteps) -> End:
    do.snapshot_and_rehearse(proposal, built, evidence)
    staged = do.stage(proposal, built, evidence)
    if not do.merges:
        return _kept(proposal, built, evidence, staged, do)
    if do.tries_first and not (trial := do.trial(proposal, built, staged)).promoted:
        do.take_back(proposal, staged, trial.why)
        return Ending.ROLLED_BACK, trial.why
    merge = do.gate(Gate.MERGE, proposal, evidence)
    if not merge.granted:
        return Ending(merge.answer.value), do.clear_away(proposal, staged, merge)
    return _kept(proposal, built, evidence, do.land(proposal, built, evidence), do)


def _kept(proposal: Proposal, built: Build, evidence: Evidence, deployed: Deployment, do: CarrySteps) -> End:
    """Looked at right after and, where it runs, on the calls that come in. What hurts is taken back."""
    seen = do.verify(proposal, deployed, evidence)
    hurts, why = not seen.ok, "; ".join(seen.facts if seen.ok else seen.problems)
    if not hurts and deployed.merged and do.watches:
        watched = do.watch(proposal, built, deployed)
        hurts, why = watched.hurts, watched.why
    if not hurts:
        return Ending.MERGED if deployed.merged else Ending.COMPLETED, why
    do.take_back(proposal, deployed, why)
    return Ending.ROLLED_BACK, why


def _not_proven(evidence: Evidence) -> End:
    blocked = any(finding.severity == "block" for finding in evidence.guard)
    return (Ending.REFUSED if blocked else Ending.NOT_PROVEN), "; ".join(evidence.reasons)
