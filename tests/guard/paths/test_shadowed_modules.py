from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.paths.shadowed_modules import shadowed_module

Touch = Callable[..., Change]
Submit = Callable[..., Submission]

ALLOWED = [
    ("src/app/json.py", "added"),
    ("app/types.py", "added"),
    ("app/json/__init__.py", "added"),
    ("json.py", "modified"),
    ("json.py", "deleted"),
    ("json.md", "added"),
    ("json", "added"),
    ("code/a.py", "added"),
    ("app.py", "added"),
    ("__init__.py", "added"),
    ("test/__init__.py", "added"),
    ("tests/test_json.py", "added"),
    ("tests/__init__.py", "added"),
    ("jsonx.py", "added"),
]
REFUSED = [
    ("json.py", "added"),
    ("src/json.py", "added"),
    ("json/__init__.py", "added"),
    ("src/unittest/__init__.py", "added"),
    ("pytest.py", "added"),
    ("_pytest/__init__.py", "added"),
    ("src/pluggy.py", "added"),
    ("tests/random.py", "added"),
    ("tests/unit/time/__init__.py", "added"),
    ("builtins.py", "added"),
    ("py.py", "added"),
    ("coverage/__init__.py", "added"),
]


@pytest.mark.parametrize(("path", "status"), ALLOWED)
def test_a_module_with_a_free_name_is_allowed(path: str, status: str, touch: Touch, submit: Submit) -> None:
    assert shadowed_module(touch(path, status), submit()) == Allow()


@pytest.mark.parametrize(("path", "status"), REFUSED)
def test_a_module_that_hides_a_library_is_refused(path: str, status: str, touch: Touch, submit: Submit) -> None:
    answer = shadowed_module(touch(path, status), submit())
    assert isinstance(answer, Refuse)
    assert answer.code == "shadows_module"


def test_a_new_file_may_not_hide_a_module_of_the_base(touch: Touch, submit: Submit) -> None:
    context = GuardContext(paths=frozenset({"app/price.py", "shop/__init__.py"}))
    for path in ("app/price/__init__.py", "app/price.cpython-311-x86_64-linux-gnu.so", "shop.py"):
        change = touch(path, status="added")
        assert isinstance(shadowed_module(change, submit(change, context=context)), Refuse), path
    moved, gone = touch("app/price/__init__.py", status="added"), touch("app/price.py", status="deleted")
    assert shadowed_module(moved, submit(moved, gone, context=context)) == Allow()


INSTALLED = GuardContext(paths=frozenset({"own/part.py", "app.py"}), installed=frozenset({"deepsame", "own", "tests"}))


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("deepsame.py", False),
        ("DeepSame.py", False),
        ("src/deepsame/__init__.py", False),
        ("tests/deepsame.py", False),
        ("app/deepsame.py", True),
        ("deepsame2.py", True),
        ("own/__init__.py", True),
        ("tests/__init__.py", True),
    ],
)
def test_a_new_file_may_not_hide_an_installed_module_unless_the_base_does(
    path: str, may: bool, touch: Touch, submit: Submit
) -> None:
    change = touch(path, "added")
    assert isinstance(shadowed_module(change, submit(change, context=INSTALLED)), Allow if may else Refuse)
