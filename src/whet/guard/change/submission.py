from collections.abc import Mapping
from dataclasses import dataclass, field

from whet.config import Config
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.risk import Risk


@dataclass(frozen=True, kw_only=True)
class GuardContext:
    """What lies around a change in its tree and decides about it.

    `paths` are those of the base; `attributes` and `ignores` the texts of `.gitattributes` and `.gitignore` by folder;
    `required` the requirements that the base states, by canonical name; `installed` the modules that the interpreter has
    without the repository; `is_whet` whether the base holds whet's own source.
    """

    paths: frozenset[str] = frozenset()
    attributes: Mapping[str, str] = field(default_factory=dict)
    ignores: Mapping[str, str] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    installed: frozenset[str] = frozenset()
    is_whet: bool = False


@dataclass(frozen=True, kw_only=True)
class Description:
    """What is said about a change to whoever approves it: the words, and the files that they name."""

    words: str
    target: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What is judged: the changes of a tree, what they claim to be, and the policy they must fit.

    `texts` are the contents before and after, by path; `trusted_new_tests` are the paths of tests that whet itself
    wrote from a recorded case; without an `account` nobody said anything about the change.
    """

    changes: tuple[Change, ...]
    category: Category
    risk: Risk
    policy: Config
    texts: Mapping[str, tuple[str, str]]
    trusted_new_tests: frozenset[str] = frozenset()
    around: GuardContext = field(default_factory=GuardContext)
    account: Description | None = None
