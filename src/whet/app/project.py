"""An opened repository with its policy and its state: the start of every command."""

import json
import os
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from whet import plugins, state_folder
from whet.app.extra_files import read_extra_files
from whet.config import Config, PackagePolicy, load, store_url, witness_folder
from whet.domain.canonical import digest
from whet.domain.own_files import STATE_FOLDER
from whet.domain.progress import Progress, Silent
from whet.errors import EnvironmentProblem, InterpreterMissing, RepositoryNotAllowed, StateUnusable, Stopped, UsageError
from whet.files import MB, user_name
from whet.git.checkout import Checkout
from whet.git.git import ZERO, Git, open_repository
from whet.guard.answer import GuardAnswer, Refuse
from whet.guard.kill_switch import stop
from whet.guard.repository import repository
from whet.sandbox.bubblewrap import Bubblewrap
from whet.state_folder import SWITCH
from whet.target import interpreter
from whet.target.suite import Suite

if TYPE_CHECKING:
    from whet.git.ledger_ref import GitLedgerRef
    from whet.kit import Kit
    from whet.ledger.ledger import Ledger
    from whet.ledger.witness import Witness
    from whet.phases.deploy import Target
    from whet.store.address import Address
    from whet.store.store import Store
    from whet.target.distributed import Crew
    from whet.workflow.budgets import Budgets
    from whet.workflow.steps import Engines


class Project:
    """A repository, its policy and its state.

    Parts are opened on first use: reading the ledger needs no sandbox, and the first test run starts while the
    database loads.
    """

    def __init__(
        self, git: Git, policy: Config, progress: Progress | None = None, store_url: str = "", *, local: bool = False
    ) -> None:
        self.git = git
        self._local = local
        self.store_url = store_url
        self.policy = policy
        self.state = git.root / STATE_FOLDER
        self.progress = progress or Silent()

    def reloaded(self) -> "Project":
        """Return the project with whet.toml read again, on the same open store: for processes that run for long."""
        fresh = Project(self.git, load(self.git.root), self.progress, self.store_url, local=self._local)
        fresh.store = self.store
        return fresh

    @property
    def address(self) -> "Address | None":
        """The database of the record, if it is not in the state folder."""
        return self.store.address

    @cached_property
    def store(self) -> "Store":
        from whet.store.store import open_store

        return open_store(self.state, self.store_url)

    @cached_property
    def ledger(self) -> "Ledger":
        from whet.ledger.ledger import Ledger

        return Ledger(self.store, self.state, self.witness)

    @cached_property
    def witness(self) -> "Witness":
        """The witness of the ledger, outside the repository."""
        from whet.ledger.witness import Witness

        folder = self.git.root.parent / "state" / "whet" if self._local else witness_folder()
        return Witness(folder, self.git.root, self.ledger_ref)

    @property
    def ledger_ref(self) -> "GitLedgerRef":
        from whet.git.ledger_ref import GitLedgerRef

        return GitLedgerRef(self.git, self.policy.deploy.author)

    @cached_property
    def budgets(self) -> "Budgets":
        from whet.store.reservations import Reservations
        from whet.workflow.budgets import Budgets

        return Budgets(self.ledger, Reservations(self.store), self.policy.budget)

    @property
    def work(self) -> "Address":
        """The database schema of the queue between searches and workers, the same for all clones of a repository."""
        from whet.store.address import Address, parse

        return Address(parse(self.store_url), f"whet_work_{digest(self.git.first_commit())[:16]}")

    def crew(self) -> "Crew | None":
        """Return the workers that are alive now, or None. A shallow clone has none, because it does not know its first
        commit.
        """
        if not self.store_url or self.git.is_shallow():
            return None
        from whet.store.advisory_lock import worker_is_alive

        work = self.work
        if not worker_is_alive(work):
            return None
        from whet.durable.queue import Workers

        return Workers(work)

    @cached_property
    def suite(self) -> Suite:
        sandbox = Bubblewrap(stopped=self._switch_is_on)
        path = interpreter.find(self.git, self.policy.target.interpreter)
        probed = interpreter.probe(sandbox, path, self.git.root)
        extra_files = read_extra_files(self.git, self.policy.target.extra_files)
        suite = Suite(self.git, sandbox, probed, self.policy, extra_files=extra_files)
        if self.policy.project:
            from whet.target.packages.package_suite import suite_of_packages

            return suite_of_packages(suite, partial(self.interpreter_of, probed))
        return suite

    def interpreter_of(self, main: interpreter.Interpreter, package: PackagePolicy) -> interpreter.Interpreter:
        """Return the interpreter of a package: the one that it names, its `.venv`, or that of the repository."""
        configured = package.interpreter
        own = f"{package.folder}/.venv/bin/python"
        if not configured and os.access(self.git.root / own, os.F_OK):
            configured = own
        if not configured:
            return main
        try:
            path = interpreter.find(self.git, configured)
            return interpreter.probe(Bubblewrap(stopped=self._switch_is_on), path, self.git.root)
        except InterpreterMissing as problem:
            raise InterpreterMissing(
                f"the package {package.title}: {problem.message}", "set `interpreter` in its [[project]] table"
            ) from problem

    @cached_property
    def kit(self) -> "Kit":
        from whet.kit import Kit

        return Kit(
            self.git,
            self.policy,
            self.state,
            self.ledger,
            self.progress,
            self._suite_with_stored_runs,
            self.crew,
            lambda: self.budgets,
        )

    def _suite_with_stored_runs(self) -> Suite:
        """Return the suite, which from now on keeps its complete runs and the findings of linters in the store."""
        from whet.store.runs import StoredDiagnostics, StoredRuns

        self.suite.keep_runs_in(StoredRuns(self.store), StoredDiagnostics(self.store))
        return self.suite

    @cached_property
    def engines(self) -> "Engines":
        return load_engines(self.policy, self.kit)

    @cached_property
    def targets(self) -> "dict[str, Target]":
        """The targets alone. They work while whet is stopped, and without a sandbox: a rollback needs no more."""
        return load_targets(self.policy, self.kit)

    def refuse_unknown_engines(self) -> None:
        """Refuse a policy that names unknown engines, before an answer is recorded that nothing could act on."""
        policy = self.policy
        plugins.refuse_unknown("whet.sources", policy.observe.sources)
        plugins.refuse_unknown("whet.proposers", policy.propose.engines)
        plugins.refuse_unknown("whet.targets", [policy.deploy.strategy])

    @cached_property
    def ref(self) -> str:
        """The branch that whet improves."""
        if self.policy.target.branch:
            ref = f"refs/heads/{self.policy.target.branch}"
            if self.git.read_ref(ref) == ZERO:
                raise UsageError(f"target.branch names {self.policy.target.branch!r}, which does not exist")
            if real := self.git.symbolic_target(ref):
                name = real.removeprefix("refs/heads/")
                raise UsageError(
                    f"target.branch names {self.policy.target.branch!r}, which is a symbolic ref to {name!r}",
                    f"name the branch itself in whet.toml: branch = {json.dumps(name)}",
                )
            return ref
        ref_now = self.git.branch()
        if ref_now is None:
            raise EnvironmentProblem(
                "HEAD is detached, so there is no branch to improve",
                "check out a branch, or set `target.branch` in whet.toml",
            )
        return ref_now

    def refuse_conflicting_branch(self) -> None:
        """Refuse a repository with a branch called `whet`: git cannot hold `whet/<proposal>` beside it."""
        if self.git.read_ref("refs/heads/whet") != ZERO:
            raise EnvironmentProblem(
                "a branch is called 'whet', and git cannot hold whet's own branches, whet/<proposal>, beside it",
                "rename it: git branch -m whet another-name",
            )

    def uncommitted(self) -> list[str]:
        """Return tracked files with uncommitted edits, if the improved branch is the one that is checked out here."""
        if self.git.branch() != self.ref:
            return []
        return Checkout(self.git.root).dirty_paths()

    def prefetch_first_test_run(self) -> None:
        """Start the first test run of a cycle, so that the database can load meanwhile."""
        self.refuse_unless_permitted()
        if "tests" in self.policy.observe.sources and self.policy.tests.runner != "none":
            self.suite.prefetch(self.git.tree_of(self.ref))

    def refuse_unless_permitted(self) -> None:
        """Refuse if the kill switch is on, or if the policy does not list this repository."""
        answer = self._stop_answer()
        if isinstance(answer, Refuse):
            raise Stopped(answer.reason, "`whet start` switches whet on again")
        root = str(self.git.root.resolve())
        allowed = repository(root, home=root, policy=self.policy.guard)
        if isinstance(allowed, Refuse):
            raise RepositoryNotAllowed(allowed.reason, "see guard.repositories in whet.toml")

    def _stop_answer(self) -> GuardAnswer:
        """Read the kill switch. Anything at its path means stop; the reason is read only from a regular file."""
        switch = self.state / SWITCH
        try:
            switch.lstat()
        except FileNotFoundError:
            return stop(None, readable=True)
        except NotADirectoryError:
            raise StateUnusable(f"{self.state} is not a folder", "move it away: whet keeps its state there") from None
        except OSError:
            return stop(None, readable=False)
        try:
            return stop(state_folder.read(self.state, SWITCH, most_bytes=MB).decode(errors="replace"), readable=True)
        except (OSError, StateUnusable):
            return stop("", readable=True)

    def _switch_is_on(self) -> bool:
        return os.path.lexists(self.state / SWITCH)


def load_engines(policy: Config, kit: "Kit") -> "Engines":
    """Build the engines that the policy names, and all analyzers, checks, targets and learners that are installed."""
    from whet.workflow.steps import Engines

    kit.suite  # noqa: B018 - made here, once: the threads of a workflow share it
    return Engines(
        sources=plugins.load("whet.sources", policy.observe.sources, kit),
        analyzers=plugins.load("whet.analyzers", plugins.known("whet.analyzers"), kit),
        proposers=plugins.load("whet.proposers", policy.propose.engines, kit),
        checks=plugins.load("whet.checks", plugins.known("whet.checks"), kit),
        approvers=plugins.load("whet.approvers", _approvers(policy), kit),
        targets=load_targets(policy, kit),
        learners=plugins.load("whet.learners", plugins.known("whet.learners"), kit),
    )


def load_targets(policy: Config, kit: "Kit") -> "dict[str, Target]":
    """Build all targets that are installed."""
    return plugins.load("whet.targets", {*plugins.known("whet.targets"), policy.deploy.strategy}, kit)


def _approvers(policy: Config) -> tuple[str, ...]:
    """Return the approvers in the order in which they are asked; the forge only where pull requests are opened."""
    return ("policy", "person", "forge") if policy.deploy.requests else ("policy", "person")


def open_project(
    start: Path | None = None, progress: Progress | None = None, *, local: bool = False, stopping: bool = False
) -> Project:
    """Open the repository around `start`. `local` keeps the record in the state folder and its witness beside the
    repository, whatever the environment says: for sample repositories.

    `stopping` accepts a state folder that other users can reach, because whet must be stoppable in it too.
    """
    git = open_repository(start or Path.cwd())
    _refuse_foreign_state(git)
    if not stopping:
        _refuse_unsafe_state(git.root / STATE_FOLDER)
    return Project(git, load(git.root), progress, "" if local else store_url(), local=local)


def _refuse_foreign_state(git: Git) -> None:
    """Refuse a state folder that came with the repository or belongs to another user: whet trusts only its own."""
    state = git.root / STATE_FOLDER
    if not os.path.lexists(state) and not git.tracks(STATE_FOLDER):
        return
    remedy = "look at it, and move it away; whet makes a new one"
    if git.tracks(STATE_FOLDER):
        raise StateUnusable(
            f"{STATE_FOLDER} is part of the repository, and whet trusts only what it wrote here", remedy
        )
    if state.is_symlink():
        raise StateUnusable(f"{state} is a link, and whet keeps its state in the repository's own folder", remedy)
    if (owner := state.lstat().st_uid) != os.geteuid():
        raise StateUnusable(f"{state} belongs to {user_name(owner)}", "run whet as that user")


def _refuse_unsafe_state(state: Path) -> None:
    """Refuse a state folder with an entry that other users can reach, that is a link or that belongs to another user."""
    try:
        state_folder.refuse_unsafe(state)
    except OSError as problem:
        raise StateUnusable(
            f"{state} cannot be read: {problem.strerror}", "make it readable for your user"
        ) from problem
