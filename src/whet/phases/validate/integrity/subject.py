"""The patch that the safeguards examine, with its trees, its reports and the questions that they all ask of it."""

import ast
import contextlib
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from whet.domain.patch import Patch
from whet.domain.suite import SuiteReport
from whet.kit import Kit
from whet.phases.validate.integrity.planted_file import PlantedFile
from whet.phases.validate.integrity.test_ids import names_by_file
from whet.phases.validate.trees import Trees
from whet.target.suite import Overlay
from whet.target.tracer import TracedTest

_random = random.SystemRandom()
_T = TypeVar("_T")


@dataclass(frozen=True)
class Reports:
    """The three runs of the suite. `planted` is the file that was added to the last two; None if none could be added."""

    base: SuiteReport
    patched: SuiteReport
    reverted: SuiteReport
    planted: PlantedFile | None


@dataclass(frozen=True)
class Subject:
    """A patch under examination. `targets` are the tests that it turned green; empty if the comparison failed.

    `held` is false if a test got worse with the patch or a target is not green. `traces` are those of the targets and of
    the tests near the patch; only late safeguards have them. `kept` holds what safeguards share.
    """

    kit: Kit
    patch: Patch
    trees: Trees
    reports: Reports
    targets: tuple[str, ...]
    held: bool = True
    traces: tuple[TracedTest, ...] = ()
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, name: str, work: Callable[[], _T]) -> _T:
        """Return what `work` returns; a later call with the same name gets the same result without the work."""
        if name not in self.kept:
            self.kept[name] = work()
        result: _T = self.kept[name]
        return result

    def run_tests(
        self,
        name: str,
        tree: str,
        tests: Sequence[str],
        over: Overlay = MappingProxyType({}),
        planted: Sequence[str] = (),
    ) -> SuiteReport:
        """Run these tests on a tree in which the files of `over` replace its own; `name` is shown as progress."""
        progress = self.kit.progress
        return self.kit.suite.run(
            tree,
            tuple(tests),
            overlay=over,
            planted=planted,
            on_progress=lambda done, total: progress.advance(f"proof, {name}", done, total),
        )

    def changed_code(self) -> dict[str, tuple[str, str]]:
        """Return the old and new text of each changed Python file that is not a test and was not deleted."""
        return {
            path: (old, new)
            for path, (old, new) in self.kit.git.texts(self.patch.changes).items()
            if path.endswith(".py") and not self.kit.is_test(path) and new
        }

    def sources(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the text of these Python files in the patched tree."""
        return self.kit.git.read_all(self.trees.patched, [path for path in paths if path.endswith(".py")])

    def test_modules(self, tests: Sequence[str]) -> dict[str, ast.Module]:
        """Return the parsed files of these tests; files that do not parse are left out."""
        modules: dict[str, ast.Module] = {}
        for path, source in self.sources(names_by_file(tests)).items():
            with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                modules[path] = ast.parse(source)
        return modules


def sample(items: Sequence[_T], most: int) -> list[_T]:
    """Return at most `most` of the items, chosen at random, in their original order."""
    if len(items) <= most:
        return list(items)
    chosen = set(_random.sample(range(len(items)), most))
    return [item for index, item in enumerate(items) if index in chosen]
