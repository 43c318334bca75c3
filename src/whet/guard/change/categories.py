"""The category must be allowed, and must fit what is really touched."""

import ast
import re

from whet.config import GUARDING, TEST_PATHS, Config
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.same_ast import same_program
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON, Passage
from whet.guard.paths.patterns import Patterns, patterns
from whet.guard.paths.suffixes import suffix_of
from whet.pyast.functions import functions

DOCUMENTS = frozenset({".md", ".rst", ".txt"})
NOT_DOCUMENTS = ("*requirements*.txt", "**/requirements/**", "constraints*.txt", "CMakeLists.txt")
TIDYING = frozenset({Category.REFACTORING, Category.CODE_QUALITY, Category.PERFORMANCE})
_ACCESS = frozenset({
    "auth", "authenticate", "authenticated", "authorize", "authorise", "authorized", "login", "logout", "password",
    "passwd", "permission", "permissions", "credential", "credentials", "csrf", "jwt", "oauth", "acl", "decrypt", "encrypt",
})  # fmt: skip
# pytest runs these before any test: whoever adds one decides what the tests say.
TEST_HOOKS = ("conftest.py",)
HOOKS_TOUCHED = "test_hooks"


def allowed(submission: Submission) -> GuardAnswer:
    if submission.category == Category.SELF and not submission.around.is_whet:
        return Refuse("the category is 'self', and whet's own source is not here", "category_does_not_fit")
    if submission.category in submission.policy.guard.categories:
        return Allow()
    return Refuse(f"the policy does not allow the category {str(submission.category)!r}", "category_not_allowed")


def fits(change: Change, submission: Submission) -> GuardAnswer:
    """Documentation touches documents, test coverage touches tests, and what guards access is not merely tidied up."""
    path, category = change.path, submission.category
    if category == Category.DOCUMENTATION and not _document(path):
        return _unfit(f"{path} is not a document, and the category is documentation")
    if category == Category.TEST_COVERAGE and _test_paths(submission.policy).names(path) is None:
        return _unfit(f"{path} is not a test, and the category is test_coverage")
    if category in TIDYING and not _same(change, submission):
        sensitive = patterns(GUARDING).catches(path) or patterns(submission.policy.guard.sensitive).catches(path)
        if sensitive is not None:
            return _unfit(f"{path} is sensitive ({sensitive!r}) and changes what runs, and the category is {category}")
        if guarding := _guarding(change, submission):
            return Raise(f"{path} changes {guarding}, and the category is {category}", "category_doubtful")
    return Allow()


def _same(change: Change, submission: Submission) -> bool:
    texts = submission.texts.get(change.path)
    return texts is not None and change.path.endswith(PYTHON) and same_program(*texts)


def _guarding(change: Change, submission: Submission) -> str:
    """A changed function that by its name decides who may do what; empty where there is none."""
    texts = submission.texts.get(change.path)
    passage = Passage(change.path, *texts) if texts else None
    for name, place in functions(passage.tree).items() if passage else ():
        if passage and passage.touches(place) and _ACCESS & set(re.findall("[a-z]+", _apart(name))):
            return name
    return ""


def _apart(name: str) -> str:
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _unfit(reason: str) -> Refuse:
    return Refuse(reason, "category_does_not_fit")


def tests(change: Change, submission: Submission) -> GuardAnswer:
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


def hooks(change: Change, submission: Submission) -> GuardAnswer:
    """Among test files, those that decide about the tests of others: a reader is wanted, whatever they say."""
    path = change.path
    if pattern_of_test(path, submission.policy) is None or path in submission.trusted_new_tests:
        return Allow()
    texts = submission.texts.get(path, ()) if path.endswith(PYTHON) else ()
    if patterns(TEST_HOOKS).catches(path) is not None or any(map(_plugs_in, texts)):
        return Raise(f"{path} has a say in every test beside and below it", HOOKS_TOUCHED)
    return Allow()


def _plugs_in(text: str) -> bool:
    """It is written as a plug-in: its functions, or names that it sets, are those that pytest calls or reads."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return True
    inner = [one for node in body for one in (node.body if isinstance(node, ast.ClassDef) else [node])]
    named = [one.name for one in inner if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    named += [name.id for one in inner if isinstance(one, ast.Assign | ast.AnnAssign) for name in _names_set(one)]
    return any(name.startswith("pytest_") for name in named)


def _names_set(node: ast.Assign | ast.AnnAssign) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def pattern_of_test(path: str, policy: Config) -> str | None:
    """The pattern that makes `path` a test, in any spelling. The policy adds to what is a test by its name."""
    return _test_paths(policy).catches(path)


def _test_paths(policy: Config) -> Patterns:
    return patterns(
        (*policy.tests.paths, *(path for path in TEST_PATHS if path not in policy.tests.paths), *TEST_HOOKS)
    )


def _document(path: str) -> bool:
    return suffix_of(path) in DOCUMENTS and patterns(NOT_DOCUMENTS).catches(path) is None
