"""The rule that refuses the kinds of changes in `guard.denied`."""

from collections.abc import Callable, Iterator

from whet.config import Config
from whet.domain.category import DeniedCategory
from whet.domain.change import Change
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.categories import is_document, pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON, Passage
from whet.guard.denied.auth import auth_changes
from whet.guard.denied.config_schema import config_schema_changes, is_schema_file
from whet.guard.denied.migrations import ddl_lines, is_migration_file, migration_changes
from whet.guard.denied.security import security_changes
from whet.guard.denied.units import UnitChanges, unit_changes
from whet.guard.paths.patterns import patterns
from whet.guard.paths.protected import guarding
from whet.path_lists import ACCESS_CONTROL, row_of

CODE = "category_denied"
_IN_PYTHON: dict[DeniedCategory, Callable[[UnitChanges], Iterator[tuple[int, str]]]] = {
    DeniedCategory.AUTH: auth_changes,
    DeniedCategory.SECURITY: security_changes,
    DeniedCategory.MIGRATION: migration_changes,
    DeniedCategory.CONFIG_SCHEMA: config_schema_changes,
}
_AUTH_REASONS = ("authentication", "permissions and roles")


def denied_category(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a change of a denied kind. Tests, documents and changes that run the same are of no such kind.

    A path that `guard.open` names is judged by its content only.
    """
    path, policy = change.path, submission.policy
    if not policy.guard.denied or pattern_of_test(path, policy) is not None or is_document(path):
        return Allow()
    old, new = submission.texts.get(path, ("", ""))
    is_python = path.casefold().endswith(PYTHON)
    changes = unit_changes(old, new) if is_python else None
    if changes is not None and path in submission.texts and not changes.changed:
        return Allow()
    for category, what in _kinds(path, old, new, policy, changes):
        if category in policy.guard.denied:
            reason = f"{path} is one of the {category}, which the policy denies: it touches {what}"
            return Refuse(
                f"{reason}. Change it by hand, or take {category} out of guard.denied", CODE, setting="guard.denied"
            )
    return Allow()


def denied_path(path: str, policy: Config) -> DeniedCategory | None:
    """Return the kind that every change of what runs at `path` has, whatever it writes; None if there is none."""
    if patterns(policy.guard.open).names(path) is not None:
        return None
    if is_migration_file(path) is not None:
        return DeniedCategory.MIGRATION
    row = row_of(guarding().catches(path) or "", ACCESS_CONTROL)
    if row is None:
        return None
    return DeniedCategory.AUTH if row.reason in _AUTH_REASONS else DeniedCategory.SECURITY


def _kinds(
    path: str, old: str, new: str, policy: Config, changes: UnitChanges | None
) -> Iterator[tuple[DeniedCategory, str]]:
    """Yield the kinds of a change, each with the part of the file that shows it."""
    by_path = denied_path(path, policy)
    if by_path is not None:
        yield by_path, "a file with that purpose, by its name"
    if changes is not None:
        for category, find in _IN_PYTHON.items():
            first = min(find(changes), default=None)
            if first is not None:
                yield category, f"{first[1]} (line {first[0]})"
        return
    if is_schema_file(path, new) or is_schema_file(path, old):
        yield DeniedCategory.CONFIG_SCHEMA, "the schema of a configuration"
    for number, what in ddl_lines(iter((*Passage(path, old, new).added_text, *Passage(path, new, old).added_text))):
        yield DeniedCategory.MIGRATION, f"{what} (line {number})"
