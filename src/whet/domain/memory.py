from dataclasses import dataclass

from whet.domain.lesson import Ending, Lesson

_NEVER_AGAIN = (Ending.REJECTED, Ending.ROLLED_BACK, Ending.NOT_PROVEN, Ending.REFUSED)
_POINTLESS_ON_THE_SAME_BASE = (Ending.NOT_BUILT, Ending.NOT_PROVEN, Ending.REFUSED)


@dataclass(frozen=True)
class Memory:
    """What the lessons say about trying something again."""

    lessons: tuple[Lesson, ...]

    def why_not(self, signature: str, engine: str, base: str) -> str:
        """The reason not to propose this, or nothing."""
        for lesson in reversed(self.lessons):
            if (lesson.signature, lesson.engine) != (signature, engine):
                continue
            if lesson.ending is Ending.REJECTED and not lesson.patch_digest:
                return f"the plan was rejected as {lesson.proposal}"
            if lesson.ending is Ending.COMPLETED and lesson.base == base:
                return f"{lesson.proposal} has fixed it on the branch whet/{lesson.proposal}, and this commit has not moved since"
            if lesson.ending in _POINTLESS_ON_THE_SAME_BASE and lesson.base == base:
                return f"{lesson.proposal} tried it on this very commit: {lesson.ending.value}"
        return ""

    def avoid(self, signature: str) -> frozenset[str]:
        """Digests of patches that were rejected, failed or taken back for this signature."""
        return frozenset(
            lesson.patch_digest
            for lesson in self.lessons
            if lesson.signature == signature and lesson.ending in _NEVER_AGAIN and lesson.patch_digest
        )

    def failures(self, signature: str) -> tuple[Lesson, ...]:
        """The attempts on a signature that did not work, which are the ones that count against it."""
        return tuple(one for one in self.lessons if one.signature == signature and not one.ending.worked)

    def attempts(self, signature: str) -> int:
        return len(self.failures(signature))
