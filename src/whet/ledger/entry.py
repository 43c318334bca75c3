import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from whet.domain.plain import canonical
from whet.errors import Corrupt
from whet.store.codec import decode

Noun = TypeVar("Noun")
GENESIS = "0" * 64


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
        row = [self.seq, self.at.isoformat(), self.phase, self.kind, self.subject, self.key, self.actor, self.body]
        return hashlib.sha256(f"{self.previous}{canonical(row)}".encode()).hexdigest()
