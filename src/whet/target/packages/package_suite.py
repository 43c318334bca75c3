"""The suites of a repository with several packages: one for each, run by its own interpreter in its own folder."""

import posixpath
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from whet.config import Config, PackagePolicy
from whet.domain.diagnostic import DiagnosticReport
from whet.domain.suite import SuiteReport
from whet.target.interpreter import Interpreter
from whet.target.packages.affected import affected, needs_of, owner_of
from whet.target.result_stream import OnProgress
from whet.target.suite import NO_OVERLAY, Overlay, Part, Suite
from whet.target.suite_parts import join_parts


@dataclass
class SuiteOfPackages(Suite):
    """The suites of all packages as one. Its runs are those of the packages, one after another, put together.

    Tests outside all packages run only if they are named, by the interpreter of `[target]` at the top of the repository.
    """

    members: dict[str, Suite] = field(default_factory=dict)
    outside: Suite | None = None

    def keep_runs_in(
        self, runs: MutableMapping[str, SuiteReport], diagnostics: MutableMapping[str, DiagnosticReport]
    ) -> None:
        super().keep_runs_in(runs, diagnostics)
        for suite in self.members.values():
            suite.keep_runs_in(runs, diagnostics)

    def prefetch(self, tree: str) -> None:
        """Do nothing: which interpreter is free first says little about several suites."""

    def run(
        self,
        tree: str,
        ids: Sequence[str] = (),
        *,
        overlay: Overlay = NO_OVERLAY,
        planted: Sequence[str] = (),
        part: Part | None = None,
        fresh: bool = True,
        on_progress: OnProgress | None = None,
    ) -> SuiteReport:
        runs = self.divide(ids) if ids else [(suite, list[str]()) for suite in self.members.values()]
        reports = [
            suite.run(tree, own, overlay=overlay, planted=planted, part=part, fresh=fresh, on_progress=on_progress)
            for suite, own in runs
        ]
        report = replace(join_parts(reports, set()), seconds=sum(report.seconds for report in reports))
        if not ids and not overlay and part is None:
            self.latest = report
        return report

    def list_tests(self, tree: str) -> SuiteReport:
        return join_parts([suite.list_tests(tree) for suite in self.members.values()], set())

    def real_ids(self, tree: str, tests: Sequence[str]) -> list[str]:
        real: dict[str, str] = {}
        for suite, own in self.divide(tests):
            real.update(zip(own, suite.real_ids(tree, own), strict=True))
        return [real[test] for test in tests]

    def divide(self, tests: Sequence[str]) -> list[tuple[Suite, list[str]]]:
        divided: dict[str, list[str]] = {}
        for test in tests:
            package = owner_of(test.partition("::")[0], self.policy.project)
            divided.setdefault(package.title if package else "", []).append(test)
        return [(self.members.get(name) or self._outside(), own) for name, own in divided.items()]

    def affected(self, paths: Sequence[str], base: str) -> dict[str, str]:
        """Return why each package is affected by a change of these paths, by name. `base` is the commit before it."""
        packages = self.policy.project
        return affected(paths, packages, needs_of(packages, self.git.tree_of(base), self.git))

    def of_package(self, name: str) -> Suite:
        return self.members[name]

    def _outside(self) -> Suite:
        self.outside = self.outside or Suite(
            self.git, self.sandbox, self.interpreter, self.policy, self.extra_files, self.cache, whole=self
        )
        return self.outside


def suite_of_packages(main: Suite, find: Callable[[PackagePolicy], Interpreter]) -> SuiteOfPackages:
    """Return the suites of all packages. `main` is the suite of the whole repository, whose runs and findings are cached;
    `find` returns the interpreter of a package.
    """
    whole = SuiteOfPackages(
        main.git, main.sandbox, main.interpreter, main.policy, main.extra_files, main.cache, main.diagnostics_cache
    )
    for package in main.policy.project:
        whole.members[package.title] = Suite(
            main.git,
            main.sandbox,
            find(package),
            policy_of_package(package, main.policy),
            main.extra_files,
            main.cache,
            main.diagnostics_cache,
            shown_ids=whole.shown_ids,
            env={} if package.folder == "." else {"WHET_PACKAGE": package.folder},
            whole=whole,
            package=package.title,
            folder=package.folder,
        )
    return whole


def policy_of_package(package: PackagePolicy, policy: Config) -> Config:
    """Return the policy under which the suite of one package runs."""
    inner = [other.folder for other in policy.project if other is not package and package.holds(other.folder)]
    ignored = [f"--ignore={posixpath.relpath(folder, package.folder)}" for folder in inner]
    args = [*policy.tests.args, *package.args, "--rootdir=.", *ignored]
    tests = policy.tests.model_copy(update={"args": tuple(args), "folders": package.folders or (package.folder,)})
    return policy.model_copy(update={"tests": tests})
