"""Ask a person for a signature or a new key, by way of OpenSSH's own programs.

ssh-keygen asks for the passphrase, the PIN and the touch on the terminal; whet never sees them. A running ssh-agent is
kept out, because it signs for every program of the same user without asking.
"""

import os
import shutil
from pathlib import Path

from whet.errors import EnvironmentProblem, Refused, UsageError
from whet.sandbox.process import call_on_terminal, search_path
from whet.signing import sshsig
from whet.signing.key_file import has_passphrase, read_key_file
from whet.signing.keys import PublicKey

__all__ = ["create", "has_passphrase", "sign"]

_INHERITED = ("HOME", "USER", "LOGNAME", "TERM", "SSH_SK_PROVIDER")
_INSTALL = "apt-get install openssh-client"


def sign(message: bytes, key: Path, namespace: str = sshsig.APPROVAL_NAMESPACE) -> str:
    """Return the armored signature of the person at the terminal over `message`, which was checked after it was made.

    `key` is the file of the private key. Refuse one without a passphrase. Raise EnvironmentProblem if there is no
    terminal or no ssh-keygen, Refused if ssh-keygen did not sign: wrong passphrase, no touch, no such key.
    """
    private = key.with_suffix("") if key.suffix == ".pub" else key
    _refuse_open_key(private)
    done = _on_terminal(["-Y", "sign", "-q", "-n", namespace, "-f", str(private)], message)
    if done is None:
        raise Refused(f"ssh-keygen did not sign with {private}", "check the passphrase, and touch the key if it blinks")
    armored = done.decode("ascii", errors="replace")
    sshsig.verify(armored, message, namespace=namespace)
    return armored


def create(path: Path, comment: str) -> PublicKey:
    """Make an ed25519 key with a passphrase, which ssh-keygen asks for on the terminal, and return the public half.

    Refuse an existing file and an empty passphrase.
    """
    public = path.with_name(path.name + ".pub")
    if path.exists() or public.exists():
        raise UsageError(f"{path} exists already", "give another file name, or use the key that is there")
    if _on_terminal(["-q", "-t", "ed25519", "-C", comment, "-f", str(path)], None) is None:
        raise Refused("ssh-keygen made no key", "its message is above")
    if has_passphrase(path) is not True:
        path.unlink(missing_ok=True)
        public.unlink(missing_ok=True)
        raise Refused(
            "a key without a passphrase proves nothing: any program of yours can sign with it; it is deleted again",
            "give a passphrase",
        )
    return PublicKey.from_text(public.read_text())


def _refuse_open_key(private: Path) -> None:
    """Refuse a file that is not a private key, and a key that signs without a passphrase or a touch."""
    if not private.exists():
        raise UsageError(f"there is no private key {private}", "give the file of your private key")
    file = read_key_file(private)
    if file is None:
        raise UsageError(f"{private} is not a private key of a type that whet supports", "use an ed25519 key")
    if not file.asks_a_person:
        raise Refused(
            f"the key {private} has no passphrase: any program of yours can sign with it, so it proves nothing",
            f"give it one: ssh-keygen -p -f {private}",
        )


def _on_terminal(arguments: list[str], message: bytes | None) -> bytes | None:
    """Run ssh-keygen on the terminal and return its output, or None if it failed."""
    _require("ssh-keygen")
    done = call_on_terminal(["ssh-keygen", *arguments], env=_environment(), stdin=message)
    return done.out if done.code == 0 else None


def _require(program: str) -> None:
    if shutil.which(program, path=search_path(Path.cwd())) is None:
        raise EnvironmentProblem(f"{program} is not installed; whet asks for signatures through OpenSSH", _INSTALL)


def _environment() -> dict[str, str]:
    """Return an environment without an ssh-agent and without a program that answers for the person."""
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**kept, "PATH": search_path(Path.cwd()), "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C.UTF-8"}
