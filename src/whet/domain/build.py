from dataclasses import dataclass, field, replace

from whet.domain.patch import Patch


@dataclass(frozen=True, kw_only=True)
class Build:
    """What an engine made of its proposal: a patch, or none and the reason; what it tried, either way.

    `first_seconds` is how long the first patch that held took. `rivals` are further patches that did as well in the
    search, for the case that the proof refuses the first.
    `unconvincing` are patches that held and are not offered, for the reason in `note`.
    `disagreement` describes a call for which the patches that passed give different results.
    `made_by` says of a patch, by its digest, which kind of edit it is, where the engine knows kinds.
    `trusted_tests` are the new test files that whet itself wrote from a recorded case.
    """

    patch: Patch | None
    note: str
    disagreement: str = ""
    tried: int = 0
    seconds: float = 0.0
    first_seconds: float = 0.0
    trusted_tests: tuple[str, ...] = ()
    rivals: tuple[Patch, ...] = ()
    unconvincing: tuple[Patch, ...] = ()
    made_by: dict[str, str] = field(default_factory=dict)

    def next_rival(self) -> "Build":
        return replace(self, patch=self.rivals[0], rivals=self.rivals[1:])
