"""A better text becomes a proposal of the kind of its file, with the measure that it claims."""

import pytest

from tests.support import MakeRepo
from whet.app.project import open_project
from whet.domain.clock import now
from whet.domain.improvement import Improvement
from whet.domain.proposal import Proposal, ProposalKind
from whet.domain.signal import Signal
from whet.phases.diagnose.improvements import ImprovedTexts
from whet.phases.diagnose.step import diagnose
from whet.phases.propose.improve import Improve

POLICY = """[tests]
runner = "%s"
[evaluations.declared.triage]
command = ["python", "score.py"]
scores = ["*.md", "*.yaml"]
[benchmarks.declared.sort]
command = ["python", "bench.py"]
"""


@pytest.mark.parametrize(
    ("path", "name", "check", "runner", "kind", "targets"),
    [
        (
            "p.md",
            "triage",
            "evaluations",
            "pytest",
            ProposalKind.SKILL_IMPROVE,
            {"tests": (), "evaluations": ("triage",)},
        ),
        ("p.md", "triage", "evaluations", "none", ProposalKind.SKILL_IMPROVE, {"evaluations": ("triage",)}),
        ("w.yaml", "triage", "evaluations", "none", ProposalKind.PROTOCOL_UPDATE, {"evaluations": ("triage",)}),
        ("a.py", "sort", "benchmarks", "none", ProposalKind.BEHAVIOR_FIX, {"tests": (), "benchmarks": ("sort",)}),
    ],
)
def test_kind_and_targets_follow_from_the_file_and_the_measure(
    path: str, name: str, check: str, runner: str, kind: ProposalKind, targets: object, make_repo: MakeRepo
) -> None:
    project = open_project(make_repo({"whet.toml": POLICY % runner, path: "old\n"}).root)
    base = project.git.resolve("HEAD")
    improvement = Improvement(
        evaluation=name, path=path, before="", after="new\n", changes=("without x",), mean=0.2, confirmed="better", tried=(),
        base=base, found_at=now(), check=check,
    )  # fmt: skip
    analyzer, engine = ImprovedTexts(project.kit), Improve(project.kit)
    [finding] = analyzer.findings([Signal.of("improvements", path, improvement, now())])
    assert engine.can_help(finding)
    [diagnosis] = diagnose([finding], {"improvements": analyzer}, base, project.policy.target, top=1)
    [proposal] = engine.propose(diagnosis, base, "c-1")
    assert isinstance(proposal, Proposal)
    assert (proposal.kind, dict(proposal.plan.targets)) == (kind, targets)
    built = engine.build(proposal, frozenset())
    assert built.patch
    assert project.git.read(built.patch.tree, path) == b"new\n"
    assert engine.build(proposal, frozenset({built.patch.digest})).patch is None
