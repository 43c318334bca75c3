"""The category must be allowed, and must fit what is really touched."""

from whet.config import TEST_PATHS, Config
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, Answer, Refuse
from whet.guard.patterns import Patterns, patterns
from whet.guard.submission import Submission
from whet.guard.suffixes import suffix_of

DOCUMENTS = frozenset({".md", ".rst", ".txt"})
NOT_DOCUMENTS = ("*requirements*.txt", "**/requirements/**", "constraints*.txt", "CMakeLists.txt")
# pytest runs these before any test: whoever adds one decides what the tests say.
TEST_HOOKS = ("conftest.py",)


def allowed(submission: Submission) -> Answer:
    if submission.category in submission.policy.guard.categories:
        return Allow()
    return Refuse(f"the policy does not allow the category {str(submission.category)!r}", "category_not_allowed")


def fits(change: Change, submission: Submission) -> Answer:
    """Documentation touches documents, test coverage touches tests; the others may touch any type of file."""
    path = change.path
    if submission.category == Category.DOCUMENTATION and not _document(path):
        return Refuse(f"{path} is not a document, and the category is documentation", "category_does_not_fit")
    if submission.category == Category.TEST_COVERAGE and _test_paths(submission.policy).names(path) is None:
        return Refuse(f"{path} is not a test, and the category is test_coverage", "category_does_not_fit")
    return Allow()


def tests(change: Change, submission: Submission) -> Answer:
    """A change may not grade itself: tests are only added, by test_coverage or by whet from a record."""
    path, code = change.path, "tests_touched"
    if pattern_of_test(path, submission.policy) is None:
        return Allow()
    if change.status != ChangeStatus.ADDED:
        return Refuse(f"{path} is a test that exists already; a change may not alter what judges it", code)
    if patterns(TEST_HOOKS).catches(path) is not None:
        return Refuse(f"{path} would run before every test; a change may not add it", code)
    if submission.category == Category.TEST_COVERAGE or path in submission.trusted_new_tests:
        return Allow()
    return Refuse(f"{path} is a test, and only test_coverage may add one", code)


def pattern_of_test(path: str, policy: Config) -> str | None:
    """The pattern that makes `path` a test, in any spelling. The policy adds to what is a test by its name."""
    return _test_paths(policy).catches(path)


def _test_paths(policy: Config) -> Patterns:
    return patterns(
        (*policy.tests.paths, *(path for path in TEST_PATHS if path not in policy.tests.paths), *TEST_HOOKS)
    )


def _document(path: str) -> bool:
    return suffix_of(path) in DOCUMENTS and patterns(NOT_DOCUMENTS).catches(path) is None
