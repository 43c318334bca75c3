"""A change as it is submitted to the guard, with everything that the rules need to know about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from whet.config import Config
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.proposal import ProposalKind
from whet.domain.risk import Risk
from whet.guard.declared.reference import Declared

MODEL_TEST = "test_by_model"
"""The code of the note about a test that a model wrote. A gate asks a person about a patch that has it."""


@dataclass(frozen=True, kw_only=True)
class GuardContext:
    """The facts about the tree around a change that rules need.

    `paths` are the files of the base. `attributes` and `ignores` are the texts of `.gitattributes` and `.gitignore`, by
    folder. `required` are the requirements of the base, by canonical name. `installed` are the modules that the
    interpreter has without the repository. `is_whet` is true if the base contains whet's own source. `declared` are the
    roles that manifests of the base give to files, by folded path.
    """

    paths: frozenset[str] = frozenset()
    attributes: Mapping[str, str] = field(default_factory=dict)
    ignores: Mapping[str, str] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    installed: frozenset[str] = frozenset()
    is_whet: bool = False
    declared: Mapping[str, tuple[Declared, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Description:
    """The description of a change that the approver reads: its words, and the files that it names."""

    words: str
    target: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Submission:
    """A change to be judged: the changed files, the declared category and risk, and the policy.

    `texts` are the contents before and after, by path. `trusted_new_tests` are the paths of tests that whet itself
    wrote from a captured call. `model_tests` are those whose text a language model wrote. `description` and `kind` are None for a change that comes without a proposal.
    """

    changes: tuple[Change, ...]
    category: Category
    risk: Risk
    policy: Config
    texts: Mapping[str, tuple[str, str]]
    trusted_new_tests: frozenset[str] = frozenset()
    model_tests: frozenset[str] = frozenset()
    context: GuardContext = field(default_factory=GuardContext)
    description: Description | None = None
    kind: ProposalKind | None = None
