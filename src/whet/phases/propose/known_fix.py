"""Proposes a fix that worked before: patterns of proven patches, applied at the suspicious places of a new failure."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from whet.cases.regression import has_target, regression_of, targets_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.patch import Patch
from whet.domain.pattern import Pattern, Standing
from whet.domain.plural import count
from whet.domain.proposal import Proposal, ValidationPlan, kind_of_fix
from whet.domain.regression import Regression
from whet.domain.risk import Risk
from whet.kit import Kit
from whet.knowledge.candidates import FailureText, KnownFixCandidate, candidates
from whet.knowledge.examples import failure_of
from whet.knowledge.library import ENGINE, Library, read_library
from whet.knowledge.similarity import Similarity, similarity_of
from whet.target.warm_pool import WarmPool

_GAIN = {Standing.CONFIDENT: 0.9, Standing.NEW: 0.7, Standing.WEAKENED: 0.4}
_MOST_RIVALS = 3
_MOST_OTHER_TESTS = 60
_SECONDS = 60.0


class KnownFix:
    """The proposer of known fixes. It proposes only rewrites that turn the targets green, so that a pattern that does
    not fit leaves the finding to other engines."""

    layers = frozenset({Layer.CONSTANTS, Layer.BEHAVIOR})

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self._read: tuple[int, Library] = (-1, Library())

    @cached_property
    def _similar(self) -> Similarity:
        return similarity_of(self._kit.policy.propose)

    def can_help(self, finding: Finding) -> bool:
        return has_target(finding) and bool(self._library().usable)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        regression = regression_of(finding, self._git.tree_of(base), self._kit)
        targets = regression.red if regression else finding.subjects
        fitting = self._fitting(diagnosis, base, regression, targets)
        if not fitting:
            return
        best = fitting[0]
        pattern, gain = best.pattern, _GAIN[best.pattern.outcomes.standing]
        yield Proposal(
            id=f"p-{digest([cycle, ENGINE, finding.signature])[:8]}",
            engine=ENGINE,
            kind=kind_of_fix(diagnosis),
            category=finding.category,
            target=tuple(dict.fromkeys(candidate.path for candidate in fitting)),
            title=f"Apply a known fix to {finding.title}"[:200],
            rationale=_rationale(pattern, best),
            risk=Risk.MEDIUM,
            expected_gain=max(0.05, round(gain * diagnosis.confidence, 3)),
            plan=ValidationPlan(targets=targets_of(finding, targets)),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={
                "pattern": pattern.id,
                "edits": [_edit(item) for item in fitting],
                "regression": to_plain(regression) if regression else {},
            },
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        recipe, tests = proposal.recipe, {test.path: test.text for test in proposal.decided}
        if recipe["regression"]:
            tests[str(recipe["regression"]["path"])] = str(recipe["regression"]["text"])
        built = [self._patch(proposal, edit, tests) for edit in recipe["edits"]]
        patches = [patch for patch in built if patch]
        allowed = [patch for patch in patches if patch.digest not in avoid]
        if not allowed:
            return Build(patch=None, note="every known fix that fits was rejected before", tried=len(built))
        return Build(
            patch=allowed[0],
            rivals=tuple(allowed[1:]),
            note=f"the known fix {recipe['pattern']}; {count(len(patches), 'rewrite')} turned the targets green",
            tried=len(patches),
            trusted_tests=tuple(tests),
        )

    def _patch(self, proposal: Proposal, edit: dict[str, Any], tests: dict[str, str]) -> Patch | None:
        """Return the patch of one rewrite; None if it is not the tested one, because the ledger redacted a part of it."""
        path = str(edit["path"])
        source = self._sources(proposal.base, {path}).get(path, "")
        rewritten = source[: edit["start"]] + str(edit["text"]) + source[edit["end"] :]
        if digest(rewritten) != edit["digest"]:
            return None
        contents = {name: text.encode() for name, text in {**tests, path: rewritten}.items()}
        tree = self._git.with_files(self._git.tree_of(proposal.base), contents)
        return self._git.patch(proposal.base, tree, str(edit["summary"]))

    def _fitting(
        self, diagnosis: Diagnosis, base: str, regression: Regression | None, targets: Sequence[str]
    ) -> list[KnownFixCandidate]:
        """Return the rewrites that turn the targets green and keep other tests green, best first."""
        places = [place for place in diagnosis.places if not self._kit.is_test(place.path)]
        exception, message = failure_of(diagnosis.finding)
        sources = self._sources(base, {place.path for place in places})
        offered = candidates(self._library(), FailureText(exception, message), places, sources, self._similar)
        if not offered:
            return []
        tree = self._git.tree_of(base)
        with_test = self._git.with_files(tree, {regression.path: regression.text.encode()}) if regression else tree
        suite = self._kit.suite.of(targets)
        report = suite.run(tree, fresh=False)
        files = {test.partition("::")[0] for test in targets}
        passed = sorted(report.passed, key=lambda test: test.partition("::")[0] not in files)
        others = passed[: _MOST_OTHER_TESTS + sum(test.partition("::")[0] in files for test in passed)]
        self._kit.progress.note(f"trying {count(len(offered), 'rewrite')} by known fixes")
        with WarmPool(suite, with_test, os.cpu_count() or 1, 3 * _SECONDS) as pool:
            green = _passing(pool, offered, targets, _SECONDS)[:_MOST_RIVALS]
            if not green or not others:
                return green
            unchanged = pool.run([{}], others, _SECONDS, stop_early=False)[0].outcomes
            return _passing(pool, green, [test for test in others if unchanged.get(test) == "passed"], _SECONDS)

    def _sources(self, base: str, paths: set[str]) -> dict[str, str]:
        sources = {}
        for path in sorted(paths):
            with suppress(UnicodeDecodeError):
                sources[path] = (self._git.read(base, path) or b"").decode()
        return sources

    def _library(self) -> Library:
        seq = self._kit.ledger.head().seq
        if self._read[0] != seq:
            self._read = (seq, read_library(self._kit.ledger))
        return self._read[1]


def _passing(
    pool: WarmPool, offered: Sequence[KnownFixCandidate], tests: Sequence[str], seconds: float
) -> list[KnownFixCandidate]:
    """Return the rewrites with which the tests pass."""
    versions = [{candidate.path: candidate.source} for candidate in offered]
    results = pool.run(versions, tests, seconds, stop_early=True)
    return [
        candidate
        for candidate, result in zip(offered, results, strict=True)
        if all(result.outcomes.get(test) == "passed" for test in tests)
    ]


def _rationale(pattern: Pattern, candidate: KnownFixCandidate) -> str:
    origin = pattern.examples[0]
    source = f"imported from {origin.imported_from}" if pattern.imported else f"from {origin.proposal} in {origin.path}"
    counts = pattern.outcomes
    return (
        f"The pattern {pattern.id} ({source}) fits {candidate.path}:{candidate.line}. It worked "
        f"{count(counts.successes, 'time')}, failed {count(counts.failures, 'time')} and was rolled back "
        f"{count(counts.rollbacks, 'time')}."
    )


def _edit(candidate: KnownFixCandidate) -> dict[str, Any]:
    hit = candidate.hit
    return {
        "path": candidate.path,
        "start": hit.start,
        "end": hit.end,
        "text": hit.replacement,
        "digest": digest(hit.source),
        "summary": _summary(candidate),
    }


def _summary(candidate: KnownFixCandidate) -> str:
    return f"Apply the known fix {candidate.pattern.id} to {candidate.path}"[:72]
