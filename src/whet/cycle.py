"""READ FIRST: one cycle, and the life of each proposal that it starts.

    observe -> diagnose -> propose -> validate -> approve -> deploy -> learn

`cycle` finds problems and proposes changes; `carry` takes one proposal through its gates to its end. Both are durable
workflows: every step on `do` runs once and is recorded in the ledger, and a resumed process reads the record instead of
running it again. `whet run`, `whet run --dry-run` and `whet repair` all run these two functions.
"""

from whet.domain.approval import Answer, Gate
from whet.domain.build import Build
from whet.domain.deployment import Deployment
from whet.domain.evidence import Evidence
from whet.domain.lesson import Ending
from whet.domain.proposal import Proposal
from whet.errors import BaseMoved, WhetError, Withdrawn
from whet.workflow.carry_steps import CarrySteps
from whet.workflow.cycle_steps import CycleSteps

ORDER = ("observe", "diagnose", "propose", "validate", "approve", "deploy", "learn")
End = tuple[Ending, str]
MOST_ATTEMPTS = 8  # proofs: of the next rival after a failure, of the patch that an answer chose, on a base that moved


def cycle(identity: str, do: CycleSteps) -> str:
    """Propose changes for the best findings and start a `carry` for each. A cycle that fails leaves a lesson too."""
    try:
        _propose(identity, do)
    except WhetError as broken:
        do.learn_failed_cycle(identity, broken)
        raise
    return identity


def _propose(identity: str, do: CycleSteps) -> None:
    trigger = do.trigger(identity)
    base = do.base(identity)
    signals = do.observe(trigger, base)
    do.overhead(identity)
    findings = do.find(trigger, signals, base)
    workable = do.choose(trigger, findings, base)
    diagnoses = do.diagnose(trigger, workable, base)
    proposals = do.propose(trigger, diagnoses, base)
    if not proposals:
        do.learn_idle_cycle(trigger, base, signals, findings)
    for proposal in proposals:
        do.start(proposal, trigger)


def carry(identity: str, do: CarrySteps) -> str:
    """Take one proposal to its end. Every end leaves a lesson."""
    proposal = do.proposal(identity)
    try:
        ending, why = _pass_gates(proposal, do)
    except WhetError as broken:
        ending = Ending.WITHDRAWN if isinstance(broken, Withdrawn) else Ending.FAILED
        do.learn(proposal, ending, broken.message, broken.code)
    else:
        do.learn(proposal, ending, why)
    return identity


def _pass_gates(proposal: Proposal, do: CarrySteps) -> End:
    if not (plan := do.gate(Gate.PLAN, proposal)).granted:
        return Ending(plan.answer.value), plan.why
    build = do.build(proposal)
    for attempt in range(MOST_ATTEMPTS):
        if build.patch is None:
            return Ending.NOT_BUILT, build.note
        if (evidence := do.validate(proposal, build, attempt)).failed:
            if not build.rivals:
                return _not_proven(evidence)
            build = build.next_rival()
            continue
        if revised := do.review(proposal, build, evidence, attempt):
            build = revised
            continue
        apply = do.gate(Gate.APPLY, proposal, evidence)
        if apply.answer is Answer.DECIDED:
            build = do.decide(proposal, build, apply, attempt)
            continue
        if not apply.granted:
            return Ending(apply.answer.value), apply.why
        try:
            return _deploy(proposal, build, evidence, do)
        except BaseMoved:
            build = do.rebase(proposal, build, evidence, attempt)
    raise BaseMoved(f"{MOST_ATTEMPTS} proofs were not enough: the branch keeps moving, or calls stay undecided")


def _deploy(proposal: Proposal, build: Build, evidence: Evidence, do: CarrySteps) -> End:
    do.snapshot_and_rehearse(proposal, build, evidence)
    staged = do.stage(proposal, build, evidence)
    if not do.merges:
        return _settle(proposal, build, evidence, staged, do)
    if do.has_trial and not (trial := do.trial(proposal, build, staged)).promoted:
        do.roll_back(proposal, staged, trial.why)
        return Ending.ROLLED_BACK, trial.why
    merge = do.gate(Gate.MERGE, proposal, evidence)
    if not merge.granted:
        return Ending(merge.answer.value), do.roll_back_refused(proposal, staged, merge)
    return _settle(proposal, build, evidence, do.land(proposal, build, evidence), do)


def _settle(proposal: Proposal, build: Build, evidence: Evidence, deployed: Deployment, do: CarrySteps) -> End:
    """Verify the deployment and, if applications run it, watch their calls; roll back if either shows harm."""
    verification = do.verify(proposal, deployed, evidence)
    hurts, why = not verification.ok, "; ".join(verification.facts if verification.ok else verification.problems)
    ending = Ending.MERGED if deployed.merged else Ending.COMPLETED
    if not hurts and deployed.merged and do.watches:
        watch = do.watch(proposal, build, deployed)
        hurts, why, ending = watch.hurts, watch.why, ending if watch.confirms else Ending.UNCONFIRMED
    if hurts:
        do.roll_back(proposal, deployed, why)
    return (Ending.ROLLED_BACK if hurts else ending), why


def _not_proven(evidence: Evidence) -> End:
    blocked = any(finding.severity == "block" for finding in evidence.guard)
    return (Ending.REFUSED if blocked else Ending.NOT_PROVEN), "; ".join(evidence.reasons)
