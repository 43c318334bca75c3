from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    line: int
    what: str
    name: str
    only_if_new: bool = False
    only_if_more: bool = False
