from collections.abc import Callable

import pytest

from whet import config
from whet.config import Config, GuardPolicy, parse
from whet.domain.category import Category
from whet.domain.change import Change
from whet.errors import BadConfig
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change import categories
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.declared.reference import Declared, Role

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
SELF = Config(guard=GuardPolicy(categories=tuple(Category)))
SPEC_FOLDER = Config(tests=config.TestsPolicy(paths=("spec/**",)))


@pytest.mark.parametrize("category", [category for category in Category if category is not Category.SELF])
def test_a_listed_category_is_allowed(category: Category, submit: Submit) -> None:
    assert categories.category_allowed(submit(category=category)) == Allow()
    only = Config(guard=GuardPolicy(categories=(category,)))
    for other in Category:
        assert isinstance(categories.category_allowed(submit(category=other, policy=only)), Allow) is (
            other is category
        )


@pytest.mark.parametrize("category", ["bugfix", "BUG_FIX", "", "feature", None])
def test_an_unknown_category_is_refused(category: object, submit: Submit) -> None:
    answer = categories.category_allowed(submit(category=category))
    assert isinstance(answer, Refuse)
    assert answer.code == "category_not_allowed"


def test_an_empty_list_allows_no_category(submit: Submit) -> None:
    assert isinstance(categories.category_allowed(submit(policy=Config(guard=GuardPolicy(categories=())))), Refuse)


@pytest.mark.parametrize("text", ['["bugfix"]', '["BUG_FIX"]', '"bug_fix"', '["*"]'])
def test_a_misspelt_category_is_a_config_error(text: str) -> None:
    with pytest.raises(BadConfig):
        parse(f"[guard]\ncategories = {text}\n".encode())


FITS = [
    ("documentation", "README.md"),
    ("documentation", "docs/a.rst"),
    ("documentation", "src/notes.txt"),
    ("test_coverage", "tests/test_a.py"),
    ("test_coverage", "tests/data/a.json"),
    ("test_coverage", "src/app/test_a.py"),
    ("test_coverage", "src/app/a_test.py"),
    ("bug_fix", "src/app.py"),
    ("bug_fix", "README.md"),
    ("refactoring", "src/app.json"),
    ("performance", "src/app.py"),
    ("code_quality", "src/app.py"),
]
DOES_NOT_FIT = [
    ("documentation", "src/app.py"),
    ("documentation", "docs/conf.py"),
    ("documentation", "docs/a.json"),
    ("documentation", "a.md.py"),
    ("documentation", "a.MD"),
    ("documentation", "md"),
    ("documentation", "requirements.txt"),
    ("documentation", "Dev-Requirements.txt"),
    ("documentation", "requirements/base.txt"),
    ("documentation", "constraints.txt"),
    ("documentation", "CMakeLists.txt"),
    ("test_coverage", "src/app.py"),
    ("test_coverage", "README.md"),
    ("test_coverage", "Tests/test.json"),
    ("test_coverage", "src/testing.py"),
    ("test_coverage", "src/tests.py"),
]


@pytest.mark.parametrize(("category", "path"), FITS)
def test_a_file_of_the_category_is_allowed(category: str, path: str, touch: Touch, submit: Submit) -> None:
    assert categories.mismatch(touch(path, "added"), submit(category=Category(category))) == Allow()


@pytest.mark.parametrize(("category", "path"), DOES_NOT_FIT)
def test_a_file_outside_of_the_category_is_refused(category: str, path: str, touch: Touch, submit: Submit) -> None:
    answer = categories.mismatch(touch(path, "added"), submit(category=Category(category)))
    assert isinstance(answer, Refuse)
    assert answer.code == "category_does_not_fit"


TIDY = [
    ("refactoring", "src/auth.py", "x = 1\n", "x = 1  # one\n", Allow),
    ("refactoring", "src/app.py", "x = 1\n", "x = 2\n", Allow),
    ("bug_fix", "src/auth.py", "x = 1\n", "x = 2\n", Allow),
    ("bug_fix", "src/app.py", "", "def login(): pass\n", Allow),
    ("code_quality", "src/app.py", "", "def author(): pass\n", Allow),
    ("code_quality", "src/app.py", "def login(): pass\n", "def login(): pass\ndef f(): pass\n", Allow),
    ("performance", "src/app.py", "", "def log_in_file(): pass\n", Allow),
    ("refactoring", "src/auth.py", "x = 1\n", "x = 2\n", Refuse),
    ("code_quality", "src/security/a.py", "x = 1\n", "x = 2\n", Refuse),
    ("performance", "src/Auth/a.py", "x = 1\n", "def f(:\n", Refuse),
    ("refactoring", "src/auth/a.json", "{}", "{}", Refuse),
    ("refactoring", "src/app.py", "", "def login(): pass\n", Raise),
    ("code_quality", "src/app.py", "", "class A:\n    def checkPassword(self): pass\n", Raise),
    ("performance", "src/app.py", "", "async def has_permission(): pass\n", Raise),
    ("refactoring", "src/app.py", "", "class Auth:\n    def f(self): pass\n", Raise),
    ("refactoring", "src/app.py", "def login(u):\n    check(u)\n    go(u)\n", "def login(u):\n    go(u)\n", Raise),
    ("refactoring", "src/app.py", "def login(u): pass\n", "", Raise),
    ("refactoring", "src/app.py", "def login(u): pass\n", "# moved\ndef login(u): pass\n", Allow),
]


@pytest.mark.parametrize(("category", "path", "old", "new", "kind"), TIDY)
def test_tidying_may_not_change_access_control(
    category: str, path: str, old: str, new: str, kind: type, touch: Touch, submit: Submit
) -> None:
    submission = submit(category=Category(category), texts={path: (old, new)})
    assert isinstance(categories.mismatch(touch(path), submission), kind)


MAIN, HELPER = "def main():\n    run()\n", "def run():\n    return 1\n"


@pytest.mark.parametrize(
    ("category", "old", "new", "kind"),
    [
        ("refactoring", MAIN + HELPER, MAIN.replace("run()", "run(1)") + HELPER, Refuse),
        ("performance", MAIN + HELPER, MAIN.replace("run()", "pass") + HELPER, Refuse),
        ("code_quality", MAIN + HELPER, HELPER, Refuse),
        ("refactoring", MAIN + HELPER, MAIN + HELPER.replace("1", "2"), Allow),
        ("refactoring", MAIN + HELPER, "# a comment\n" + MAIN + HELPER, Allow),
        ("bug_fix", MAIN + HELPER, MAIN.replace("run()", "run(1)") + HELPER, Allow),
    ],
)
def test_tidying_may_not_change_the_function_of_an_entry_point(
    category: str, old: str, new: str, kind: type, touch: Touch, submit: Submit
) -> None:
    declared = {"src/app.py": (Declared(Role.ENTRY_POINT, "pyproject.toml", "main"),)}
    facts = {"category": Category(category), "context": GuardContext(declared=declared)}
    submission = submit(texts={"src/app.py": (old, new)}, **facts)
    assert isinstance(categories.mismatch(touch("src/app.py"), submission), kind)


def test_tidying_may_not_touch_an_unread_sensitive_file(touch: Touch, submit: Submit) -> None:
    assert isinstance(categories.mismatch(touch("src/auth.py"), submit(category=Category.REFACTORING)), Refuse)
    assert categories.mismatch(touch(), submit(category=Category.REFACTORING)) == Allow()


MAY_TOUCH = [
    ("bug_fix", "src/app.py", "modified"),
    ("bug_fix", "src/app.py", "deleted"),
    ("bug_fix", "src/testing.py", "modified"),
    ("bug_fix", "src/latest.py", "modified"),
    ("bug_fix", "tests/test_recorded.py", "added"),
    ("documentation", "README.md", "modified"),
    ("test_coverage", "tests/test_a.py", "added"),
    ("test_coverage", "src/app/test_a.py", "added"),
]
MAY_NOT_TOUCH = [
    ("bug_fix", "tests/test_a.py", "added"),
    ("bug_fix", "tests/test_a.py", "modified"),
    ("bug_fix", "tests/test_a.py", "deleted"),
    ("bug_fix", "tests/test_recorded.py", "modified"),
    ("bug_fix", "tests/test_recorded.py", "deleted"),
    ("bug_fix", "tests/test_recorded.py", "type_changed"),
    ("bug_fix", "tests/Test_recorded.py", "added"),
    ("bug_fix", "tests/data/a.json", "modified"),
    ("bug_fix", "Tests/test_a.py", "modified"),
    ("bug_fix", "TESTS/a.py", "modified"),
    ("bug_fix", "src/app/TEST_a.py", "added"),
    ("bug_fix", "src/app/a_test.py", "modified"),
    ("bug_fix", "conftest.py", "added"),
    ("bug_fix", "src/conftest.py", "modified"),
    ("bug_fix", "src/Conftest.py", "added"),
    ("refactoring", "tests/helpers.py", "modified"),
    ("documentation", "tests/README.md", "modified"),
    ("performance", "test/a.py", "added"),
    ("test_coverage", "tests/test_a.py", "modified"),
    ("test_coverage", "tests/test_a.py", "deleted"),
    ("test_coverage", "tests/test_a.py", "type_changed"),
    ("test_coverage", "tests/conftest.py", "added"),
    ("test_coverage", "conftest.py", "modified"),
    ("test_coverage", "tests/CONFTEST.py", "added"),
]


@pytest.mark.parametrize(("category", "path", "status"), MAY_TOUCH)
def test_tests_may_be_added(category: str, path: str, status: str, touch: Touch, submit: Submit) -> None:
    trusted = frozenset({"tests/test_recorded.py"})
    submission = submit(category=Category(category), trusted_new_tests=trusted)
    assert categories.touched_test(touch(path, status), submission) == Allow()


@pytest.mark.parametrize(("category", "path", "status"), MAY_NOT_TOUCH)
def test_existing_tests_may_not_be_touched(category: str, path: str, status: str, touch: Touch, submit: Submit) -> None:
    trusted = frozenset({"tests/test_recorded.py", "conftest.py"})
    answer = categories.touched_test(
        touch(path, status), submit(category=Category(category), trusted_new_tests=trusted)
    )
    assert isinstance(answer, Refuse)
    assert answer.code == "tests_touched"


@pytest.mark.parametrize("path", ["spec/a.py", "Spec/a.py", "conftest.py", "src/conftest.py"])
def test_hooks_are_tests_wherever_the_policy_puts_tests(path: str, touch: Touch, submit: Submit) -> None:
    assert isinstance(categories.touched_test(touch(path), submit(policy=SPEC_FOLDER)), Refuse)


@pytest.mark.parametrize(
    "paths", [(), ("",), ("!tests/**",), ("tests\\**",), ("./tests/**",), ("TESTS/**",), ("tests",)]
)
def test_a_misspelt_test_path_in_the_policy_frees_no_test(paths: tuple[str, ...], touch: Touch, submit: Submit) -> None:
    policy = Config(tests=config.TestsPolicy(paths=paths))
    assert isinstance(categories.touched_test(touch("tests/test_a.py"), submit(policy=policy)), Refuse)


HOOKS = {
    "conftest": ("conftest.py", "modified", "import pytest\n"),
    "conftest below": ("tests/unit/conftest.py", "added", ""),
    "conftest gone": ("tests/conftest.py", "deleted", ""),
    "a hook": ("tests/plugin.py", "added", "def pytest_runtest_makereport(item, call): ...\n"),
    "a hook of a class": ("tests/plugin.py", "modified", "class P:\n    def pytest_runtest_call(self, item): ...\n"),
    "a hook by assignment": ("tests/test_a.py", "added", "pytest_runtest_call = run\n"),
    "plug-ins named": ("tests/test_a.py", "added", "pytest_plugins: list[str] = ['x']\n"),
    "no Python": ("tests/test_a.py", "added", "def\n"),
}
NO_HOOKS = {
    "a test": ("tests/test_a.py", "added", "import pytest\npytestmark = pytest.mark.x\ndef test_a(): ...\n"),
    "a hook in a text": (
        "tests/test_a.py",
        "added",
        "def test_a(pytester):\n    pytester.make('def pytest_x(): ...')\n",
    ),
    "data": ("tests/a.json", "modified", "{"),
    "code": ("src/plugin.py", "added", "def pytest_runtest_call(item): ...\n"),
    "vouched for": ("tests/recorded/conftest.py", "added", ""),
}


@pytest.mark.parametrize(("path", "status", "text"), HOOKS.values(), ids=HOOKS.keys())
def test_a_file_that_can_change_other_tests_raises_the_tier(
    path: str, status: str, text: str, touch: Touch, submit: Submit
) -> None:
    for texts in (("", text), (text, "")):
        answer = categories.runner_hook(touch(path, status), submit(texts={path: texts}))
        assert isinstance(answer, Raise)
        assert answer.code == categories.HOOKS_TOUCHED


@pytest.mark.parametrize(("path", "status", "text"), NO_HOOKS.values(), ids=NO_HOOKS.keys())
def test_an_ordinary_test_file_does_not_raise_the_tier(
    path: str, status: str, text: str, touch: Touch, submit: Submit
) -> None:
    trusted = frozenset({"tests/recorded/conftest.py"})
    assert (
        categories.runner_hook(touch(path, status), submit(texts={path: ("", text)}, trusted_new_tests=trusted))
        == Allow()
    )


def test_the_category_self_is_allowed_in_a_repository_with_whet_only(submit: Submit) -> None:
    assert isinstance(categories.category_allowed(submit(category=Category.SELF, policy=SELF)), Refuse)
    assert (
        categories.category_allowed(submit(category=Category.SELF, policy=SELF, context=GuardContext(is_whet=True)))
        == Allow()
    )
    assert isinstance(
        categories.category_allowed(submit(category=Category.SELF, context=GuardContext(is_whet=True))), Refuse
    )
