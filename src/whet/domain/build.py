"""The result of building a proposal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from whet.domain.patch import Patch
from whet.domain.regression import Regression
from whet.domain.undecided_call import UndecidedCall


@dataclass(frozen=True, kw_only=True)
class Build:
    """The result of a proposer's `build`: a patch, or no patch and the reason in `note`."""

    patch: Patch | None
    note: str
    tried: int = 0
    """The number of candidates that were tried."""
    seconds: float = 0.0
    first_seconds: float = 0.0
    """The time until the first candidate passed."""
    trusted_tests: tuple[str, ...] = ()
    """New test files that whet itself wrote from a captured call."""
    rivals: tuple[Patch, ...] = ()
    """Further patches that did as well in the search; the next is tried when the proof refuses `patch`."""
    unconvincing: tuple[Patch, ...] = ()
    """Patches that passed the tests but are not offered, for the reason in `note`."""
    left_red: tuple[str, ...] = ()
    """Target tests that the patch was not seen to turn green, if the search found no patch for all of them."""
    made_by: dict[str, str] = field(default_factory=dict)
    """The kind of edit of each patch, by patch digest, if the engine distinguishes kinds."""
    disputed: tuple[UndecidedCall, ...] = ()
    """The calls that `patch` and `rivals` answer differently, in the order in which to ask about them."""
    difference: str = ""
    """A call that no test makes and that the patches answer differently, as a sentence; it does not decide."""
    foreign: bool = False
    """True if a model, a coding agent or somebody else wrote a patch: what can deceive the proof needs review by a person."""
    decided: tuple[Regression, ...] = ()
    """The tests that people's answers to disputed calls became. They are in every patch."""

    @property
    def patches(self) -> tuple[Patch, ...]:
        """Return the patches that are still in question, best first."""
        return (self.patch, *self.rivals) if self.patch else ()

    @property
    def undecided(self) -> UndecidedCall | None:
        """Return the first call that the patches still in question answer differently; None if they agree."""
        standing = [patch.digest for patch in self.patches]
        narrowed = (call.among(standing) for call in self.disputed)
        return next((call for call in narrowed if call), None)

    def with_patches(self, patches: Mapping[str, Patch]) -> "Build":
        """Return this build with other patches, by the digests of those that they replace; the rest is dropped."""
        names = {old: patch.digest for old, patch in patches.items()}
        first, *others = patches.values()
        return replace(
            self,
            patch=first,
            rivals=tuple(others),
            disputed=tuple(call.renamed(names) for call in self.disputed),
            made_by={names[old]: template for old, template in self.made_by.items() if old in names},
        )

    def next_rival(self) -> "Build":
        """Return this build with the first rival as its patch."""
        return replace(self, patch=self.rivals[0], rivals=self.rivals[1:])
