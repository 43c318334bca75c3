"""The category of a change: it must be allowed, and it must fit the files that are touched."""

import ast
import re

from whet.config import Config
from whet.domain.call_policy import TEST_PATHS
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.same_ast import same_program
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON
from whet.guard.declared.reference import Role
from whet.guard.denied.units import unit_changes
from whet.guard.paths.patterns import Patterns, fold, patterns
from whet.guard.paths.protected import guarding
from whet.guard.paths.suffixes import suffix_of
from whet.pyast.bindings import targets
from whet.pyast.functions import Function

DOCUMENTS = frozenset({".md", ".rst", ".txt"})
NOT_DOCUMENTS = ("*requirements*.txt", "**/requirements/**", "constraints*.txt", "CMakeLists.txt")
TIDYING = frozenset({Category.REFACTORING, Category.CODE_QUALITY, Category.PERFORMANCE})
_ACCESS_WORDS = frozenset({
    "auth", "authenticate", "authenticated", "authorize", "authorise", "authorized", "login", "logout", "password",
    "passwd", "permission", "permissions", "credential", "credentials", "csrf", "jwt", "oauth", "acl", "decrypt", "encrypt",
})  # fmt: skip
# pytest runs these before any test, so they can decide the result of every test.
TEST_HOOKS = ("conftest.py",)
HOOKS_TOUCHED = "test_hooks"


def category_allowed(submission: Submission) -> GuardAnswer:
    if submission.category == Category.SELF and not submission.context.is_whet:
        return Refuse("the category is 'self', and the repository does not contain whet", "category_does_not_fit")
    if submission.category in submission.policy.guard.categories:
        return Allow()
    return Refuse(f"the policy does not allow the category {str(submission.category)!r}", "category_not_allowed")


def mismatch(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a file that does not belong to the category.

    Documentation may touch documents only, test coverage tests only, and tidying neither access control nor the function
    of an entry point.
    """
    path, category = change.path, submission.category
    if category == Category.DOCUMENTATION and not is_document(path):
        return _unfit(f"{path} is not a document, and the category is documentation")
    if category == Category.TEST_COVERAGE and _test_paths(submission.policy).names(path) is None:
        return _unfit(f"{path} is not a test, and the category is test_coverage")
    if category in TIDYING and not _runs_the_same(change, submission):
        sensitive = guarding().catches(path) or patterns(submission.policy.guard.sensitive).catches(path)
        if sensitive is not None:
            return _unfit(f"{path} is sensitive ({sensitive!r}) and changes what runs, and the category is {category}")
        changed = _changed_functions(change, submission)
        entries = _entry_functions(path, submission)
        for function in changed:
            if entries & {function, function.partition(".")[0]}:
                return _unfit(f"{path} changes what the entry point {function} runs, and the category is {category}")
        for function in filter(_controls_access, changed):
            return Raise(f"{path} changes {function}, and the category is {category}", "category_doubtful")
    return Allow()


def _runs_the_same(change: Change, submission: Submission) -> bool:
    texts = submission.texts.get(change.path)
    return texts is not None and change.path.endswith(PYTHON) and same_program(*texts)


def _changed_functions(change: Change, submission: Submission) -> list[str]:
    """Return the dotted names of the functions that a change adds to, takes from or removes; empty if it is not Python."""
    old, new = submission.texts.get(change.path, ("", ""))
    changes = unit_changes(old, new) if change.path.endswith(PYTHON) else None
    units = changes.changed if changes is not None else ()
    scopes = ((*unit.scopes, unit.statement) for unit in units)
    names = (".".join(scope.name for scope in chain if isinstance(scope, Function | ast.ClassDef)) for chain in scopes)
    return list(dict.fromkeys(filter(None, names)))


def _controls_access(name: str) -> bool:
    words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower())
    return bool(_ACCESS_WORDS & set(words))


def _entry_functions(path: str, submission: Submission) -> set[str]:
    """Return the functions of a file that manifests name as entry points."""
    declared = submission.context.declared.get(fold(path), ())
    return {role.attribute for role in declared if role.role == Role.ENTRY_POINT and role.attribute}


def _unfit(reason: str) -> Refuse:
    return Refuse(reason, "category_does_not_fit")


def touched_test(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse changes to tests: a change may not alter what judges it.

    Tests may be added by the category test_coverage, and by whet itself from a captured call.
    """
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


def runner_hook(change: Change, submission: Submission) -> GuardAnswer:
    """Raise the tier for test files that can decide the result of other tests: conftest.py and pytest plug-ins."""
    path = change.path
    if pattern_of_test(path, submission.policy) is None or path in submission.trusted_new_tests:
        return Allow()
    texts = submission.texts.get(path, ()) if path.endswith(PYTHON) else ()
    if patterns(TEST_HOOKS).catches(path) is not None or any(map(_is_plugin, texts)):
        return Raise(f"{path} can change the result of every test beside and below it", HOOKS_TOUCHED)
    return Allow()


def _is_plugin(text: str) -> bool:
    """True if a text defines `pytest_...` functions or variables, at its top or in a class; or cannot be parsed."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return True
    names: list[str] = []
    for statement in body:
        for node in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if isinstance(node, Function):
                names.append(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                inside = (inner for target in targets(node) for inner in ast.walk(target))
                names += [inner.id for inner in inside if isinstance(inner, ast.Name)]
    return any(name.startswith("pytest_") for name in names)


def pattern_of_test(path: str, policy: Config) -> str | None:
    """Return the pattern that makes `path` a test, in any spelling: one of the policy or of the defaults."""
    return _test_paths(policy).catches(path)


def _test_paths(policy: Config) -> Patterns:
    defaults = [path for path in TEST_PATHS if path not in policy.tests.paths]
    return patterns((*policy.tests.paths, *defaults, *TEST_HOOKS))


def is_document(path: str) -> bool:
    return suffix_of(path) in DOCUMENTS and patterns(NOT_DOCUMENTS).catches(path) is None
