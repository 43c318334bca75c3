"""Localise a failure: trace the failing tests beside passing ones and rank the lines by suspicion."""

from collections.abc import Mapping, Sequence

from whet.cases.regression import failures_of
from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.regression import Regression
from whet.domain.suite import Failure
from whet.kit import Kit


def traced_places(failing: Sequence[str], failures: Mapping[str, Failure], tree: str, kit: Kit) -> tuple[Place, ...]:
    """Return the suspicious lines of `tree`, from the lines that failing and passing tests run.

    In a repository with several packages, the tests are those of the package of the first failing test.
    """
    # Imported here, because they take a while to load and most commands trace nothing.
    from whet.target.suspicion.blame import neighbours, traced_sources
    from whet.target.suspicion.localise import Covered, localise
    from whet.target.tracer import trace

    kit.progress.note("tracing which lines the failing tests run")
    suite, failing = kit.suite.divide(failing)[0]
    passing = neighbours(failing, suite.run(tree, fresh=False).passed)
    traces = trace(suite, tree, [*failing, *passing])
    covered = [Covered(traced.test, traced.test in failing, traced.lines, traced.jumps) for traced in traces]
    return localise(covered, failures, traced_sources(suite, tree, traces, failures, kit.is_test), kit.is_test)


def regression_places(finding: Finding, regression: Regression, tree: str, kit: Kit) -> tuple[Place, ...]:
    """Return the suspicious lines of a finding that has a test file of its own: those that its red tests run."""
    with_test = kit.git.with_files(tree, {regression.path: regression.text.encode()})
    return traced_places(regression.red, failures_of(finding), with_test, kit)
