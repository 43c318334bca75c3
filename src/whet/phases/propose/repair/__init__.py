"""Search-based repair: small edits at suspicious places, tried against the failing tests until some hold."""

import heapq
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

from whet.cases.from_suggestion import failures_of, regression_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.patch import Patch
from whet.domain.place import Place
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.strategy import Strategy
from whet.domain.suite import SuiteReport
from whet.kit import Kit
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluate import Observer, Trials
from whet.phases.propose.repair.generate import candidates, pairs
from whet.phases.propose.repair.hints import Hints, read_hints
from whet.phases.propose.repair.prior_from_history import learned
from whet.phases.propose.repair.progress import Tally
from whet.phases.propose.repair.rank_by_behaviour import Agreement
from whet.phases.propose.repair.search import Found, Limits, search
from whet.store.codec import decode
from whet.target.distributed import Spread, Trier
from whet.target.warm_pool import Warm

_MOST_NEIGHBOURS = 60
_MOST_RIVALS = 5


class Repair:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self.seconds = float(kit.policy.propose.repair_seconds)
        self.began: float | None = None
        """When the time began to run, by the monotonic clock, where that was before the search."""

    def can_help(self, finding: Finding) -> bool:
        if finding.kind is FindingKind.SUGGESTED:
            return bool(finding.signals[0].payload["case"])
        if finding.kind is FindingKind.FAILING_TOOL:
            return bool(finding.signals[0].payload["replay"])
        return finding.kind is FindingKind.FAILING_TEST and any("::" in test for test in finding.subjects)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        suspects = [place.path for place in diagnosis.places if not self._kit.is_test(place.path)]
        if not suspects:
            self._kit.progress.note(
                f"{finding.title}: no line of the project is suspicious, so there is nothing to edit"
            )
            return
        written = regression_of(finding, self._git.tree_of(base), self._kit)
        targets = written.red if written else finding.subjects
        how = _strategy(finding)
        top = diagnosis.places[0]
        yield Proposal(
            id=f"p-{digest([cycle, 'repair', finding.signature])[:8]}",
            engine="repair",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=tuple(dict.fromkeys(suspects))[:5],
            title=f"Repair {finding.title}"[:200],
            rationale=f"{len(targets)} failing: {', '.join(targets[:3])}. Most suspicious: {top.path}:{top.line}, {top.why}.",
            risk=how.risk if how else Risk.MEDIUM,
            expected_gain=max(0.05, round(0.6 * diagnosis.confidence, 3)),
            plan=ValidationPlan(targets={"tests": targets}, strategy=how),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe=to_plain(written) if written else {},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        ground = self._ground(proposal)
        found, agreement = self._search(proposal, ground)
        difference = agreement.difference(found.survivors)
        trusted = (str(proposal.recipe["path"]),) if proposal.recipe else ()
        best = found.survivors[:_MOST_RIVALS]
        patches = [self._patch(proposal, ground, candidate) for candidate in best]
        if against := agreement.against(found.survivors):
            return Build(
                patch=None,
                note=f"{found.tried} edits tried; {len(found.survivors)} held, but none is convincing: {against}",
                tried=found.tried,
                seconds=found.seconds,
                first_seconds=found.first_seconds,
                unconvincing=tuple(patches),
            )
        fresh = [patch for patch in patches if patch.digest not in avoid]
        if fresh:
            note = (
                f"{found.tried} edits tried, {found.green} turned the targets green, "
                f"{len(found.survivors)} of them kept the neighbouring tests green"
                f"{f'; {difference}' if difference else ''}"
            )
            return Build(
                patch=fresh[0],
                rivals=tuple(fresh[1:]),
                note=note,
                tried=found.tried,
                seconds=found.seconds,
                first_seconds=found.first_seconds,
                trusted_tests=trusted,
                made_by={patch.digest: one.template for patch, one in zip(patches, best, strict=True)},
            )
        return Build(patch=None, note=_why_none(found), tried=found.tried, seconds=found.seconds)

    def _ground(self, proposal: Proposal) -> str:
        base_tree = self._git.tree_of(proposal.base)
        recipe = proposal.recipe
        return self._git.with_files(base_tree, {recipe["path"]: recipe["text"].encode()}) if recipe else base_tree

    def _patch(self, proposal: Proposal, ground: str, candidate: Candidate) -> Patch:
        tree = self._git.with_files(ground, {candidate.path: candidate.source.encode()})
        return self._git.patch(proposal.base, tree, candidate.summary)

    def _search(self, proposal: Proposal, ground: str) -> tuple[Found, Agreement]:
        places = [place for place in proposal.diagnosis.places if not self._kit.is_test(place.path)]
        sources = self._sources(ground, {place.path for place in places})
        limits = self._limits(proposal)
        with Warm(self._kit.suite, ground, os.cpu_count() or 1, self.seconds + 60) as alone, ExitStack() as stack:
            warm = self._with_a_crew(alone, proposal, stack)
            targets, neighbours = proposal.plan.targets["tests"], self._neighbours(proposal)
            observer = Observer(warm, sources, _broke_at(proposal.diagnosis.finding), limits.deadline)
            took = self._base_run(proposal).seconds
            trials = Trials(warm, targets, neighbours, took, Tally(self._kit.progress), observer)
            found = search(
                _merged(sources, places, self._hints(proposal, ground), learned(self._kit.ledger)),
                trials,
                targets,
                trials.stages,
                limits,
                time.monotonic,
            )
            return found, trials.agreement

    def _with_a_crew(self, warm: Warm, proposal: Proposal, stack: ExitStack) -> Trier:
        """With the workers that are alive when a search begins; without any it is the sandboxes alone."""
        crew = self._kit.crew()
        if crew is None:
            return warm
        recipe = proposal.recipe
        files = {recipe["path"]: recipe["text"]} if recipe else {}
        ground = {"base": proposal.base, "files": files, "how": self._kit.suite.how()}
        return stack.enter_context(Spread(warm, crew, ground, self._kit.progress))

    def _limits(self, proposal: Proposal) -> Limits:
        """The answer is due when the time is over, and asking all tests takes about as long as it took at first. However
        long that was, half of the time is for the search."""
        now = time.monotonic()
        over = max((now if self.began is None else self.began) + self.seconds, now + self.seconds / 2)
        suite = self._base_run(proposal).seconds
        return Limits(deadline=over, confirming_seconds=min(suite, self.seconds / 4))

    def _base_run(self, proposal: Proposal) -> SuiteReport:
        return self._kit.suite.run(self._git.tree_of(proposal.base), fresh=False)

    def _sources(self, tree: str, paths: Iterable[str]) -> dict[str, str]:
        wanted = [entry for entry in self._git.entries(tree) if entry.path in set(paths)]
        texts = zip(wanted, self._git.blobs([entry.blob for entry in wanted]), strict=True)
        return {entry.path: text.decode() for entry, text in texts if _is_text(text)}

    def _hints(self, proposal: Proposal, ground: str) -> Hints:
        tests = {test.partition("::")[0] for test in proposal.plan.targets["tests"]}
        return read_hints(failures_of(proposal.diagnosis.finding), self._sources(ground, tests))

    def _neighbours(self, proposal: Proposal) -> list[list[str]]:
        """Passing tests that a wrong edit would break, in stages: some of those beside the targets and some of the rest,
        then all."""
        files = {test.partition("::")[0] for test in proposal.plan.targets["tests"]}
        passed = sorted(self._base_run(proposal).passed)
        passed += proposal.recipe.get("held", ())
        near = [test for test in passed if test.partition("::")[0] in files]
        beside = set(near)
        far = [test for test in passed if test not in beside]
        stride = max(len(far) // 20, 1)
        some = [*near[:: max(len(near) // _MOST_NEIGHBOURS, 1)][:_MOST_NEIGHBOURS], *far[::stride][:20]]
        return [some, [*near, *far]] if len(some) < len(passed) else [some]


def _broke_at(finding: Finding) -> dict[str, set[int]]:
    """The lines that the failures passed through."""
    lines = defaultdict(set)
    for failure in failures_of(finding).values():
        for path, line, _ in failure.frames:
            lines[path].add(line)
    return lines


def _strategy(finding: Finding) -> Strategy | None:
    told = finding.signals[0].payload.get("strategy")
    return decode(Strategy, told) if told else None


def _why_none(found: Found) -> str:
    if found.survivors:
        return f"{found.tried} edits tried; every one that held was turned down before"
    if found.green:
        return f"{found.tried} edits tried; {found.green} turned the targets green, and each broke a neighbouring test"
    return f"{found.tried} edits tried in {found.seconds:.0f} s; none turned the targets green"


def _merged(
    sources: Mapping[str, str], places: Sequence[Place], hints: Hints, likelier: Mapping[str, float]
) -> Iterator[Candidate]:
    """Candidates of every suspicious file, the likeliest first; two edits at once when single ones have run dry."""
    for make in (candidates, pairs):
        streams = [
            make(path, source, [place for place in places if place.path == path], hints, likelier)
            for path, source in sources.items()
        ]
        yield from heapq.merge(*streams, key=lambda candidate: -candidate.rank)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
