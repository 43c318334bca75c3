"""Keys that any program of this user can sign with are found: in ssh-agents, and in files without a passphrase."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.approve.people import Person, touching
from tests.signing.openssh import make_key
from whet.phases.approve.exposure import exposed_keys
from whet.signing.keys import PublicKey


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home" / ".ssh"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder.parent))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return folder


@pytest.fixture
def ssh_agent(home: Path) -> Iterator[dict[str, str]]:
    """The environment of a running ssh-agent."""
    started = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    socket, pid = (row.split("=", 1)[1].split(";")[0] for row in started.splitlines()[:2])
    yield {**os.environ, "SSH_AUTH_SOCK": socket, "HOME": str(home.parent)}
    os.kill(int(pid), 15)


def public(key: Path) -> PublicKey:
    return PublicKey.from_text(key.with_name(f"{key.name}.pub").read_text())


def test_a_key_in_an_ssh_agent_is_found_even_if_the_environment_hides_the_agent(
    tmp_path: Path, ssh_agent: dict[str, str]
) -> None:
    loaded, other = make_key(tmp_path, "ed25519"), make_key(tmp_path, "ed25519")
    assert exposed_keys([public(loaded), public(other)]) == ()
    subprocess.run(["ssh-add", "-q", str(loaded)], env=ssh_agent, check=True)
    assert exposed_keys([public(loaded), public(other)]) == (public(loaded).fingerprint,)
    subprocess.run(["ssh-add", "-q", "-D"], env=ssh_agent, check=True)
    assert exposed_keys([public(loaded)]) == ()


def test_a_key_file_without_a_passphrase_is_found(home: Path) -> None:
    open_key, closed_key = make_key(home, "ed25519"), make_key(home, "ed25519", passphrase="secret")
    assert exposed_keys([public(open_key), public(closed_key)]) == (public(open_key).fingerprint,)


def test_a_security_key_is_never_exposed_because_it_asks_for_a_touch(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    person, device = Person("a@example.com"), touching("b@example.com")
    monkeypatch.setattr("whet.phases.approve.exposure._in_agents", lambda: iter([person.key, device.key]))
    assert exposed_keys([person.key, device.key]) == (person.key.fingerprint,)
    assert home.exists()


def test_odd_sockets_and_files_are_passed_over(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config").write_text("Host *\n")
    (home / "id_broken").write_bytes(b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
    (home / "folder").mkdir()
    for value in ("", "/nonexistent", str(home), str(home / "config")):
        monkeypatch.setenv("SSH_AUTH_SOCK", value)
        assert exposed_keys([Person("a@example.com").key]) == ()
