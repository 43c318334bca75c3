"""One entry of the ledger and the hash that links it to the entry before."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from json.encoder import encode_basestring_ascii
from typing import Any, TypeVar

from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.domain.redact_noun import redact_noun
from whet.errors import Corrupt, DamagedLedger
from whet.store.codec import decode

Noun = TypeVar("Noun")
GENESIS = "0" * 64
RESTORE_IT = "restore .whet/ as a whole from a backup, and the database if the record is in one"
RESTORE = f"nothing was deployed; `whet audit` shows the damage: {RESTORE_IT}"


def link(previous: str, seq: int, texts: Iterable[str]) -> str:
    """Return the hash of a row: SHA-256 of the previous hash and the row's columns as canonical JSON."""
    row = f"[{seq},{','.join(map(encode_basestring_ascii, texts))}]"
    return hashlib.sha256(f"{previous}{row}".encode()).hexdigest()


@dataclass(frozen=True)
class Head:
    """The last row of the chain. It is also stored outside the database (anchored), so that a removed tail is detected."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> "Head | None":
        """Return the head in its stored form; None if the text has another form."""
        seq, _, value = text.strip().partition(":")
        return cls(int(seq), value) if seq.isascii() and seq.isdigit() and len(value) == 64 else None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A row of the ledger. `body` is a noun as canonical JSON; `key` is unique and names what was recorded."""

    seq: int
    at: datetime
    phase: str
    kind: str
    subject: str
    key: str
    actor: str
    body: str
    previous: str
    hash: str

    def read(self, cls: type[Noun]) -> Noun:
        """Return the noun. Raise Corrupt if the body is not one of class `cls`."""
        return decode(cls, self.data)

    @property
    def data(self) -> Any:
        """Return the body as plain data. Raise Corrupt if it is not JSON."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as problem:
            raise Corrupt(f"row {self.seq} of the ledger is not JSON", "`whet audit` shows all damage") from problem

    def computed_hash(self) -> str:
        texts = (self.at.isoformat(), self.phase, self.kind, self.subject, self.key, self.actor, self.body)
        return link(self.previous, self.seq, texts)

    def unedited(self) -> "Entry":
        """Return this entry if its hash matches. Raise DamagedLedger otherwise. Use this before permitting anything."""
        if self.computed_hash() != self.hash:
            raise DamagedLedger(f"row {self.seq} of the ledger ({self.kind} of {self.subject}) was edited", RESTORE)
        return self


def next_entry(head: Head, phase: str, noun: Any, *, subject: str, key: str, actor: str, kind: str) -> Entry:
    """Return the entry that follows `head`, made now, with secrets in the noun's texts redacted.

    `kind` is by default the name of the noun's class.
    """
    unhashed = Entry(
        seq=head.seq + 1,
        at=now(),
        phase=phase,
        kind=kind or type(noun).__name__,
        subject=subject,
        key=key,
        actor=actor,
        body=canonical(redact_noun(noun)),
        previous=head.hash,
        hash="",
    )
    return replace(unhashed, hash=unhashed.computed_hash())
