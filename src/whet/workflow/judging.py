"""Judge a patch: the guard's findings on it, then the proof, as one evidence bundle."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from whet.cases.regression import timed_calls_of, written_by_model
from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal, ProposalKind
from whet.domain.proved_claim import ProvedClaim
from whet.domain.risk import Risk
from whet.domain.timed_calls import TimedCalls
from whet.domain.undecided_call import UndecidedCall
from whet.guard.change.submission import Description
from whet.guard.judge import judge
from whet.kit import Kit
from whet.phases.validate import Check, Claim
from whet.phases.validate.package_checks import by_package
from whet.phases.validate.step import protected_paths, validate
from whet.workflow.guard_context import description_of, guard_context

ALWAYS = ("diagnostics", "benchmarks", "structure", "evaluations", "formulas")
"""The checks of every patch, whatever its plan names: new findings of the project's own linter and type checkers, declared
benchmarks that get worse, settings files that no longer fit their schema, evaluations of texts that it changes, and
declared formulas that lose a case or a property."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The author of a patch and its claim.

    `targets` are what each check must see red on the base and green with the patch; its keys name the checks to run.
    `left_red` are targets that the engine gave up on. `trusted_tests` are test files of the patch that count as evidence.
    `model_tests` are those of them that a language model wrote. `trust_tests` makes all of them count, on the word of the person who asks for the proof of an outsider's patch.
    `stated` is the claim that the patch is proved for, if no test is to turn green.
    `timed` is the benchmark of captured calls that the patch must make faster.
    `undecided` is a call that the patch and its rivals answer differently. `foreign` is true if whet did not write the patch.
    """

    id: str
    signature: str = ""
    category: Category = Category.BUG_FIX
    risk: Risk = Risk.LOW
    description: Description | None = None
    kind: ProposalKind | None = None
    targets: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"tests": ()})
    left_red: tuple[str, ...] = ()
    trusted_tests: tuple[str, ...] = ()
    model_tests: tuple[str, ...] = ()
    by_outsider: bool = False
    foreign: bool = False
    trust_tests: bool = False
    stated: ProvedClaim | None = None
    timed: TimedCalls | None = None
    undecided: UndecidedCall | None = None


def engine_origin(proposal: Proposal, build: Build) -> Origin:
    """Return the origin of a patch that an engine built for a proposal."""
    return Origin(
        id=proposal.id,
        signature=proposal.signature,
        category=proposal.category,
        risk=proposal.risk,
        description=description_of(proposal),
        kind=proposal.kind,
        targets=_targets(proposal, build),
        left_red=build.left_red,
        trusted_tests=build.trusted_tests,
        stated=proposal.plan.stated,
        timed=timed_calls_of(proposal.diagnosis.finding),
        model_tests=written_by_model(proposal.diagnosis.finding),
        undecided=build.undecided,
        foreign=build.foreign,
    )


def _targets(proposal: Proposal, build: Build) -> dict[str, tuple[str, ...]]:
    """Return the targets of the plan, and the tests of people's answers that the base fails."""
    targets, red = dict(proposal.plan.targets), [test for regression in build.decided for test in regression.red]
    return {**targets, "tests": (*targets.get("tests", ()), *red)} if red else targets


def outsider_origin(patch: Patch, *, trust_tests: bool, stated: ProvedClaim | None = None) -> Origin:
    """Return the origin of a patch that whet did not write."""
    identity = f"x-{digest([patch.digest, patch.base])[:8]}"
    return Origin(id=identity, by_outsider=True, trust_tests=trust_tests, stated=stated)


def judge_patch(patch: Patch, origin: Origin, checks: Mapping[str, Check], kit: Kit) -> Evidence:
    """Return the evidence for a patch. Nothing runs if the guard blocks an engine's patch.

    Paths that an outsider's patch may not touch are taken from the base, so that the proof does not cover them.
    """
    findings = guard_findings(patch, origin, kit)
    restored = protected_paths(findings) if origin.by_outsider else ()
    trusted = origin.trusted_tests
    if origin.trust_tests:
        trusted = tuple(path for path in patch.paths if kit.is_test(path) and path not in restored)
    claim = Claim(
        patch=patch,
        targets={} if origin.by_outsider else dict(origin.targets),
        left_red=origin.left_red,
        trusted_tests=trusted,
        restored=restored,
        by_outsider=origin.by_outsider,
        foreign=origin.foreign,
        stated=origin.stated,
        timed=origin.timed,
        undecided=origin.undecided,
    )
    chosen = {name: checks[name] for name in origin.targets}
    chosen.update({name: check for name, check in checks.items() if name in ALWAYS})
    affected = kit.suite.affected(patch.paths, patch.base)
    evidence = validate(
        claim, by_package(chosen, affected, kit), findings, kit.suite, kit.policy.digest, origin.id, origin.signature
    )
    proved = {check.package for check in evidence.checks}
    others = tuple(package.title for package in kit.policy.project if package.title not in proved)
    return replace(evidence, not_affected=others) if evidence.checks else evidence


def guard_findings(patch: Patch, origin: Origin, kit: Kit) -> tuple[GuardFinding, ...]:
    """Return what the guard says about a patch. Deploy asks again, so that an old answer never counts."""
    return judge(
        patch.changes,
        kit.git.texts(patch.changes),
        context=guard_context(patch, kit.git, kit.interpreter.modules),
        description=origin.description,
        kind=origin.kind,
        category=origin.category,
        risk=origin.risk,
        policy=kit.policy,
        author="outsider" if origin.by_outsider else "engine",
        trusted_new_tests=origin.trusted_tests,
        model_tests=origin.model_tests,
    )
