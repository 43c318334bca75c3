"""Prove a patch: run the checks, weigh them and the findings of the guard, and make the evidence."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version

from whet.domain.clock import now
from whet.domain.evidence import SCHEMA, Cost, Evidence, GuardFinding
from whet.domain.redact_noun import redact_noun
from whet.domain.undecided_call import PATCH, VARIANT, UndecidedCall
from whet.domain.verdict import CheckResult, Verdict
from whet.guard.content.rules import CONTENT_CODES
from whet.guard.denied.rule import CODE as CATEGORY_DENIED
from whet.guard.judge import NEEDS_REVIEW, refusals
from whet.phases.validate import Check, Claim
from whet.phases.validate.compare import list_tests
from whet.target.suite import Suite


def validate(
    claim: Claim,
    checks: Mapping[str, Check],
    guard: Sequence[GuardFinding],
    suite: Suite,
    policy_digest: str,
    proposal: str,
    signature: str,
) -> Evidence:
    """Return the evidence for a patch.

    If the guard refuses whet's own patch, the patch has failed and nothing runs. An outsider's patch is run without the
    protected paths (`claim.restored`), so a refusal only raises the tier, and the verdict is inconclusive at best. It is so too for
    what a model or an agent wrote, if the guard sees something that can deceive the proof.
    """
    started, runs_before = time.monotonic(), suite.runs
    doubts: tuple[str, ...] = ()
    if claim.by_outsider:
        doubts = doubts_about_outsider(claim, guard)
        refused = refusals(guard)
        guard = [replace(finding, severity="raise") if finding in refused else finding for finding in guard]
    blocked = tuple(finding.reason for finding in guard if finding.severity == "block")
    results = () if blocked else tuple(result for check in checks.values() if (result := check.check(claim)))
    if claim.foreign:
        doubts += _to_review(claim, guard)
    doubts += doubts_about_part(claim, results)
    verdict, reasons = (Verdict.FAILED, blocked) if blocked else conclude(results, doubts, claim.undecided)
    evidence = Evidence(
        proposal=proposal,
        signature=signature,
        base=claim.patch.base,
        tree=claim.patch.tree,
        patch_digest=claim.patch.digest,
        policy_digest=policy_digest,
        verdict=verdict,
        reasons=reasons,
        checks=results,
        guard=tuple(guard),
        containment=suite.containment if results else None,
        cost=Cost(seconds=round(time.monotonic() - started, 3), suite_runs=suite.runs - runs_before),
        made_at=now(),
        undecided=claim.undecided or (_question(claim, results) if verdict is Verdict.INCONCLUSIVE else None),
        made_by=f"whet {version('whet')}",
        schema=SCHEMA,
    )
    return redact_noun(evidence)  # before its digest is shown or approved


def _question(claim: Claim, results: Sequence[CheckResult]) -> UndecidedCall | None:
    """Return the call that the reviewer of an outsider's patch should decide; None if no safeguard asks for one.

    For whet's own patches the search asks before the proof, and the answer chooses among its patches.
    """
    safeguards = [safeguard for result in results for safeguard in result.safeguards if safeguard.decides]
    questions = [safeguard.question for safeguard in safeguards if safeguard.question] if claim.by_outsider else []
    return questions[0].renamed({PATCH: claim.patch.digest, VARIANT: VARIANT}) if questions else None


def conclude(
    results: Sequence[CheckResult], doubts: Sequence[str] = (), undecided: UndecidedCall | None = None
) -> tuple[Verdict, tuple[str, ...]]:
    """Return the verdict and its reasons, the deciding ones first.

    A patch passes if all checks passed, at least one shows a claim (its targets failed without the patch), and there are no
    doubts. A
    call that is undecided is a doubt, and stands first.
    """
    failed, open_, passed = (
        [f"{result.label}: {result.reason}" for result in results if result.verdict is verdict]
        for verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE, Verdict.PASSED)
    )
    if failed:
        return Verdict.FAILED, (*failed, *open_, *passed)
    if undecided:
        _, others = conclude(results, doubts)
        return Verdict.INCONCLUSIVE, (undecided.sentence, *others)
    if not results:
        return Verdict.INCONCLUSIVE, ("nothing was checked", *doubts)
    if open_:
        return Verdict.INCONCLUSIVE, (*open_, *doubts, *passed)
    if not any(result.shows_claim for result in results):
        no_red = "nothing that was red turned green, so nothing shows what the change is for"
        return Verdict.INCONCLUSIVE, (no_red, *doubts, *passed)
    return (Verdict.INCONCLUSIVE if doubts else Verdict.PASSED), (*doubts, *passed)


def protected_paths(guard: Sequence[GuardFinding]) -> tuple[str, ...]:
    """Return the paths that an outsider's patch may not touch; they are taken from the base instead."""
    return tuple(sorted({finding.path for finding in refusals(guard) if finding.path and _is_about_path(finding)}))


def doubts_about_outsider(claim: Claim, guard: Sequence[GuardFinding]) -> tuple[str, ...]:
    """Return why the proof of an outsider's patch cannot be conclusive.

    The proof does not cover a change of a protected path. Content that the guard refuses, or that can deceive the proof,
    needs a person to read it; test files that the caller vouches for do not.
    """
    refused = refusals(guard)
    doubts = [f"not covered by the proof: {finding.reason}" for finding in refused if _is_about_path(finding)]
    doubts += [f"the guard refuses it: {finding.reason}" for finding in refused if not _is_about_path(finding)]
    return (*doubts, *_to_review(claim, guard))


def _to_review(claim: Claim, guard: Sequence[GuardFinding]) -> tuple[str, ...]:
    """Return what a person must read, because it can deceive the proof. It says nothing against whet's own edits."""
    return tuple(
        f"needs human review: {finding.reason}"
        for finding in guard
        if finding.rule in NEEDS_REVIEW and finding.path not in claim.trusted_tests
    )


def doubts_about_part(claim: Claim, results: Sequence[CheckResult]) -> tuple[str, ...]:
    """Return why the patch does not prove what it was made for, if it leaves targets of its finding red."""
    red = [test for result in results for test in result.still_red if test in claim.left_red]
    if not red:
        return ()
    return (f"it fixes only a part: {list_tests(red)} should have the same cause, and is red before and after",)


def _is_about_path(refusal: GuardFinding) -> bool:
    """True if the guard refuses the path itself, whatever the patch writes there."""
    return refusal.rule not in CONTENT_CODES and refusal.rule != CATEGORY_DENIED
