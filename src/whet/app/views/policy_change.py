"""The difference between the policy and the one before it, setting by setting."""

import json
from dataclasses import dataclass
from typing import Any

from whet.app.project import Project
from whet.config import Config, parse
from whet.domain.own_files import FILE_NAME
from whet.domain.redact_noun import redact_noun
from whet.errors import WhetError
from whet.files import MB, read_file
from whet.git.refs import Commit


@dataclass(frozen=True)
class ChangedSetting:
    """A setting with both values as JSON, secrets redacted. An empty value means that the setting was not there."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class PolicyChange:
    """The difference to an earlier policy. `commit` made the present policy, None if whet.toml has edits that no commit
    has; `previous` is the commit with the earlier policy, None if there is none.

    `problem` says why the two cannot be compared.
    """

    commit: Commit | None = None
    previous: Commit | None = None
    settings: tuple[ChangedSetting, ...] = ()
    problem: str = ""


def policy_change(project: Project) -> PolicyChange:
    """Compare the policy with that of the previous commit of the branch that changed whet.toml.

    A whet.toml with edits that no commit has is compared with the last commit that changed it.
    """
    try:
        commits = project.git.log(project.ref, FILE_NAME, limit=2)
        content = read_file(project.git.root / FILE_NAME, MB)
        is_committed = bool(commits) and project.git.read(commits[0].id, FILE_NAME) == content
    except (WhetError, OSError) as problem:
        return PolicyChange(problem=problem.message if isinstance(problem, WhetError) else str(problem.strerror))
    commit = commits[0] if is_committed else None
    previous = next(iter(commits[1:] if is_committed else commits), None)
    if previous is None:
        return PolicyChange(commit=commit)
    try:
        settings = _changed(_policy_at(project, previous), project.policy)
    except WhetError as problem:
        return PolicyChange(commit=commit, previous=previous, problem=problem.message)
    return PolicyChange(commit=commit, previous=previous, settings=settings)


def _policy_at(project: Project, commit: Commit) -> Config | None:
    """Return the policy of a commit; None if it had none."""
    raw = project.git.read(commit.id, FILE_NAME)
    return None if raw is None else parse(raw[:MB], f"{FILE_NAME} of commit {commit.id[:10]}")


def _changed(before: Config | None, after: Config) -> tuple[ChangedSetting, ...]:
    old, new = (_settings(policy.model_dump(mode="json")) if policy else {} for policy in (before, after))
    names = [*new, *(name for name in old if name not in new)]
    return tuple(
        ChangedSetting(name, _shown(old, name), _shown(new, name))
        for name in names
        if (name in old, old.get(name)) != (name in new, new.get(name))
    )


def _settings(policy: dict[str, Any], table: str = "") -> dict[str, Any]:
    """Return the settings by their full names."""
    flat: dict[str, Any] = {}
    for key, value in policy.items():
        name = f"{table}.{key}" if table else str(key)
        flat |= _settings(value, name) if isinstance(value, dict) else {name: value}
    return flat


def _shown(settings: dict[str, Any], name: str) -> str:
    """Return a value with its secrets redacted: an address in whet.toml may hold one."""
    return json.dumps(redact_noun(settings[name]), ensure_ascii=False) if name in settings else ""
