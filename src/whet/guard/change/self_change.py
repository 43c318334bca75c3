"""Changes to whet itself. Its source is recognised by its definitions, wherever it lies and whatever it is called."""

from collections.abc import Collection

from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.trigger import TriggerKind
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.submission import Submission

CODE = "changes_itself"
# Definitions that no other program has together; a copy in a renamed or moved folder still has them.
# Every one must exist in the source; if you rename one, rename it here too.
DEFINITIONS = (
    "def needs_review(", "def pattern_of_test(", "class GuardFinding", "class CarrySteps", "class CycleSteps",
    "def snapshot_and_rehearse(", "def refuse_if_damaged(", "class ValidationPlan", "class Rehearsal",
    "def is_one_typo_away(", "def _refuse_a_linked_worktree(", "def decision_key(", "def intend_again(", "def overlaid(",
    "def gut_changed_functions(", "def learn_broken(",
)  # fmt: skip
_ENOUGH = 4
CYCLES_A_DAY = 1


def is_whet(definitions: Collection[str]) -> bool:
    """True if a tree with these definitions contains whet's source."""
    return len(set(definitions) & set(DEFINITIONS)) >= _ENOUGH


def definitions_in(text: str) -> frozenset[str]:
    return frozenset(definition for definition in DEFINITIONS if definition in text)


def change_to_whet(submission: Submission) -> GuardAnswer:
    """Refuse any change in a repository that contains whet, or raise it to the highest tier.

    It is raised if the policy lists the category `self`. A change that adds whet's source counts too.
    """
    added = {definition for _, new in submission.texts.values() for definition in definitions_in(new)}
    if not submission.context.is_whet and not is_whet(added):
        return Allow()
    if Category.SELF not in submission.policy.guard.categories:
        return Refuse("the repository holds whet's own source, and the policy does not list the category 'self'", CODE)
    return Raise("the change is to whet itself", CODE, Tier.REQUIRE)


def may_begin(kind: TriggerKind, cycles_today: int, *, readable: bool) -> GuardAnswer:
    """Refuse a cycle in a repository that contains whet, unless a person started it and no other ran in 24 hours."""
    if readable is not True or not isinstance(cycles_today, int) or cycles_today < 0:
        return Refuse("the number of cycles in the last 24 hours cannot be read", CODE)
    if kind != TriggerKind.HUMAN:
        return Refuse(f"whet works on itself only when a person asks, and this is a {kind} trigger", CODE)
    if cycles_today >= CYCLES_A_DAY:
        return Refuse("whet works on itself at most once in 24 hours, and has done so", CODE)
    return Allow()
