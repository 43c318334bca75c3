"""The result of building a proposal."""

from dataclasses import dataclass, field, replace

from whet.domain.patch import Patch


@dataclass(frozen=True, kw_only=True)
class Build:
    """The result of a proposer's `build`: a patch, or no patch and the reason in `note`."""

    patch: Patch | None
    note: str
    disagreement: str = ""
    tried: int = 0
    """The number of candidates that were tried."""
    seconds: float = 0.0
    first_seconds: float = 0.0
    """The time until the first candidate passed."""
    trusted_tests: tuple[str, ...] = ()
    """New test files that whet itself wrote from a recorded case."""
    rivals: tuple[Patch, ...] = ()
    """Further patches that did as well in the search; the next is tried when the proof refuses `patch`."""
    unconvincing: tuple[Patch, ...] = ()
    """Patches that passed the tests but are not offered, for the reason in `note`."""
    made_by: dict[str, str] = field(default_factory=dict)
    """The kind of edit of each patch, by patch digest, if the engine distinguishes kinds."""

    def next_rival(self) -> "Build":
        """Return this build with the first rival as its patch."""
        return replace(self, patch=self.rivals[0], rivals=self.rivals[1:])
