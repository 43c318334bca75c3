"""A finding gets the proposals of one engine in a cycle."""

from dataclasses import replace

from tests.phases.deploy.harness import proposal
from whet.domain.proposal import Proposal
from whet.phases.propose.step import one_engine_each


def offered(identity: str, engine: str, signature: str) -> Proposal:
    made = proposal("b" * 40)
    finding = replace(made.diagnosis.finding, signature=signature)
    return replace(made, id=identity, engine=engine, diagnosis=replace(made.diagnosis, finding=finding))


def kept(*proposals: Proposal) -> list[str]:
    return [proposal.id for proposal in one_engine_each(proposals)]


def test_the_engine_that_comes_first_for_a_finding_keeps_it() -> None:
    assert kept(offered("p-1", "repair", "s-1"), offered("p-2", "model", "s-1")) == ["p-1"]
    assert kept(offered("p-2", "model", "s-1"), offered("p-1", "repair", "s-1")) == ["p-2"]


def test_several_proposals_of_one_engine_stay() -> None:
    assert kept(offered("p-1", "autofix", "s-1"), offered("p-2", "autofix", "s-1")) == ["p-1", "p-2"]


def test_other_findings_are_not_touched() -> None:
    assert kept(offered("p-1", "repair", "s-1"), offered("p-2", "model", "s-2")) == ["p-1", "p-2"]
