"""Run all guard rules on a change.

Kept apart from `guard/__init__`, so that the way to the first test run does not import all rules.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from whet.config import Config
from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.evidence import GuardFinding
from whet.domain.proposal import ProposalKind
from whet.domain.risk import Risk
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change import categories, description, kinds, limits, risk, self_change
from whet.guard.change.submission import MODEL_TEST, Description, GuardContext, Submission
from whet.guard.content import review
from whet.guard.content.rules import content_findings
from whet.guard.declared.rule import declared_file, declared_path
from whet.guard.denied.rule import denied_category
from whet.guard.immutable import immutable_section
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

# Codes of findings that only a person can settle: the patch may have faked the proof.
NEEDS_REVIEW = frozenset({"needs_review", "content_unknown", categories.HOOKS_TOUCHED})

# Rules about a path, whatever happens to the file. `names.safe_name` comes before all others.
PATH_RULES: tuple[Callable[[str, Config], GuardAnswer], ...] = (
    protected.protected_path,  # whet.toml, .whet, .git, whet itself, what the policy and the defaults protect
    secret_files.secret_file,  # .env, keys, credentials
    suffixes.unlisted_suffix,  # file types that the policy does not list
    protected.access_control,  # auth, permissions, passwords: highest tier
    protected.sensitive_path,  # what the policy calls sensitive: higher tier
)
# Rules about one changed file. The content rules (`content.rules.CONTENT_RULES`) come on top.
CHANGE_RULES: tuple[Callable[[Change, Submission], GuardAnswer], ...] = (
    modes.unusual_mode,  # symbolic links, submodules; a file that becomes executable
    limits.uncounted_lines,  # binary files, and files whose lines were not counted
    categories.mismatch,  # documentation that touches code, tidying that touches access control
    denied_category,  # kinds of changes that the policy denies: security, auth, settings schemas, migrations
    categories.touched_test,  # a change may not alter the tests that judge it
    categories.runner_hook,  # conftest.py and pytest plug-ins: needs human review
    declared_file,  # entry points, build hooks, plug-ins and scripts that manifests of the base declare
    shadowed_modules.shadowed_module,  # a new file that is imported instead of another module
    gitattributes.content_filter,  # files that git writes to disk in another form
    gitignored.ignored_file,  # new files that `git status` does not show
    immutable_section,  # sections of settings files that the policy freezes
    description.unnamed_file,  # a file that the proposal does not name
    description.understated,  # "only a typo", and the program changes
    review.needs_review,  # suspicious constructs in added lines
)
# Rules about the change as a whole.
TREE_RULES: tuple[Callable[[Submission], GuardAnswer], ...] = (
    limits.empty_change,
    limits.too_many_files,
    limits.too_many_lines,
    limits.too_many_new_files,
    limits.too_many_deleted_files,
    categories.category_allowed,
    risk.risk_allowed,
    kinds.kind_fits,  # a patch of another kind than its proposal says
    collisions.duplicate_path,  # one path twice, or two that a file system takes for one
    collisions.near_duplicate,  # a new path that differs from an existing one in case or look only
    self_change.change_to_whet,  # whet's own source
    description.deceptive_description,  # secrets, commands or orders to the approver in the description
)


def judge(
    changes: Iterable[Change],
    texts: Mapping[str, tuple[str, str]],
    *,
    category: Category,
    risk: Risk,
    policy: Config,
    trusted_new_tests: Iterable[str] = (),
    model_tests: Iterable[str] = (),
    author: Author = "engine",
    context: GuardContext | None = None,
    description: Description | None = None,
    kind: ProposalKind | None = None,
) -> tuple[GuardFinding, ...]:
    """Return the findings of every rule on every change, each under its stable code.

    Tests that an outsider changed are run separately, so for an outsider a touched test is only a note.
    """
    submission = Submission(
        changes=tuple(changes),
        texts=texts,
        category=category,
        risk=risk,
        policy=policy,
        trusted_new_tests=frozenset(trusted_new_tests),
        model_tests=frozenset(model_tests),
        context=context or GuardContext(),
        description=description,
        kind=kind,
    )
    return tuple(_findings(submission, author))


def refusals(findings: Iterable[GuardFinding]) -> tuple[GuardFinding, ...]:
    """Return the blocking findings: every severity except the known weaker ones, so that an unknown one blocks."""
    return tuple(finding for finding in findings if finding.severity not in ("raise", "require", "note"))


def explain(path: str, policy: Config, context: GuardContext | None = None) -> GuardAnswer:
    """Return the answer that decides about a path: the first refusal, else the first raised tier, else Allow."""
    safe = names.safe_name(path)
    if isinstance(safe, Refuse):
        return safe
    answers = [rule(path, policy) for rule in PATH_RULES]
    answers.append(declared_path(path, policy, context or GuardContext()))
    pattern = categories.pattern_of_test(path, policy)
    if pattern is not None:
        reason = f"{path} is a test ({pattern!r}): it may be added, never altered"
        setting = "tests.paths" if pattern in policy.tests.paths else ""
        answers.append(Refuse(reason, "tests_touched", pattern=pattern, setting=setting))
    for kind in (Refuse, Raise):
        for answer in answers:
            if isinstance(answer, kind):
                return answer
    explained = [answer for answer in answers if answer != Allow()]
    return explained[0] if explained else Allow(f"no rule applies to {path}")


def _findings(submission: Submission, author: Author) -> Iterator[GuardFinding]:
    for tree_rule in TREE_RULES:
        yield from _finding(tree_rule(submission), None, author)
    for change in submission.changes:
        safe = names.safe_name(change.path)
        if not isinstance(safe, Allow):
            # A path that is not what it seems is refused for that alone: other rules could misread it.
            yield from _finding(safe, change.path, author)
            continue
        for path_rule in PATH_RULES:
            yield from _finding(path_rule(change.path, submission.policy), change.path, author)
        for change_rule in CHANGE_RULES:
            yield from _finding(change_rule(change, submission), change.path, author)
        yield from content_findings(change, submission)
        if change.path in submission.model_tests:
            reason = f"a language model wrote {change.path}: a person must judge whether it expects the right thing"
            yield GuardFinding(rule=MODEL_TEST, severity="note", path=change.path, reason=reason)


def _finding(answer: GuardAnswer, path: str | None, author: Author) -> Iterator[GuardFinding]:
    if isinstance(answer, Allow):
        return
    severity, reason = "block", answer.reason
    if isinstance(answer, Raise):
        severity = "require" if answer.tier is Tier.REQUIRE else "raise"
    if author == "outsider" and answer.code == "tests_touched":
        severity = "note"
        reason = f"{path} is a test: it is run separately, and the tests of the base judge the change"
    shown = "" if path is None else names.shown(path)
    yield GuardFinding(rule=answer.code, severity=severity, path=shown, reason=reason)
