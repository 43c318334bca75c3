"""Every rule over one change. What is asked on the way to the first test run does not load all this."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from whet.config import Config
from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.evidence import GuardFinding
from whet.domain.risk import Risk
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change import categories, description, limits, risk, self_change
from whet.guard.change.submission import Description, GuardContext, Submission
from whet.guard.content import review
from whet.guard.content.rules import content
from whet.guard.immutable import immutable
from whet.guard.paths import (
    collisions,
    gitattributes,
    gitignored,
    modes,
    names,
    protected,
    secret_files,
    shadowed_modules,
    suffixes,
)

Author = Literal["engine", "outsider"]

# What only a person can settle: a proof may have been fooled by it.
NEEDS_REVIEW = frozenset({"needs_review", "content_unknown", categories.HOOKS_TOUCHED})

PATH_RULES: tuple[Callable[[str, Config], GuardAnswer], ...] = (
    protected.protected,
    secret_files.secret,
    suffixes.suffix,
    protected.guarding,
    protected.sensitive,
)
CHANGE_RULES: tuple[Callable[[Change, Submission], GuardAnswer], ...] = (
    modes.mode,
    limits.text,
    categories.fits,
    categories.tests,
    categories.hooks,
    shadowed_modules.shadow,
    gitattributes.filtered,
    gitignored.ignored,
    immutable,
    description.named,
    description.understated,
    review.needs_review,
)
TREE_RULES: tuple[Callable[[Submission], GuardAnswer], ...] = (
    limits.empty,
    limits.files,
    limits.lines,
    limits.new_files,
    limits.deleted_files,
    categories.allowed,
    risk.risk,
    collisions.collision,
    collisions.twin,
    self_change.itself,
    description.said,
)


def judge(
    changes: Iterable[Change],
    texts: Mapping[str, tuple[str, str]],
    *,
    category: Category,
    risk: Risk,
    policy: Config,
    trusted_new_tests: Iterable[str] = (),
    author: Author = "engine",
    around: GuardContext | None = None,
    said: Description | None = None,
) -> tuple[GuardFinding, ...]:
    """Every rule over every change; all that was found, each under its stable code.

    A human's own tests are judged in a lane of their own, so for an outsider a touched test is a note.
    """
    submission = Submission(
        changes=tuple(changes),
        texts=texts,
        category=category,
        risk=risk,
        policy=policy,
        trusted_new_tests=frozenset(trusted_new_tests),
        around=around or GuardContext(),
        account=said,
    )
    return tuple(_findings(submission, author))


def refusals(findings: Iterable[GuardFinding]) -> tuple[GuardFinding, ...]:
    """The findings that stop a change: all but those known to be less."""
    return tuple(finding for finding in findings if finding.severity not in ("raise", "require", "note"))


def explain(path: str, policy: Config) -> GuardAnswer:
    """What decides about a path, whatever happens to it: the first refusal, else what raises the tier."""
    clean = names.name(path)
    if isinstance(clean, Refuse):
        return clean
    answers = [rule(path, policy) for rule in PATH_RULES]
    if (pattern := categories.pattern_of_test(path, policy)) is not None:
        reason = f"{path} is a test ({pattern!r}): it may be added, never altered"
        setting = "tests.paths" if pattern in policy.tests.paths else ""
        answers.append(Refuse(reason, "tests_touched", pattern=pattern, setting=setting))
    return next(
        (answer for wanted in (Refuse, Raise) for answer in answers if isinstance(answer, wanted)),
        next((answer for answer in answers if answer != Allow()), Allow(f"no rule speaks against {path}")),
    )


def _findings(submission: Submission, author: Author) -> Iterator[GuardFinding]:
    for rule in TREE_RULES:
        yield from _finding(rule(submission), None, author)
    for change in submission.changes:
        for answer in _answers(change, submission):
            yield from _finding(answer, change.path, author)
        if isinstance(names.name(change.path), Allow):
            yield from content(change, submission)


def _answers(change: Change, submission: Submission) -> Iterator[GuardAnswer]:
    """A path that cannot be trusted to be what it seems is refused for that alone."""
    clean = names.name(change.path)
    yield clean
    if isinstance(clean, Allow):
        yield from (rule(change.path, submission.policy) for rule in PATH_RULES)
        yield from (rule(change, submission) for rule in CHANGE_RULES)


def _finding(answer: GuardAnswer, path: str | None, author: Author) -> Iterator[GuardFinding]:
    if isinstance(answer, Allow):
        return
    severity = _severity(answer)
    reason = answer.reason
    if author == "outsider" and answer.code == "tests_touched":
        severity, reason = "note", f"{path} is a test: it is run apart, and the base's tests judge the change"
    where = "" if path is None else names.shown(path)
    yield GuardFinding(rule=answer.code, severity=severity, path=where, reason=reason)


def _severity(answer: Raise | Refuse) -> str:
    if isinstance(answer, Refuse):
        return "block"
    return "require" if answer.tier is Tier.REQUIRE else "raise"
