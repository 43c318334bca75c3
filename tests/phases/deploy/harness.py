"""A real repository and ledger, with the deploy phase driven as the workflow drives it, without a sandbox."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.support import Repo
from whet.config import Config
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Intent, Rollback, Snapshot
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.patch import Patch
from whet.domain.progress import Silent
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.ledger.ledger import Ledger
from whet.phases.deploy import Target
from whet.phases.deploy.branch import Branch, branch_of
from whet.phases.deploy.merge import Merge
from whet.phases.deploy.rollback import roll_back
from whet.phases.deploy.step import commit_of, deploy, intend, rehearse, snapshot
from whet.sandbox.sandbox import Finished, Job, Session
from whet.store.store import Store, open_store
from whet.target.interpreter import Interpreter
from whet.target.suite import Suite

MAIN = "refs/heads/main"
PROPOSAL = "p-11111111"
Edit = Callable[[Path], None]


class NoSandbox:
    """Fails the test if deploying runs anything of the target."""

    def start(self, job: Job) -> Session:
        raise AssertionError(f"deploy ran {job.argv}")

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        raise AssertionError(f"deploy ran {job.argv}")


@dataclass(frozen=True)
class Prepared:
    """A proven change, ready to deploy, with the records made before anything moves."""

    patch: Patch
    snapshot: Snapshot
    intent: Intent


class Harness:
    def __init__(self, repo: Repo, state: Path) -> None:
        self.repo, self.git = repo, repo.git
        self.store: Store = open_store(state)
        self.ledger = Ledger(self.store, state)
        sandbox, interpreter, policy = NoSandbox(), Interpreter("python", "3", (), has_pytest=False), Config()
        suite = Suite(self.git, sandbox, interpreter, policy)
        self.kit = Kit(self.git, policy, state, self.ledger, Silent(), lambda: suite)
        self.targets: dict[str, Target] = {"merge": Merge(self.kit), "branch": Branch(self.kit)}

    def tree_with(self, edit: Edit) -> str:
        """Return the tree that an edit of the base gives, made in a separate worktree."""
        folder = self.repo.root.parent / "elsewhere"
        self.repo.sh("git", "worktree", "add", "--quiet", "--detach", str(folder), MAIN)
        try:
            edit(folder)
            elsewhere = Repo(folder)
            elsewhere.sh("git", "add", "--all", "--force")
            return elsewhere.sh("git", "write-tree")
        finally:
            self.repo.sh("git", "worktree", "remove", "--force", str(folder))

    def prepare(self, change: Edit | str, strategy: str = "merge") -> Prepared:
        tree = change if isinstance(change, str) else self.tree_with(change)
        patch = self.git.patch(self.git.read_ref(MAIN), tree, "a change")
        found = snapshot(PROPOSAL, patch, self.git)
        rehearse(PROPOSAL, patch, found, self.git)
        ref = MAIN if strategy == "merge" else branch_of(PROPOSAL)
        author = self.kit.policy.deploy.author
        intent = intend(PROPOSAL, strategy, ref, patch, "e" * 64, str(self.ledger.head()), author)
        return Prepared(patch, found, intent)

    def deploy(self, prepared: Prepared, target: Target | None = None) -> Deployment:
        intent = prepared.intent
        commit = commit_of(intent, proposal(intent.before), prepared.patch, self.git)
        target = target or self.targets[intent.strategy]
        return deploy(intent, commit, prepared.snapshot, target, "tester", self.git)

    def roll_back(
        self, deployment: Deployment, reason: str = "it hurts", targets: dict[str, Target] | None = None
    ) -> Rollback:
        return roll_back("Mend it", deployment, reason, "tester", self.kit, targets or self.targets)

    def land(self, change: Edit | str) -> Deployment:
        return self.deploy(self.prepare(change))


def proposal(base: str) -> Proposal:
    signal = Signal(source="tests", subject="tests/test_a.py::test_a", kind="failing_test", at=now())
    finding = Finding(
        id="f-1", kind=FindingKind.FAILING_TEST, minimum_signals=1, signature="s-1", title="a test fails", category=Category.BUG_FIX,
        subjects=(signal.subject,), paths=("a.py",), signals=(signal,), score=1.0, reasons=(),
    )  # fmt: skip
    diagnosis = Diagnosis(finding=finding, layer=Layer.BEHAVIOR, places=(), evidence=(), confidence=1.0)
    return Proposal(
        id=PROPOSAL, engine="repair", kind=ProposalKind.BEHAVIOR_FIX, category=Category.BUG_FIX, target=("a.py",),
        title="Mend it", rationale="It was broken.", risk=Risk.LOW, expected_gain=0.5,
        plan=ValidationPlan(targets={"tests": (signal.subject,)}), diagnosis=diagnosis, base=base,
        created_at=now(),
    )  # fmt: skip


@dataclass(frozen=True)
class PathState:
    """A path on disk: its type, whether it is executable, and its content."""

    kind: str
    executable: bool
    content: bytes


def on_disk(root: Path) -> dict[str, PathState]:
    """Return every file and link below a folder, except git's own and empty folders."""
    return {name: seen for name, seen in _walk(root, "") if name != ".git"}


def _walk(folder: Path, above: str) -> Iterator[tuple[str, PathState]]:
    for path in folder.iterdir():
        name = above + path.name
        if path.is_symlink():
            yield name, PathState("link", executable=False, content=os.fsencode(path.readlink()))
        elif path.is_file():
            yield name, PathState("file", bool(path.stat().st_mode & stat.S_IXUSR), path.read_bytes())
        elif name != ".git":
            yield from _walk(path, f"{name}/")


def listed(repo: Repo, revision: str) -> str:
    return repo.sh("git", "ls-tree", "-r", "-z", "--full-tree", revision)


def index(repo: Repo) -> str:
    return repo.sh("git", "ls-files", "--stage", "-z")


def status(repo: Repo) -> str:
    """Return the output of `git status` after refreshing the index."""
    return repo.sh("git", "-c", "core.trustctime=false", "status", "--porcelain", "--ignored", "-z")


@dataclass(frozen=True)
class Untouched:
    """The files, index, branch and refs that must be the same afterwards."""

    files: dict[str, PathState]
    index: str
    head: str
    refs: str

    @classmethod
    def of(cls, repo: Repo) -> "Untouched":
        refs = repo.sh("git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
        return cls(on_disk(repo.root), index(repo), repo.sh("git", "symbolic-ref", "HEAD"), refs)

    def but_for_refs(self) -> "Untouched":
        return replace(self, refs="")
