"""The places that the token may go to: a repository's settings cannot choose a server by themselves."""

import pytest

from whet.config import ForgePolicy
from whet.errors import ForgeRefused
from whet.forge.place import place_of

ALLOWED = [
    (ForgePolicy(), "https://github.com/acme/shop.git", "https://github.com/acme/shop.git"),
    (ForgePolicy(), "git@github.com:acme/shop.git", "https://github.com/acme/shop.git"),
    (ForgePolicy(), "ssh://git@codeberg.org/acme/shop", "https://codeberg.org/acme/shop.git"),
    (ForgePolicy(kind="gitlab", repository="a/b/c"), "https://gitlab.com/a/b/c", "https://gitlab.com/a/b/c.git"),
    (
        ForgePolicy(push_url="ssh://git@github.com/acme/shop.git"),
        "https://github.com/acme/shop",
        "ssh://git@github.com/acme/shop.git",
    ),
]
REFUSED = [
    ForgePolicy(kind="github", repository="a/b", address="https://evil.example"),
    ForgePolicy(kind="github", repository="a/b", address="http://127.0.0.1:8080"),
    ForgePolicy(kind="github", repository="a/b", address="https://github.com.evil.example"),
    ForgePolicy(kind="github", repository="a/b", address="https://github.com:8443"),
    ForgePolicy(kind="github", repository="a/b", push_url="https://evil.example/a/b.git"),
    ForgePolicy(kind="github", repository="a/b", push_url="https://github.com@evil.example/a/b.git"),
    ForgePolicy(kind="github", repository="a/b", push_url="ssh://git@evil.example/a/b.git"),
    ForgePolicy(kind="github", repository="a/b", push_url="ssh://git@github.com:2222/a/b.git"),
    ForgePolicy(kind="github", repository="a/b", push_url="file:///srv/git/b.git"),
    ForgePolicy(kind="github", repository="a/b", push_url="https://user:word@github.com/a/b.git"),
]


@pytest.mark.parametrize(("policy", "origin", "push_url"), ALLOWED)
def test_public_forges_need_no_entry(policy: ForgePolicy, origin: str, push_url: str) -> None:
    assert place_of(policy, origin).push_url == push_url


@pytest.mark.parametrize("policy", REFUSED, ids=lambda policy: policy.push_url or policy.address)
def test_other_hosts_are_refused_until_the_environment_lists_them(policy: ForgePolicy) -> None:
    with pytest.raises(ForgeRefused):
        place_of(policy, "")


@pytest.mark.parametrize(
    "policy",
    [
        ForgePolicy(repository="acme/fork"),
        ForgePolicy(push_url="ssh://git@github.com/acme/fork.git"),
        ForgePolicy(push_url="https://github.com/acme/fork.git"),
    ],
)
def test_another_repository_than_that_of_origin_is_refused_until_the_environment_lists_it(
    policy: ForgePolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ForgeRefused, match="acme/fork"):
        place_of(policy, "https://github.com/acme/shop")
    monkeypatch.setenv("WHET_FORGE_REPOSITORIES", "acme/fork")
    assert "acme/fork" in place_of(policy, "https://github.com/acme/shop").push_url


def test_a_listed_host_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_FORGE_HOSTS", "git.example.com, file")
    policy = ForgePolicy(kind="gitea", repository="a/b", address="https://git.example.com/code/")
    assert place_of(policy, "").api == "https://git.example.com/code/api/v1"
    monkeypatch.setenv("WHET_FORGE_REPOSITORIES", "a/b,srv/b")
    assert place_of(ForgePolicy(kind="gitea", repository="a/b", push_url="file:///srv/b.git"), "").push_header == ""


def test_a_listed_host_does_not_get_the_token_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_FORGE_HOSTS", "git.example.com")
    with pytest.raises(ForgeRefused, match="without encryption"):
        place_of(ForgePolicy(kind="gitea", repository="a/b", address="http://git.example.com"), "")


def test_a_repository_without_a_forge_says_what_to_set() -> None:
    with pytest.raises(ForgeRefused, match="on which forge") as refused:
        place_of(ForgePolicy(), "/srv/git/shop.git")
    assert "git remote add origin" in refused.value.remedy


def test_a_bad_address_is_refused_like_every_other_error_of_the_forge() -> None:
    with pytest.raises(ForgeRefused, match="is not an address"):
        place_of(ForgePolicy(kind="github", repository="a/b", address="https://github.com:port"), "")


def test_a_missing_token_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    place = place_of(ForgePolicy(), "https://github.com/a/b")
    assert place.api == "https://api.github.com"
    with pytest.raises(ForgeRefused, match="GITHUB_TOKEN"):
        _ = place.token


def test_a_token_with_a_line_break_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "abc\nX-Other: yes")
    with pytest.raises(ForgeRefused):
        _ = place_of(ForgePolicy(), "https://github.com/a/b").push_header
