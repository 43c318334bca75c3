"""Signatures are asked for on a terminal, through ssh-keygen and past a running ssh-agent."""

import base64
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.signing import openssh
from tests.signing.envelope import string
from tests.signing.fido import Authenticator
from tests.signing.messages import MESSAGE
from tests.signing.terminal import on_terminal, without_terminal
from whet.errors import EnvironmentProblem, Refused, UsageError
from whet.sandbox import process
from whet.signing import key_file, keygen, sshsig
from whet.signing.keys import PublicKey

PASSPHRASE = "correct horse"
PROMPT = "Enter passphrase"

SIGN = """
import sys
from pathlib import Path
from whet.errors import WhetError
from whet.signing import keygen
try:
    print(keygen.sign(Path(sys.argv[2]).read_bytes(), Path(sys.argv[1])), end="")
except WhetError as problem:
    print(f"{problem.code}: {problem.message}; {problem.remedy}")
"""
CREATE = """
import sys
from pathlib import Path
from whet.errors import WhetError
from whet.signing import keygen
try:
    print(keygen.create(Path(sys.argv[1]), "alice's approvals").text)
except WhetError as problem:
    print(f"{problem.code}: {problem.message}; {problem.remedy}")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keygen")


@pytest.fixture(scope="module")
def key(folder: Path) -> Path:
    return openssh.make_key(folder, "ed25519", passphrase=PASSPHRASE)


@pytest.fixture(scope="module")
def message(folder: Path) -> Path:
    path = folder / "message"
    path.write_bytes(MESSAGE)
    return path


@pytest.fixture(scope="module")
def agent(folder: Path, key: Path) -> Iterator[str]:
    """The socket of a real ssh-agent that holds the key, decrypted."""
    socket = folder / "agent"
    child = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()  # printed when the socket is ready
    (folder / "askpass").write_text(f"#!/bin/sh\necho '{PASSPHRASE}'\n")
    (folder / "askpass").chmod(0o700)
    asking = {"SSH_ASKPASS": str(folder / "askpass"), "SSH_ASKPASS_REQUIRE": "force", "SSH_AUTH_SOCK": str(socket)}
    subprocess.run(["ssh-add", "-q", str(key)], env={**os.environ, **asking}, check=True, stderr=subprocess.DEVNULL)
    yield str(socket)
    child.terminate()
    child.wait()
    child.stdout.close()


def public(key: Path) -> PublicKey:
    return PublicKey.from_text(Path(f"{key}.pub").read_text())


def test_the_person_at_the_terminal_signs_with_the_passphrase(key: Path, message: Path) -> None:
    done = on_terminal(SIGN, str(key), str(message), answers=[(PROMPT, PASSPHRASE)])
    assert sshsig.verify(done.out, MESSAGE, namespace=sshsig.APPROVAL_NAMESPACE).key == public(key)
    assert PASSPHRASE not in done.screen


def test_an_ssh_keygen_of_a_virtual_environment_on_the_path_is_not_run(
    key: Path, message: Path, tmp_path: Path
) -> None:
    """An unpacked archive may bring an environment; a program in it would read the passphrase."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "bin" / "ssh-keygen").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    (tmp_path / "bin" / "ssh-keygen").chmod(0o755)
    path = f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"
    done = on_terminal(SIGN, str(key), str(message), answers=[(PROMPT, PASSPHRASE)], env={"PATH": path})
    assert not (tmp_path / "ran").exists()
    assert sshsig.verify(done.out, MESSAGE, namespace=sshsig.APPROVAL_NAMESPACE).key == public(key)


def test_the_public_file_names_the_key_too(key: Path, message: Path) -> None:
    done = on_terminal(SIGN, f"{key}.pub", str(message), answers=[(PROMPT, PASSPHRASE)])
    assert sshsig.verify(done.out, MESSAGE, namespace=sshsig.APPROVAL_NAMESPACE).key == public(key)


def test_a_wrong_passphrase_signs_nothing(key: Path, message: Path) -> None:
    done = on_terminal(SIGN, str(key), str(message), answers=[(PROMPT, "wrong")])
    assert done.out.startswith("refused: ssh-keygen did not sign")
    assert "incorrect passphrase" in done.screen


def test_a_loaded_agent_signs_for_any_program_of_the_user(key: Path, agent: str) -> None:
    """The reason why the agent is kept out: ssh-keygen itself needs nothing but the public key."""
    environment = {**openssh.ENVIRONMENT, "SSH_AUTH_SOCK": agent}
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-n", "x", "-f", f"{key}.pub"], input=MESSAGE, capture_output=True,
        env=environment, start_new_session=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0


def test_without_a_terminal_nothing_is_signed_even_with_a_loaded_agent(key: Path, message: Path, agent: str) -> None:
    for name in (str(key), f"{key}.pub"):
        done = without_terminal(SIGN, name, str(message), env={"SSH_AUTH_SOCK": agent})
        assert done.out.startswith("environment: ssh-keygen has to ask a person, and this process has no terminal")


def test_on_a_terminal_the_person_is_asked_even_with_a_loaded_agent(key: Path, message: Path, agent: str) -> None:
    done = on_terminal(SIGN, str(key), str(message), answers=[(PROMPT, "wrong")], env={"SSH_AUTH_SOCK": agent})
    assert done.out.startswith("refused: ssh-keygen did not sign")


def test_no_program_answers_for_the_person(key: Path, message: Path, folder: Path, agent: str) -> None:
    for require in ("force", "prefer", ""):
        env = {"SSH_ASKPASS": str(folder / "askpass"), "SSH_ASKPASS_REQUIRE": require, "DISPLAY": ":0"}
        done = on_terminal(SIGN, str(key), str(message), answers=[(PROMPT, "wrong")], env=env)
        assert done.out.startswith("refused:"), require
        assert without_terminal(SIGN, str(key), str(message), env=env).out.startswith("environment:"), require


def test_a_key_without_a_passphrase_is_refused(key_files: dict[str, Path]) -> None:
    for key in key_files.values():
        with pytest.raises(Refused, match="has no passphrase"):
            keygen.sign(MESSAGE, key)


@pytest.mark.parametrize(
    "content", [None, "", "rubbish", "ssh-ed25519 AAAA", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"]
)
def test_a_file_that_is_no_key_is_refused(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "key").write_text(content)
    with pytest.raises(UsageError, match="private key"):
        keygen.sign(MESSAGE, tmp_path / "key")


def test_a_missing_ssh_keygen_is_named(key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentProblem, match="ssh-keygen is not installed") as raised:
        keygen.sign(MESSAGE, key)
    assert raised.value.remedy == "apt-get install openssh-client"


def test_a_new_key_has_a_passphrase(tmp_path: Path) -> None:
    path = tmp_path / "approvals"
    answers = [("passphrase", PASSPHRASE), ("again", PASSPHRASE)]
    done = on_terminal(CREATE, str(path), answers=answers)
    assert PublicKey.from_text(done.out) == public(path)
    assert keygen.has_passphrase(path) is True
    assert path.stat().st_mode & 0o777 == 0o600
    assert "alice's approvals" in Path(f"{path}.pub").read_text()


def test_a_new_key_without_a_passphrase_is_deleted_again(tmp_path: Path) -> None:
    done = on_terminal(CREATE, str(tmp_path / "approvals"), answers=[("passphrase", ""), ("again", "")])
    assert done.out.startswith("refused: a key without a passphrase proves nothing")
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_made_only_on_a_terminal(tmp_path: Path) -> None:
    assert without_terminal(CREATE, str(tmp_path / "approvals")).out.startswith("environment:")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_key_is_not_overwritten(key: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exists already"):
        keygen.create(key, "")
    (tmp_path / "a.pub").write_text("")
    with pytest.raises(UsageError, match="exists already"):
        keygen.create(tmp_path / "a", "")


@pytest.mark.parametrize(
    ("type_", "format_"), [("ecdsa", "RFC4716"), ("ecdsa", "PEM"), ("ecdsa", "PKCS8"), ("rsa", "PEM")]
)
def test_a_passphrase_is_recognised_in_every_format(type_: str, format_: str, tmp_path: Path) -> None:
    for passphrase in ("", PASSPHRASE):
        path = tmp_path / f"key{len(passphrase)}"
        bits = {"ecdsa": "256", "rsa": "2048"}[type_]
        done = openssh.run("-q", "-t", type_, "-b", bits, "-m", format_, "-N", passphrase, "-f", str(path))
        assert done.returncode == 0, done.stderr
        assert keygen.has_passphrase(path) is bool(passphrase)


def test_the_public_half_stands_in_the_private_file(key: Path, key_files: dict[str, Path]) -> None:
    for path in (key, *key_files.values()):
        file = key_file.read_key_file(path)
        assert file is not None
        assert file.public == public(path)
        assert file.asks_a_person is (path == key)


def test_a_hardware_key_asks_for_a_touch_and_needs_no_passphrase(tmp_path: Path) -> None:
    blob = Authenticator.make("sk-ssh-ed25519@openssh.com").blob
    data = (
        b"openssh-key-v1\0" + b"".join(map(string, (b"none", b"none", b""))) + b"\0\0\0\1" + string(blob) + string(b"")
    )
    for content, asks in ((data, True), (data.replace(b"\0\0\0\1", b"\0\0\0\2", 1), None), (data[1:], None)):
        encoded = base64.b64encode(content).decode()
        (tmp_path / "key").write_text(
            f"-----BEGIN OPENSSH PRIVATE KEY-----\n{encoded}\n-----END OPENSSH PRIVATE KEY-----\n"
        )
        file = key_file.read_key_file(tmp_path / "key")
        assert (file and file.asks_a_person) is asks
        assert keygen.has_passphrase(tmp_path / "key") is (None if asks is None else False)


def test_an_untouched_signature_is_not_returned(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    armored = Authenticator.make("sk-ssh-ed25519@openssh.com").sign(MESSAGE, flags=0).armored.encode()
    monkeypatch.setattr(keygen, "call_on_terminal", lambda *_, **__: process.Completed(0, armored, ""))
    with pytest.raises(Refused, match="nobody touched"):
        keygen.sign(MESSAGE, key)


def test_what_is_not_a_private_key_has_no_answer(key: Path) -> None:
    assert keygen.has_passphrase(Path(f"{key}.pub")) is None
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        keygen.has_passphrase(key.parent)


def test_the_bytes_to_sign_cannot_be_changed_on_their_way() -> None:
    descriptor = process._sealed(MESSAGE)
    try:
        assert os.read(descriptor, 1000) == MESSAGE
        for change in (lambda: os.pwrite(descriptor, b"x", 0), lambda: os.ftruncate(descriptor, 0)):
            with pytest.raises(PermissionError):
                change()
        with pytest.raises(PermissionError):
            Path(f"/proc/self/fd/{descriptor}").write_bytes(b"x")
    finally:
        os.close(descriptor)


def test_a_signature_of_other_bytes_is_not_returned(
    key: Path, key_files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = openssh.sign(key_files["ed25519"], b"something else").encode()
    monkeypatch.setattr(keygen, "call_on_terminal", lambda *_, **__: process.Completed(0, other, ""))
    with pytest.raises(Refused, match="does not fit"):
        keygen.sign(MESSAGE, key)
