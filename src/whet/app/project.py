"""A repository with its policy and its state, opened: what every command starts from."""

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from whet import plugins
from whet.config import STATE_FOLDER, Config, load, store_url
from whet.domain.canonical import digest
from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.progress import Progress, Silent
from whet.errors import EnvironmentProblem, Refused, RepositoryNotAllowed, StateUnusable, Stopped, UsageError
from whet.files import MB, read_file
from whet.git.git import ZERO, Git, open_repository
from whet.guard.answer import Answer, Refuse
from whet.guard.kill_switch import stop
from whet.guard.repository import repository
from whet.sandbox.bubblewrap import Bubblewrap
from whet.target import interpreter
from whet.target.suite import Suite

if TYPE_CHECKING:
    from whet.kit import Kit
    from whet.ledger.ledger import Ledger
    from whet.store.address import Address
    from whet.store.store import Store
    from whet.target.distributed import Crew
    from whet.workflow.budgets import Budgets
    from whet.workflow.steps import Engines

SWITCH = "STOP"


class Project:
    """Parts are opened when they are first needed: looking at the ledger needs no sandbox, and the first test run is
    under way while the database is still loading."""

    def __init__(self, git: Git, policy: Config, progress: Progress | None = None, store_url: str = "") -> None:
        self.git = git
        self.store_url = store_url
        self.policy = policy
        self.state = git.root / STATE_FOLDER
        self.progress = progress or Silent()

    @property
    def address(self) -> "Address | None":
        """Where the record is when it is not in the state folder."""
        return self.store.address

    @cached_property
    def store(self) -> "Store":
        from whet.store.store import open_store

        return open_store(self.state, self.store_url)

    @cached_property
    def ledger(self) -> "Ledger":
        from whet.ledger.ledger import Ledger

        return Ledger(self.store, self.state)

    @cached_property
    def spending(self) -> "Budgets":
        from whet.store.reservations import Reservations
        from whet.workflow.budgets import Budgets

        return Budgets(self.ledger, Reservations(self.store), self.policy.budget)

    @property
    def work(self) -> "Address":
        """Where searches and workers of this repository meet: one place for all of its clones."""
        from whet.store.address import Address, parse

        return Address(parse(self.store_url), f"whet_work_{digest(self.git.first_commit())[:16]}")

    def crew(self) -> "Crew | None":
        """The workers that are alive now; where there are none, no queue is even loaded. A clone that cannot tell what it
        is a clone of has none."""
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
        found = interpreter.probe(path, self.git.root)
        return Suite(self.git, sandbox, found, self.policy, carried=self._carried())

    @cached_property
    def kit(self) -> "Kit":
        from whet.kit import Kit
        from whet.store.runs import RecordedRuns

        suite = self.suite
        suite.cache = RecordedRuns(self.store)
        return Kit(
            self.git,
            self.policy,
            self.state,
            self.ledger,
            suite.sandbox,
            suite.interpreter,
            suite,
            self.progress,
            self.crew,
        )

    @cached_property
    def engines(self) -> "Engines":
        from whet.workflow.steps import Engines

        policy = self.policy
        return Engines(
            sources=plugins.load("whet.sources", policy.observe.sources, self.kit),
            proposers=plugins.load("whet.proposers", policy.propose.engines, self.kit),
            checks=plugins.load("whet.checks", plugins.known("whet.checks"), self.kit),
            approvers=plugins.load("whet.approvers", ("policy", "person"), self.kit),
            targets=plugins.load("whet.targets", {*plugins.known("whet.targets"), policy.deploy.strategy}, self.kit),
            localise=self._localise,
        )

    def refuse_unknown_engines(self) -> None:
        """Before a person's answer is recorded that nothing could act on."""
        policy = self.policy
        plugins.refuse_unknown("whet.sources", policy.observe.sources)
        plugins.refuse_unknown("whet.proposers", policy.propose.engines)
        plugins.refuse_unknown("whet.targets", [policy.deploy.strategy])

    @cached_property
    def ref(self) -> str:
        """The branch that is improved."""
        if self.policy.target.branch:
            ref = f"refs/heads/{self.policy.target.branch}"
            if self.git.read_ref(ref) == ZERO:
                raise UsageError(f"target.branch names {self.policy.target.branch!r}, which does not exist")
            if real := self.git.stands_for(ref):
                name = real.removeprefix("refs/heads/")
                raise UsageError(
                    f"target.branch names {self.policy.target.branch!r}, which only stands for {name!r}",
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

    def refuse_without_room(self) -> None:
        """Before anything is begun that ends on a branch of its own: git cannot hold whet/<proposal> beside whet."""
        if self.git.read_ref("refs/heads/whet") != ZERO:
            raise EnvironmentProblem(
                "a branch is called 'whet', and git cannot hold whet's own branches, whet/<proposal>, beside it",
                "rename it: git branch -m whet another-name",
            )

    def look_ahead(self) -> None:
        """Begin the test run that a new cycle begins with; what it needs besides can load meanwhile."""
        self.permitted()
        if "tests" in self.policy.observe.sources and self.policy.tests.runner != "none":
            self.suite.look_ahead(self.git.tree_of(self.ref))

    def permitted(self) -> None:
        """Before every effect: the kill switch, and whether this repository may be worked on."""
        answer = self._stop_answer()
        if isinstance(answer, Refuse):
            raise Stopped(answer.reason, "`whet start` switches whet on again")
        root = str(self.git.root.resolve())
        allowed = repository(root, home=root, policy=self.policy.guard)
        if isinstance(allowed, Refuse):
            raise RepositoryNotAllowed(allowed.reason, "see guard.repositories in whet.toml")

    def _stop_answer(self) -> Answer:
        """Whatever lies in the switch's place is a stop; its words are read only where it is a plain file."""
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
            return stop(read_file(switch, MB).decode(errors="replace"), readable=True)
        except OSError:
            return stop("", readable=True)

    def _switch_is_on(self) -> bool:
        return os.path.lexists(self.state / SWITCH)

    def _carried(self) -> dict[str, bytes]:
        """Files that git ignores and the tests need all the same, as the policy names them."""
        paths = [path for pattern in self.policy.target.carry for path in sorted(self.git.root.glob(pattern))]
        named = {path.relative_to(self.git.root).as_posix(): path for path in paths if path.is_file()}
        found = {name: self._inside(name, path) for name, path in named.items()}
        private = {STATE_FOLDER, ".git"}
        try:
            return {
                name: real.read_bytes()
                for name, real in found.items()
                if not private & {*name.split("/"), *real.relative_to(self.git.root.resolve()).parts}
            }
        except OSError as problem:
            raise EnvironmentProblem(
                f"target.carry: {problem.filename} cannot be read: {problem.strerror}", "make it readable for you"
            ) from problem

    def _inside(self, name: str, path: Path) -> Path:
        """Where a path really lies; one that a link leads out of the repository is not read."""
        real = path.resolve()
        if not real.is_relative_to(self.git.root.resolve()):
            raise Refused(
                f"target.carry: {name} leads out of the repository, to {real}",
                "copy it into the repository, or narrow target.carry in whet.toml",
            )
        return real

    def _localise(self, finding: Finding, base: str) -> tuple[Place, ...]:
        from whet.phases.diagnose.places import places  # the tracer is needed here alone

        return places(finding, base, self.kit)


def open_project(start: Path | None = None, progress: Progress | None = None, *, local: bool = False) -> Project:
    """`local` keeps the record in the state folder whatever the environment says."""
    git = open_repository(start or Path.cwd())
    _refuse_foreign_state(git)
    return Project(git, load(git.root), progress, "" if local else store_url())


def _refuse_foreign_state(git: Git) -> None:
    """The state folder is trusted, so it must be this machine's own: a repository may not bring one along."""
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
    if state.lstat().st_uid != os.geteuid():
        raise StateUnusable(f"{state} belongs to somebody else", "run whet as the user who owns it")
