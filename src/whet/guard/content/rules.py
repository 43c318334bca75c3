"""The list of content rules, and their findings about one changed file."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from whet.domain.change import Change, ChangeStatus
from whet.domain.evidence import GuardFinding
from whet.domain.plural import shorten
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.content.broad_excepts import broad_excepts
from whet.guard.content.credentials_read import credentials_read
from whet.guard.content.destructive_code import destructive_code
from whet.guard.content.disabled_tls import disabled_tls
from whet.guard.content.hidden_code import hidden_code
from whet.guard.content.invisible_text import invisible_characters, lookalike_letters
from whet.guard.content.leaked_secret import leaked_secret
from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.guard.content.removed_notices import removed_notices
from whet.guard.content.requirements import new_requirements
from whet.guard.content.shell_from_data import shell_from_data
from whet.guard.content.unsafe_load import unsafe_load
from whet.guard.content.weakened_tests import weakened_tests

CONTENT_RULES: tuple[Callable[[Passage], Iterable[Remark]], ...] = (
    leaked_secret,
    hidden_code,
    shell_from_data,
    unsafe_load,
    credentials_read,
    disabled_tls,
    destructive_code,
    broad_excepts,
    weakened_tests,
    invisible_characters,
    lookalike_letters,
    removed_notices,
    new_requirements,
)
# The codes of these rules. Their findings are about lines of a file, not about its path.
CONTENT_CODES = frozenset({
    "secret_in_text", "runs_hidden_code", "shell_from_data", "unsafe_load", "credentials_read", "exfiltration",
    "tls_disabled", "destroys", "widened_except", "weakened_test", "reordered_text", "unseen_text", "lookalike_letters",
    "notice_removed", "dependency_confusion", "new_requirement", "other_index",
})  # fmt: skip
_MOST_SHOWN = 4
_BY_SEVERITY = ("block", "raise", "note")


def content_findings(change: Change, submission: Submission) -> Iterator[GuardFinding]:
    """Yield the findings about one changed file; none for a deleted file.

    A file whose text is not known yields none either: `review.needs_review` reports it.
    """
    texts = submission.texts.get(change.path)
    if texts is None or change.status == ChangeStatus.DELETED:
        return
    is_test = pattern_of_test(change.path, submission.policy) is not None
    yield from findings(Passage(change.path, *texts, is_test=is_test, required=submission.context.required))


def findings(passage: Passage) -> Iterator[GuardFinding]:
    """Yield one finding per severity and rule, the worst first."""

    def order(remark: Remark) -> tuple[int, str, int, str]:
        return _BY_SEVERITY.index(remark.severity), remark.code, remark.line, remark.what

    remarks = {remark for rule in CONTENT_RULES for remark in rule(passage)}
    groups = groupby(sorted(remarks, key=order), key=lambda remark: (remark.severity, remark.code))
    for (severity, code), group in groups:
        reason = f"{passage.path} {_sentence(list(group))}"
        yield GuardFinding(rule=code, severity=severity, path=passage.path, reason=reason)


def _sentence(remarks: list[Remark]) -> str:
    return shorten([f"{remark.what} (line {remark.line})" for remark in remarks], _MOST_SHOWN)
