"""The lessons of earlier proposals, and what to avoid because of them."""

from dataclasses import dataclass

from whet.domain.lesson import Ending, Lesson
from whet.errors import ModelUnavailable

_NEVER_AGAIN = (Ending.REJECTED, Ending.ROLLED_BACK, Ending.NOT_PROVEN, Ending.REFUSED)
_POINTLESS_ON_THE_SAME_BASE = (Ending.NOT_BUILT, Ending.NOT_PROVEN, Ending.REFUSED)
_FOR_ANY = (Ending.REJECTED, Ending.ROLLED_BACK)


@dataclass(frozen=True)
class Memory:
    """All lessons in the order in which they were learned."""

    lessons: tuple[Lesson, ...]

    def why_not(self, signature: str, engine: str, base: str) -> str:
        """Return the reason not to propose a change for `signature` with `engine` on `base`; empty if there is none."""
        for lesson in reversed(self.lessons):
            if lesson.signature != signature:
                continue
            if lesson.ending is Ending.COMPLETED and lesson.base == base:
                return f"{lesson.proposal} has fixed it on the branch whet/{lesson.proposal}, and this commit has not moved since"
            if lesson.engine != engine:
                continue
            if lesson.ending is Ending.REJECTED and not lesson.patch_digest:
                return f"the plan was rejected as {lesson.proposal}"
            if lesson.ending in _POINTLESS_ON_THE_SAME_BASE and lesson.base == base:
                return f"{lesson.proposal} tried it on this very commit: {lesson.ending.value}"
        return ""

    def avoid(self, signature: str) -> frozenset[str]:
        """Return the digests of patches that were refused or not proven for this signature, or rejected or rolled back for any.

        Another of the same red tests may stand for their cause in the next cycle, and then the signature is another one.
        """
        return frozenset(
            lesson.patch_digest
            for lesson in self.lessons
            if lesson.patch_digest
            and (lesson.ending in _FOR_ANY or (lesson.signature == signature and lesson.ending in _NEVER_AGAIN))
        )

    def failures(self, signature: str) -> tuple[Lesson, ...]:
        """Return the lessons of failed attempts on a signature; these count against its budget.

        An attempt for which no model could be asked was not made.
        """
        return tuple(
            lesson
            for lesson in self.lessons
            if lesson.signature == signature and not lesson.ending.worked and lesson.code != ModelUnavailable.code
        )

    def attempts(self, signature: str) -> int:
        """Return the number of failed attempts on a signature."""
        return len(self.failures(signature))
