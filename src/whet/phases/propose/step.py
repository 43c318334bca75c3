"""Collect proposals from the engines, build their patches, and rebase them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from whet.domain.build import Build
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.progress import Progress
from whet.domain.proposal import Proposal
from whet.domain.risk import Risk
from whet.errors import BaseMoved
from whet.git.git import Git
from whet.phases.propose import Layered, Proposer

Weigh = Callable[[Proposal], tuple[float, tuple[str, ...]]]
_RISK_FACTOR = {Risk.LOW: 1.0, Risk.MEDIUM: 0.8, Risk.HIGH: 0.5, Risk.CRITICAL: 0.2}


def propose(
    diagnoses: Sequence[Diagnosis],
    engines: Mapping[str, Proposer],
    declined: Callable[[Finding, str, str], str],
    base: str,
    cycle: str,
    progress: Progress,
    weigh: Weigh = lambda _: (1.0, ()),
) -> tuple[Proposal, ...]:
    """Return what the engines offer, best first.

    `declined` returns why an engine should not propose for a finding, or an empty string. `weigh` returns the factor that
    people's preferences give a proposal, and the reasons.
    """
    offered: list[Proposal] = []
    for diagnosis in diagnoses:
        for name, engine in engines.items():
            if not engine.can_help(diagnosis.finding):
                continue
            if why := wrong_layer(diagnosis, engine) or declined(diagnosis.finding, name, base):
                progress.note(f"{name} does not propose for {diagnosis.finding.title}: {why}")
                continue
            offered += engine.propose(diagnosis, base, cycle)
    ranked = (scored(proposal, *weigh(proposal)) for proposal in offered)
    return tuple(sorted(ranked, key=lambda proposal: (-proposal.score, proposal.title)))


def wrong_layer(diagnosis: Diagnosis, engine: Proposer) -> str:
    """Return why an engine cannot change the layer that replay has shown to hold the cause; empty if it can."""
    known = diagnosis.attribution
    if known is None or not known.decided or not isinstance(engine, Layered) or diagnosis.layer in engine.layers:
        return ""
    return f"the cause is in the layer {diagnosis.layer.value}: {known.evidence[-1]}"


def one_engine_each(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Keep, of the proposals for one finding, those of the engine that comes first.

    Two engines would ask a person twice about one failure. If the first leads to no patch, its lesson gives the next
    cycle to the other.
    """
    first: dict[str, str] = {}
    for proposal in proposals:
        first.setdefault(proposal.signature, proposal.engine)
    return tuple(proposal for proposal in proposals if first[proposal.signature] == proposal.engine)


def scored(proposal: Proposal, preferred: float = 1.0, why: tuple[str, ...] = ()) -> Proposal:
    """Return the proposal with its score (finding score x expected gain x risk factor x preference) and the reasons."""
    finding = proposal.diagnosis.finding
    safety = _RISK_FACTOR[proposal.risk]
    reasons = (
        f"finding {finding.score:.2f} ({finding.reasons[0]})",
        f"expected gain {proposal.expected_gain:.2f} by {proposal.engine}",
        f"{proposal.risk.value} risk: x {safety}",
        *why,
    )
    score = round(finding.score * proposal.expected_gain * safety * preferred, 4)
    return replace(proposal, score=score, reasons=reasons)


def build(proposal: Proposal, engine: Proposer, avoid: frozenset[str]) -> Build:
    """Let the engine write the patch; it must not return a patch whose digest is in `avoid`."""
    return engine.build(proposal, avoid)


def rebase(built: Build, head: str, git: Git) -> Build:
    """Return the same change on the new head of the branch: a new patch, which must be proved and approved again."""
    patch = built.patch
    if patch is None:
        return built
    tree = git.apply(head, git.diff(patch.base, patch.tree))
    if tree is None:
        raise BaseMoved(f"the branch has moved to {head[:10]} and the change no longer applies there")
    rebased = {patch.digest: git.patch(head, tree, patch.summary), **{rival.digest: rival for rival in built.rivals}}
    return replace(built.with_patches(rebased), note=f"{built.note}; rebased on {head[:10]}")
