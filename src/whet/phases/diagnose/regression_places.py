"""The suspicious lines of a finding that has a test file of its own."""

from whet.cases.regression import failures_of
from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.regression import Regression
from whet.kit import Kit


def regression_places(finding: Finding, regression: Regression, tree: str, kit: Kit) -> tuple[Place, ...]:
    """Add the test file to the tree, trace its red tests, and return the lines that they run, most suspicious first."""
    from whet.phases.diagnose.places import traced_places  # the tracer takes a while to load

    with_test = kit.git.with_files(tree, {regression.path: regression.text.encode()})
    return traced_places(regression.red, failures_of(finding), with_test, kit)
