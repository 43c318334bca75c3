"""Run the versions of the patched tree that safeguards need: in one sandbox if the suite is short, else side by side."""

import random
from collections.abc import Mapping

from whet.domain.suite import SuiteReport
from whet.phases.validate.integrity.subject import Subject
from whet.target.runs.together import VersionRun, run_together

# Starting pytest takes a quarter of a second. For longer suites it matters more that versions run at the same time.
_SHORT_SECONDS = 3.0
_random = random.SystemRandom()


def groups_of_versions(subject: Subject, versions: Mapping[int, VersionRun]) -> list[dict[int, VersionRun]]:
    """Divide the versions into those that share a sandbox.

    The order is random: a patch can notice that others ran before it in the sandbox, but not which ones.
    """
    suite, base = subject.kit.suite, subject.reports.base
    items = list(versions.items())
    if suite.policy.tests.runner != "pytest" or base.seconds > _SHORT_SECONDS or len(items) < 2:
        return [{number: version} for number, version in items]
    _random.shuffle(items)
    return [dict(items)]


def run_versions(subject: Subject, versions: Mapping[int, VersionRun]) -> dict[int, SuiteReport]:
    """Return the report of each version. A version that did not end in order in a shared sandbox runs again alone."""
    suite, tree, progress = subject.kit.suite, subject.trees.patched, subject.kit.progress
    progress.advance("changed tests and functions", 0, len(versions))
    together = run_together(suite, tree, list(versions.values())) if len(versions) > 1 else [None]
    return {
        number: report or suite.run(tree, version.tests, overlay=version.overlay, planted=version.planted)
        for (number, version), report in zip(versions.items(), together, strict=True)
    }
