"""Changes to whet by whet: recognised by what a tree defines, wherever it lies and whatever the folder is called."""

from collections.abc import Collection

from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.trigger import TriggerKind
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.submission import Submission

CODE = "changes_itself"
# Definitions that no other program has together; a copy that is renamed or moved still has them.
DEFINITIONS = (
    "def needs_review(", "def pattern_of_test(", "class GuardFinding", "class CarrySteps", "class CycleSteps",
    "def snapshot_and_rehearse(", "def refuse_if_damaged(", "class ValidationPlan", "class Rehearsal",
    "def is_one_slip_away(", "def _refuse_a_linked_worktree(", "def decision_key(", "def intend_again(", "def laid_over(",
    "def gutted(", "def learn_broken(",
)  # fmt: skip
_ENOUGH = 4
CYCLES_A_DAY = 1


def is_whet(found: Collection[str]) -> bool:
    """Whether a tree with these definitions holds whet's source."""
    return len(set(found) & set(DEFINITIONS)) >= _ENOUGH


def definitions_in(text: str) -> frozenset[str]:
    return frozenset(definition for definition in DEFINITIONS if definition in text)


def itself(submission: Submission) -> GuardAnswer:
    """In a repository that holds whet every change is of the category `self`: only where the policy lists it, and
    at the highest tier."""
    if not submission.around.is_whet and not is_whet(_brought(submission)):
        return Allow()
    if Category.SELF not in submission.policy.guard.categories:
        return Refuse("the repository holds whet's own source, and the policy does not list the category 'self'", CODE)
    return Raise("the change is to whet itself", CODE, Tier.REQUIRE)


def _brought(submission: Submission) -> set[str]:
    return {found for _, new in submission.texts.values() for found in definitions_in(new)}


def may_begin(kind: TriggerKind, cycles_today: int, *, readable: bool) -> GuardAnswer:
    """Whether a cycle may begin in a repository that holds whet: by a person, once a day."""
    if readable is not True or not isinstance(cycles_today, int) or cycles_today < 0:
        return Refuse("how often whet worked on itself today cannot be read", CODE)
    if kind != TriggerKind.HUMAN:
        return Refuse(f"whet works on itself only when a person asks, and this is a {kind} trigger", CODE)
    if cycles_today >= CYCLES_A_DAY:
        return Refuse("whet works on itself once a day, and has today", CODE)
    return Allow()
