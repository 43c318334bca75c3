from collections.abc import Mapping
from dataclasses import dataclass

from whet.config import Config
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.risk import Risk


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What is judged: the changes of a tree, what they claim to be, and the policy they must fit.

    `texts` are the contents before and after, by path; `trusted_new_tests` are the paths of tests that whet itself
    wrote from a recorded case; `required` are the requirements that the base states, by canonical name.
    """

    changes: tuple[Change, ...]
    category: Category
    risk: Risk
    policy: Config
    texts: Mapping[str, tuple[str, str]]
    trusted_new_tests: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
