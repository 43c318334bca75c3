"""The checks of a pull request: which of them keep whet from merging it."""

from collections.abc import Iterable

from whet.domain.pull_request import OWN_CHECK, CheckState, CommitCheck
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.domain.verdict import Verdict

_MOST_NAMES = 5
_MOST_CHARACTERS = 80


def not_green(checks: Iterable[CommitCheck], verdict: Verdict) -> str:
    """Return the names of the checks that have not passed, with their states; empty if all have.

    whet's own report does not count if its verdict did not pass: people approved the change in spite of that.
    """
    ignored = "" if verdict is Verdict.PASSED else OWN_CHECK
    red = [check for check in checks if check.state is not CheckState.PASSED and check.name != ignored]
    names = [f"{one_line(redact(check.name))[:_MOST_CHARACTERS]} {check.state.value}" for check in red[:_MOST_NAMES]]
    return ", ".join(names) + (f" and {len(red) - _MOST_NAMES} more" if len(red) > _MOST_NAMES else "")
