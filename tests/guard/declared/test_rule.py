import pytest

from whet.config import Config, GuardPolicy
from whet.domain.approval import Tier
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change.categories import HOOKS_TOUCHED
from whet.guard.change.submission import GuardContext
from whet.guard.declared.reference import Declared, Role
from whet.guard.declared.rule import declared_path

OPENED = Config(guard=GuardPolicy(open=("src/app.py",)))
RAISED = [role for role in Role if role != Role.BUILD_HOOK]


def context(*roles: Role) -> GuardContext:
    return GuardContext(declared={"src/app.py": tuple(Declared(role, "pyproject.toml") for role in roles)})


def test_a_build_hook_is_refused_unless_the_policy_opens_it() -> None:
    answer = declared_path("src/app.py", Config(), context(Role.BUILD_HOOK))
    assert isinstance(answer, Refuse)
    assert answer.code == "path_protected"
    assert "pyproject.toml declares it" in answer.reason
    assert isinstance(declared_path("src/app.py", OPENED, context(Role.BUILD_HOOK)), Allow)


@pytest.mark.parametrize("role", RAISED)
def test_every_other_role_raises_the_tier(role: Role) -> None:
    answer = declared_path("src/app.py", Config(), context(role))
    assert isinstance(answer, Raise)
    assert answer.tier is Tier.APPROVE
    assert answer.code == (HOOKS_TOUCHED if role == Role.TEST_PLUGIN else role)


@pytest.mark.parametrize("role", RAISED)
def test_no_policy_opens_a_plugin_of_the_test_runner(role: Role) -> None:
    answer = declared_path("src/app.py", OPENED, context(role))
    assert isinstance(answer, Raise if role == Role.TEST_PLUGIN else Allow)


def test_the_gravest_role_decides() -> None:
    assert isinstance(declared_path("src/app.py", Config(), context(Role.BUILD_HOOK, Role.ENTRY_POINT)), Refuse)
    plugin = declared_path("src/app.py", OPENED, context(Role.BUILD_HOOK, Role.TEST_PLUGIN))
    assert isinstance(plugin, Raise)


@pytest.mark.parametrize("path", ["src/app.py", "SRC/App.py", "src/\u0430pp.py"])
def test_a_role_holds_in_every_spelling(path: str) -> None:
    assert isinstance(declared_path(path, Config(), context(Role.ENTRY_POINT)), Raise)


def test_a_file_without_a_role_is_allowed() -> None:
    assert declared_path("src/other.py", Config(), context(Role.BUILD_HOOK)) == Allow()
