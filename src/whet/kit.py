"""The kit: git, suite, sandbox and other parts that engines need. The app makes it and passes it to every engine."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from whet.config import Config
from whet.domain.progress import Progress
from whet.errors import Internal
from whet.git.git import Git
from whet.guard.change.categories import pattern_of_test
from whet.sandbox.sandbox import Sandbox
from whet.target.interpreter import Interpreter
from whet.target.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from whet.forge import Forge
    from whet.forge.place import ForgePlace
    from whet.ledger.ledger import Ledger
    from whet.models.meter import Spending
    from whet.target.distributed import Crew


def _no_budgets() -> "Spending":
    raise Internal("this kit has no budgets, so nothing may be spent", "please report this")


@dataclass(frozen=True)
class Kit:
    git: Git
    policy: Config
    state: Path
    ledger: "Ledger"
    progress: Progress
    make_suite: "Callable[[], Suite]"
    """Return the suite. Making it starts the target's interpreter in the sandbox, and a rollback must not depend on that."""
    crew: "Callable[[], Crew | None]" = lambda: None
    """The workers that may help a search, where there are any."""
    spending: "Callable[[], Spending]" = _no_budgets
    """The budgets of tokens and money. An engine reserves there before it spends."""

    @cached_property
    def suite(self) -> Suite:
        return self.make_suite()

    def of_package(self, name: str) -> "Kit":
        """Return the kit for one package of the repository: with its suite, and the settings under which that runs."""
        suite = self.suite.of_package(name)
        return replace(self, policy=suite.policy, make_suite=lambda: suite)

    @property
    def sandbox(self) -> Sandbox:
        return self.suite.sandbox

    @property
    def interpreter(self) -> Interpreter:
        return self.suite.interpreter

    def place(self) -> "ForgePlace":
        """Return where the forge of this repository is. Raise ForgeRefused if that is not known, or may not be used."""
        from whet.forge.place import place_of

        return place_of(self.policy.forge, self.git.origin())

    def forge(self) -> "Forge":
        """Return the forge of this repository."""
        from whet.forge.kinds import connect

        return connect(self.place(), self.policy.forge.timeout_seconds)

    def is_test(self, path: str) -> bool:
        """True if the guard's policy counts the path as a test file."""
        return pattern_of_test(path, self.policy) is not None
