"""Every rule over one changed file."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from whet.domain.change import Change, ChangeStatus
from whet.domain.evidence import GuardFinding
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.content.credentials_read import credentials_read
from whet.guard.content.destroys import destroys
from whet.guard.content.excepts import excepts
from whet.guard.content.hidden_code import hidden_code
from whet.guard.content.leaked_secret import leaked_secret
from whet.guard.content.licence import licence
from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.guard.content.requirements import new_requirements
from whet.guard.content.shell_from_data import shell_from_data
from whet.guard.content.tls import tls
from whet.guard.content.unsafe_load import unsafe_load
from whet.guard.content.unseen import directions, lookalikes
from whet.guard.content.weakened_tests import weakened_tests

CONTENT_RULES: tuple[Callable[[Passage], Iterable[Remark]], ...] = (
    leaked_secret,
    hidden_code,
    shell_from_data,
    unsafe_load,
    credentials_read,
    tls,
    destroys,
    excepts,
    weakened_tests,
    directions,
    lookalikes,
    licence,
    new_requirements,
)
# What these say is about the lines of a file and not about its place.
CONTENT_CODES = frozenset({
    "secret_in_text", "runs_hidden_code", "shell_from_data", "unsafe_load", "credentials_read", "exfiltration",
    "tls_disabled", "destroys", "widened_except", "weakened_test", "reordered_text", "unseen_text", "lookalike_letters",
    "notice_removed", "dependency_confusion", "new_requirement", "other_index",
})  # fmt: skip
_SHOWN = 4
_ORDER = ("block", "raise", "note")


def content(change: Change, submission: Submission) -> Iterator[GuardFinding]:
    """What the rules say about one changed file, a finding for each rule and severity. A file that is gone says nothing;
    one whose text is not known is refused by `reader`."""
    texts = submission.texts.get(change.path)
    if texts is None or change.status == ChangeStatus.DELETED:
        return
    is_test = pattern_of_test(change.path, submission.policy) is not None
    yield from findings(Passage(change.path, *texts, is_test=is_test, required=submission.around.required))


def findings(passage: Passage) -> Iterator[GuardFinding]:
    remarks = {remark for rule in CONTENT_RULES for remark in rule(passage)}
    ordered = sorted(remarks, key=lambda one: (_ORDER.index(one.severity), one.code, one.line, one.what))
    for (severity, code), found in groupby(ordered, key=lambda one: (one.severity, one.code)):
        reason = f"{passage.path} {_told(list(found))}"
        yield GuardFinding(rule=code, severity=severity, path=passage.path, reason=reason)


def _told(remarks: list[Remark]) -> str:
    said = [f"{remark.what} (line {remark.line})" for remark in remarks[:_SHOWN]]
    more = f" and {len(remarks) - _SHOWN} more" if len(remarks) > _SHOWN else ""
    return f"{', '.join(said)}{more}"
