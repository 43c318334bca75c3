"""Remarks of a language model about a file that it has read, and the tests that show them."""

from dataclasses import dataclass, field
from typing import ClassVar

from whet.domain.category import Category
from whet.domain.regression import Regression
from whet.domain.suite import Failure


@dataclass(frozen=True, kw_only=True)
class ReviewedDefect:
    """A defect that a model sees in a file. Nothing follows from it unless a test shows it.

    `replay` is the test file that the model wrote. Its test failed in the sandbox with `exception` and a message that
    contains `message`; both were named before it ran. `failures` are how it fails on the commit of the signal. Without a
    test, `why_not` says why there is none.
    """

    kind: ClassVar[str] = "reviewed_defect"
    path: str
    line: int
    function: str
    category: Category
    reason: str
    model: str
    replay: Regression | None = None
    exception: str = ""
    message: str = ""
    failures: dict[str, Failure] = field(default_factory=dict)
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class FileReview:
    """The record that a model has read one version of a file: `blob` is git's name of its content.

    `unusable` counts remarks that named no place of the file.
    """

    path: str
    blob: str
    model: str
    defects: tuple[ReviewedDefect, ...]
    unusable: int = 0
