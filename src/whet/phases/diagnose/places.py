"""Where to look for a finding's cause: by tracing the failing tests beside passing ones, or by what the finding says."""

from collections.abc import Mapping, Sequence

from whet.cases.from_suggestion import failures_of, regression_of
from whet.domain.finding import Finding, FindingKind
from whet.domain.place import Place
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.phases.diagnose.localise import Covered, localise
from whet.target.tracer import TracedTest, trace

_MOST_NEIGHBOURS = 150


def places(finding: Finding, base: str, kit: Kit) -> tuple[Place, ...]:
    tree = kit.git.tree_of(base)
    if finding.kind is FindingKind.LINT:
        return tuple(
            Place(path=str(s.payload["path"]), line=int(s.payload["line"]), function="", suspicion=1.0,
                  why=str(s.payload["message"]))
            for s in finding.signals
        )  # fmt: skip
    if written := regression_of(finding, tree, kit):
        return _traced(
            written.red, failures_of(finding), kit.git.with_files(tree, {written.path: written.text.encode()}), kit
        )
    if finding.kind is FindingKind.SUGGESTED and finding.signals[0].payload.get("patch"):
        return tuple(
            Place(path=path, line=1, function="", suspicion=0.5, why="somebody wrote a change there")
            for path in finding.paths
        )
    failing = [test for test in finding.subjects if "::" in test]
    return _traced(failing, failures_of(finding), tree, kit) if failing else ()


def _traced(failing: Sequence[str], failures: Mapping[str, Failure], tree: str, kit: Kit) -> tuple[Place, ...]:
    kit.progress.note("tracing which lines the failing tests run")
    passing = _neighbours(failing, kit.suite.run(tree, fresh=False).passed)
    seen = trace(kit.suite, tree, [*failing, *passing])
    covered = [Covered(traced.test, traced.test in failing, traced.lines, traced.jumps) for traced in seen]
    return localise(covered, failures, _sources(seen, failures, tree, kit), kit.is_test)


def _neighbours(failing: Sequence[str], passed: frozenset[str]) -> list[str]:
    """Passing tests to compare with: those in the same files first, then spread over the rest."""
    files = {test.partition("::")[0] for test in failing}
    near = sorted(test for test in passed if test.partition("::")[0] in files)
    far = sorted(passed.difference(near))
    room = max(_MOST_NEIGHBOURS - len(near), 0)
    stride = max(len(far) // room, 1) if room else 1
    return [*near[:_MOST_NEIGHBOURS], *far[::stride][: min(room, 30)]]


def _sources(seen: Sequence[TracedTest], failures: Mapping[str, Failure], tree: str, kit: Kit) -> dict[str, str]:
    paths = {path for traced in seen for path in traced.lines}
    paths |= {frame[0] for failure in failures.values() for frame in failure.frames}
    wanted = [entry for entry in kit.git.entries(tree) if entry.path in paths and not kit.is_test(entry.path)]
    texts = kit.git.blobs([entry.blob for entry in wanted])
    return {entry.path: text.decode(errors="replace") for entry, text in zip(wanted, texts, strict=True)}
