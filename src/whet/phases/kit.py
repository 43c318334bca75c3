"""What engines are built from. The app makes one; an engine takes from it what it needs and keeps that."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from whet.config import Config
from whet.domain.progress import Progress
from whet.ledger.ledger import Ledger
from whet.sandbox.git import Git
from whet.sandbox.interpreter import Interpreter
from whet.sandbox.sandbox import Sandbox
from whet.sandbox.suite import Suite


@dataclass(frozen=True)
class Kit:
    git: Git
    policy: Config
    state: Path
    ledger: Ledger
    sandbox: Sandbox
    interpreter: Interpreter
    suite: Suite
    progress: Progress
    is_test: Callable[[str], bool] = field(init=False)

    def __post_init__(self) -> None:
        tests = GitIgnoreSpec.from_lines(self.policy.tests.paths)
        object.__setattr__(self, "is_test", tests.match_file)
