import pytest

from whet.config import GuardPolicy
from whet.guard.answer import Allow, Refuse
from whet.guard.repository import repository

HOME = "/home/me/app"
ALLOWED: list[tuple[str, tuple[str, ...]]] = [
    ("/home/me/app", ()),
    ("/home/me/app/", ()),
    ("/home/me/app", ("/home/me/app",)),
    ("/home/me/app", ("/home/me/app/",)),
    ("/home/me/app", ("/home/me",)),
    ("/home/me/app", ("/srv", "//home//me")),
    ("/srv/code/deep/er", ("/srv/code",)),
]
REFUSED: list[tuple[str, tuple[str, ...]]] = [
    ("/home/me/application", ()),
    ("/home/me/app/sub", ()),
    ("/home/me", ()),
    ("/srv", ()),
    ("/home/me/application", ("/home/me/app",)),
    ("/home/me", ("/home/me/app",)),
    ("/home/ME/app", ("/home/me/app",)),
    ("/home/me/app", ("/srv",)),
    ("/home/me/app", ("",)),
    ("/home/me/app", ("/",)),
    ("/home/me/app", ("//",)),
    ("/home/me/app", (".",)),
    ("/home/me/app", ("*",)),
    ("/home/me/app", ("/*",)),
    ("/home/me/app", ("~",)),
    ("/home/me/app", ("home/me",)),
    ("/home/me/app", ("/home/me/..",)),
    ("/home/me/app", ("/home/me/.",)),
    ("/home/me/app", ("/srv/../home",)),
    ("/home/me/app", ("~/typo", "/home/me")),
    ("/home/me/app/../../you", ("/home/me",)),
    ("/home/me/./app", ("/home/me",)),
    ("home/me/app", ("/home/me",)),
    ("", ()),
    ("/", ()),
    ("/", ("/",)),
    ("/home/me/app\n", ("/home/me",)),
]


@pytest.mark.parametrize(("root", "listed"), ALLOWED)
def test_a_listed_repository_is_allowed(root: str, listed: tuple[str, ...]) -> None:
    assert isinstance(repository(root, home=HOME, policy=GuardPolicy(repositories=listed)), Allow)


@pytest.mark.parametrize(("root", "listed"), REFUSED)
def test_any_other_repository_is_refused(root: str, listed: tuple[str, ...]) -> None:
    answer = repository(root, home=HOME, policy=GuardPolicy(repositories=listed))
    assert isinstance(answer, Refuse)
    assert answer.code == "repository_not_allowed"


@pytest.mark.parametrize("home", ["", "/", "relative", "/home/me/../me/app"])
def test_a_malformed_home_allows_nothing(home: str) -> None:
    for root in ("/home/me/app", home):
        assert isinstance(repository(root, home=home, policy=GuardPolicy()), Refuse)
