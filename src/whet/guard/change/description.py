"""What is said about a change must not be less than what it does: whoever approves reads the words first."""

import re

from whet.domain.change import Change
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.same_ast import same_program
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON
from whet.guard.content.words import words

# Words that promise that nothing happens when the program runs.
_HARMLESS = re.compile(
    r"\b(typos?|spelling|comments? only|only comments?|docstrings? only|only docstrings?|white ?space|formatting only|only formatting"
    r"|re-?format|reflow|no (functional|behaviou?ral|semantic|logic|logical|code|real) changes?|does not change (any )?behaviou?r|cosmetic"
    r"|behaviou?r (is |stays |remains |is left )?(unchanged|the same|untouched)|unchanged behaviou?r|non-?functional change|(purely|only) stylistic"
    r"|style only|only style|(ran|run|apply|applied) (black|isort|ruff format|yapf|autopep8)|documentation only)\b",
    re.IGNORECASE,
)


def said(submission: Submission) -> GuardAnswer:
    """What is said is judged like what is written."""
    if submission.account is None:
        return Allow()
    return words(submission.account.words, "what is said about the change")


def named(change: Change, submission: Submission) -> GuardAnswer:
    """Every file that is touched is one that the proposal names, or a test that whet wrote for it."""
    account = submission.account
    if account is None or change.path in account.target or change.path in submission.trusted_new_tests:
        return Allow()
    return Raise(f"{change.path} is changed too, and the proposal does not name it", "not_named")


def understated(change: Change, submission: Submission) -> GuardAnswer:
    """Words that promise no change in behaviour are held to it: the program must be the same without its texts."""
    account = submission.account
    promise = _HARMLESS.search(account.words) if account else None
    texts = submission.texts.get(change.path)
    if promise is None or texts is None or not change.path.casefold().endswith(PYTHON):
        return Allow()
    if same_program(*texts):
        return Allow()
    return Refuse(f"{change.path} changes what runs, and the proposal says {promise[0]!r}", "understated")
