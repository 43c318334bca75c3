"""Localise a failure: trace the failing tests beside passing ones and rank the lines by suspicion."""

from collections.abc import Mapping, Sequence

from whet.domain.place import Place
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.phases.diagnose.localise import Covered, localise
from whet.target.tracer import TracedTest, trace

_MOST_NEIGHBOURS = 150


def traced_places(failing: Sequence[str], failures: Mapping[str, Failure], tree: str, kit: Kit) -> tuple[Place, ...]:
    """Return the suspicious lines of `tree`, from the lines that failing and passing tests run."""
    kit.progress.note("tracing which lines the failing tests run")
    passing = _neighbours(failing, kit.suite.run(tree, fresh=False).passed)
    traces = trace(kit.suite, tree, [*failing, *passing])
    covered = [Covered(traced.test, traced.test in failing, traced.lines, traced.jumps) for traced in traces]
    return localise(covered, failures, _sources(traces, failures, tree, kit), kit.is_test)


def _neighbours(failing: Sequence[str], passed: frozenset[str]) -> list[str]:
    """Return passing tests to compare with: those in the same files first, then a sample of the others."""
    files = {test.partition("::")[0] for test in failing}
    near = sorted(test for test in passed if test.partition("::")[0] in files)
    far = sorted(passed.difference(near))
    room = max(_MOST_NEIGHBOURS - len(near), 0)
    stride = max(len(far) // room, 1) if room else 1
    return [*near[:_MOST_NEIGHBOURS], *far[::stride][: min(room, 30)]]


def _sources(traces: Sequence[TracedTest], failures: Mapping[str, Failure], tree: str, kit: Kit) -> dict[str, str]:
    paths = {path for traced in traces for path in traced.lines}
    paths |= {frame[0] for failure in failures.values() for frame in failure.frames}
    entries = [entry for entry in kit.git.entries(tree) if entry.path in paths and not kit.is_test(entry.path)]
    texts = kit.git.blobs([entry.blob for entry in entries])
    return {entry.path: text.decode(errors="replace") for entry, text in zip(entries, texts, strict=True)}
