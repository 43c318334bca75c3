"""Rules that compare a change with its description, because the approver reads the description first."""

import re

from whet.domain.change import Change
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.same_ast import same_program
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON
from whet.guard.content.wording import judge_wording

# Phrases that promise that the program behaves as before.
_PROMISES_NO_EFFECT = re.compile(
    r"\b(typos?|spelling|comments? only|only comments?|docstrings? only|only docstrings?|white ?space|formatting only|only formatting"
    r"|re-?format|reflow|no (functional|behaviou?ral|semantic|logic|logical|code|real) changes?|does not change (any )?behaviou?r|cosmetic"
    r"|behaviou?r (is |stays |remains |is left )?(unchanged|the same|untouched)|unchanged behaviou?r|non-?functional change|(purely|only) stylistic"
    r"|style only|only style|(ran|run|apply|applied) (black|isort|ruff format|yapf|autopep8)|documentation only)\b",
    re.IGNORECASE,
)


def deceptive_description(submission: Submission) -> GuardAnswer:
    """Refuse a description that the content rules for text refuse."""
    if submission.description is None:
        return Allow()
    return judge_wording(submission.description.words, "the description of the change")


def unnamed_file(change: Change, submission: Submission) -> GuardAnswer:
    """Raise the tier for a file that the proposal does not name, unless it is a test that whet wrote for it."""
    description = submission.description
    if description is None or change.path in description.target or change.path in submission.trusted_new_tests:
        return Allow()
    return Raise(f"{change.path} is changed too, and the proposal does not name it", "not_named")


def understated(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a change of the program if the description promises that behaviour stays the same."""
    description = submission.description
    promise = _PROMISES_NO_EFFECT.search(description.words) if description else None
    texts = submission.texts.get(change.path)
    if promise is None or texts is None or not change.path.casefold().endswith(PYTHON):
        return Allow()
    if same_program(*texts):
        return Allow()
    return Refuse(f"{change.path} changes what runs, and the proposal says {promise[0]!r}", "understated")
