"""The real ssh-keygen, as a second opinion."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

NAMESPACE = "whet-approval@v1"
PERSON = "alice@example.com"
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["ssh-keygen", *arguments], input=stdin, capture_output=True, env=ENVIRONMENT, check=False, timeout=60
    )


def make_key(folder: Path, type_: str, bits: int | None = None, passphrase: str = "") -> Path:
    path = folder / f"{type_}-{bits or 0}-{len(list(folder.iterdir()))}"
    size = ["-b", str(bits)] if bits else []
    done = run("-q", "-t", type_, *size, "-N", passphrase, "-C", "made in a test", "-f", str(path))
    assert done.returncode == 0, done.stderr
    return path


def sign(key: Path, message: bytes, namespace: str = NAMESPACE, hash_: str = "sha512") -> str:
    done = run("-Y", "sign", "-q", "-n", namespace, "-f", str(key), "-O", f"hashalg={hash_}", stdin=message)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def text_of(blob: bytes) -> str:
    """Return a key as a line of a `.pub` file."""
    length = int.from_bytes(blob[:4], "big")
    return f"{blob[4 : 4 + length].decode()} {base64.b64encode(blob).decode()}"


def accepts(
    folder: Path,
    armored: str,
    message: bytes,
    signers: str,
    *,
    namespace: str = NAMESPACE,
    person: str = PERSON,
    at: str = "",
) -> bool:
    """True if `ssh-keygen -Y verify` accepts the signature of `person` against these signers."""
    (folder / "signature").write_text(armored, newline="")
    (folder / "signers").write_text(signers, newline="")
    time = ["-O", f"verify-time={at}"] if at else []
    done = run(
        "-Y", "verify", "-n", namespace, "-I", person, "-f", str(folder / "signers"), "-s", str(folder / "signature"),
        *time, stdin=message,
    )  # fmt: skip
    return done.returncode == 0
