"""The people who may sign: a file in OpenSSH's allowed-signers format.

    # comment
    alice@example.com namespaces="whet-approval@v1" sk-ssh-ed25519@openssh.com AAAA... her YubiKey
    bob@example.com valid-before="20270101Z" ssh-ed25519 AAAA...

Every line must be understood: a file with one bad line is refused as a whole, because a line that is skipped could be
the one that limits a key. `ssh-keygen -Y verify` reads the same file; the differences are in `docs/signatures.md`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

from whet.errors import BadSigners
from whet.signing import signer_line
from whet.signing.keys import PublicKey
from whet.signing.patterns import is_plain, list_matches
from whet.signing.signer_line import Signer

Item = TypeVar("Item")


@dataclass(frozen=True)
class Signers:
    """The content of a signers file. `lines` are its lines of text; `entries` are (index into `lines`, signer)."""

    lines: tuple[str, ...]
    entries: tuple[tuple[int, Signer], ...]

    @cached_property
    def canonical(self) -> str:
        """Return what the file says, in one form: comments, spaces and the order of the lines do not count."""
        return "".join(f"{line}\n" for line in sorted({signer.text for _, signer in self.entries}))

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of what the file says."""
        return sha256(self.canonical.encode()).hexdigest()

    def people(self) -> tuple[str, ...]:
        """Return all names and patterns of the file, each once, in the order of the file."""
        return _unique(name for _, signer in self.entries for name in signer.names if not name.startswith("!"))

    def keys(self) -> tuple[PublicKey, ...]:
        """Return all keys of the file, each once, in the order of the file."""
        return _unique(signer.key for _, signer in self.entries)

    def people_for(self, key: PublicKey, namespace: str, at: datetime) -> tuple[str, ...]:
        """Return the people that `key` signs for in `namespace` at the time `at`; empty if there are none.

        Only plain names are people. A pattern such as `*@example.com` admits names but proves none of them, so it is
        left out here; see `admits`.
        """
        signers = self._valid(key, namespace, at)
        return _unique(
            name for signer in signers for name in signer.names if is_plain(name) and list_matches(signer.names, name)
        )

    def admits(self, person: str, key: PublicKey, namespace: str, at: datetime) -> bool:
        """True if `key` may sign as `person`, patterns included, as `ssh-keygen -Y verify -I person` decides."""
        return any(list_matches(signer.names, person) for signer in self._valid(key, namespace, at))

    def add(self, signer: Signer, comment: str = "") -> str:
        """Return the text of the file with one more line. Refuse a key that is in the file under another name."""
        for _, present in self.entries:
            if present.key == signer.key:
                raise BadSigners(
                    f"the key {signer.key.fingerprint} is in the list already, for {', '.join(present.names)}",
                    "remove it first; one key stands for one person",
                )
        text = "".join(f"{line}\n" for line in [*self.lines, f"{signer.text} {comment}".rstrip()])
        if parse(text).entries != (*self.entries, (len(self.lines), signer)):
            raise BadSigners(f"{', '.join(signer.names)!r} with this comment cannot be written as one line")
        return text

    def remove(self, person: str, key: PublicKey | None = None) -> str:
        """Return the text of the file without `person`, or without one key of theirs. All other lines stay as they are.

        Refuse if a pattern would still admit the person.
        """
        dropped: dict[int, str] = {}
        for index, signer in self.entries:
            if person in signer.names and key in (None, signer.key) and not person.startswith("!"):
                names = tuple(name for name in signer.names if name != person)
                left = [name for name in names if not name.startswith("!")]
                dropped[index] = f"{replace(signer, names=names).text}\n" if left else ""
        if not dropped:
            raise BadSigners(f"{person!r} is not in the list" + (" with this key" if key else ""))
        text = "".join(dropped.get(index, f"{line}\n") for index, line in enumerate(self.lines))
        for _, signer in parse(text).entries:
            if key in (None, signer.key) and list_matches(signer.names, person):
                raise BadSigners(f"{','.join(signer.names)} still admits {person!r}", "list the people by name there")
        return text

    def _valid(self, key: PublicKey, namespace: str, at: datetime) -> list[Signer]:
        return [signer for _, signer in self.entries if signer.key == key and signer.signs_in(namespace, at)]


def parse(text: str) -> Signers:
    """Read a signers file. Raise BadSigners, with the number of the line, if any line is not understood."""
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
    entries: list[tuple[int, Signer]] = []
    for index, line in enumerate(lines):
        try:
            _refuse_controls(line)
            if line.strip(" \t") and not line.lstrip(" \t").startswith("#"):
                entries.append((index, signer_line.read(line)))
        except BadSigners as problem:
            raise BadSigners(f"line {index + 1} of the signers: {problem.message}", problem.remedy) from problem
    return Signers(tuple(lines), tuple(entries))


def _refuse_controls(line: str) -> None:
    """Refuse characters that hide text in a terminal or that another reader takes for the end of the line."""
    if not line.replace("\t", " ").isprintable():
        raise BadSigners("the line has a character that is not visible", "delete it")


def _unique(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))
