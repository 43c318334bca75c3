import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from json.encoder import encode_basestring_ascii
from typing import Any, TypeVar

from whet.errors import Corrupt, DamagedLedger
from whet.store.codec import decode

Noun = TypeVar("Noun")
GENESIS = "0" * 64
RESTORE_IT = "restore .whet/ as a whole, with the database where the record is in one, from a backup"
RESTORE = f"nothing was moved; `whet audit` says what is wrong: {RESTORE_IT}"


def link(previous: str, seq: int, texts: Iterable[str]) -> str:
    """The hash of a row: over the hash before it and the row's columns as canonical JSON."""
    row = f"[{seq},{','.join(map(encode_basestring_ascii, texts))}]"
    return hashlib.sha256(f"{previous}{row}".encode()).hexdigest()


@dataclass(frozen=True)
class Head:
    """How far the chain goes: what is anchored outside, so that a cut-off tail is noticed."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> "Head | None":
        seq, _, value = text.strip().partition(":")
        return cls(int(seq), value) if seq.isascii() and seq.isdigit() and len(value) == 64 else None


@dataclass(frozen=True, kw_only=True)
class Entry:
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
        return decode(cls, self.data)

    @property
    def data(self) -> Any:
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as problem:
            raise Corrupt(
                f"row {self.seq} of the ledger is not JSON", "`whet audit` says what else is wrong"
            ) from problem

    def computed_hash(self) -> str:
        texts = (self.at.isoformat(), self.phase, self.kind, self.subject, self.key, self.actor, self.body)
        return link(self.previous, self.seq, texts)

    def unedited(self) -> "Entry":
        """Itself, where it is what was recorded: for whoever gives or takes permission on its word."""
        if self.computed_hash() != self.hash:
            raise DamagedLedger(f"row {self.seq} of the ledger ({self.kind} of {self.subject}) was edited", RESTORE)
        return self
