"""Rules about the files that a call reads or writes.

A coding agent has a person beside it. So a path that whet itself would never change, such as pyproject.toml, is raised to
that person. Refused are only whet's own files, the settings that hold the hook, `guard.protected`, and reads of secrets.
"""

import re
from fnmatch import fnmatchcase

from whet.domain.approval import Tier
from whet.domain.call_policy import CallPolicy
from whet.domain.own_files import STATE_FOLDER
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.calls.place import FilePlace
from whet.guard.paths.names import safe_name, shown
from whet.guard.paths.patterns import patterns
from whet.guard.paths.protected import CORE, OWN, defaults, guarding
from whet.path_lists import NEVER_OPENED, PROTECTED, lines, row_of

# The files in which agents keep their hooks and permissions: a change there can switch the guard off.
AGENT_SETTINGS = (
    "**/.claude/settings*.json", "**/.claude/hooks/**", "**/.claude.json", "**/.codex/hooks.json", "**/.codex/config.toml",
    "**/.codex/hooks/**", "**/.codex/requirements.toml", "**/.gemini/settings.json", "**/.gemini/hooks/**",
    "**/.gemini/trusted_hooks.json", "**/.gemini/trustedFolders.json", "**/.cursor/hooks.json", "**/.cursor/hooks/**",
    "**/.cursor/cli*.json", "**/.cursor/permissions.json", "**/.github/hooks/*.json", "**/.github/copilot/settings*.json",
    "**/.copilot/hooks/**", "**/.copilot/*.json",
)  # fmt: skip
_STATE = (STATE_FOLDER,)
_PATH_WITH_GLOB = re.compile(r"[\w./~-]*[*?\[][\w./*?\[\]!~-]*")
# Files without secrets that have the name or the folder of one.
_SAMPLES = (".example", ".sample", ".template", ".dist", ".pub", ".tmpl", ".baseline")
_PUBLIC = ("/.ssh/config", "/.ssh/known_hosts")
_ANY_HIDDEN_FILE = ".*"  # the last of the built-in patterns: an agent may edit a .gitignore
_CODE = "path_protected"


def judge_read(place: FilePlace) -> GuardAnswer:
    """Refuse to read whet's record, or a file for secrets."""
    path = place.inside if place.inside is not None else place.path.lstrip("/")
    if place.record or patterns(_STATE).catches(path) is not None:
        return Refuse(f"{shown(path)} is part of whet's record, which `whet list`, `show` and `audit` read", _CODE)
    return Allow() if place.path.endswith(_PUBLIC) else _secret(path)


def judge_write(place: FilePlace, policy: CallPolicy) -> GuardAnswer:
    """Refuse a file of whet, of the guard or in `guard.protected`, and a secret of the user; raise other special paths."""
    path = place.inside if place.inside is not None else place.path.lstrip("/")
    refusal = judge_change(place, policy)
    if not path or not isinstance(refusal, Allow):
        return refusal
    if place.inside is None:
        return _secret(path)
    safe = safe_name(path)
    return safe if isinstance(safe, Refuse) else _special(path, policy)


def judge_change(place: FilePlace, policy: CallPolicy) -> GuardAnswer:
    """Judge a place as `judge_write` does, without the built-in lists of other special paths and of secrets."""
    path = place.inside if place.inside is not None else place.path.lstrip("/")
    if place.record:
        return Refuse(f"{shown(path)} is part of whet's record", _CODE)
    if place.keeps:
        return Refuse(f"{shown(path)} is protected: {place.keeps}", _CODE)
    if not path:  # the top folder of a repository, or of the machine
        return Allow()
    answer = _never_opened(path, policy)
    return answer or (_listed(path, policy) if place.inside is not None else Allow())


def _never_opened(path: str, policy: CallPolicy) -> Refuse | Raise | None:
    """Refuse the paths that no policy opens."""
    if (pattern := patterns(CORE).catches(path)) is not None:
        return Refuse(f"{shown(path)} is protected: only a person changes it", _CODE, pattern=pattern)
    if (pattern := patterns(AGENT_SETTINGS).catches(path)) is not None:
        return Refuse(f"{shown(path)} is protected: it holds the hooks of a coding agent", _CODE, pattern=pattern)
    if (pattern := patterns(OWN).catches(path)) is not None:
        if policy.changes_whet:
            return Raise(f"{shown(path)} is part of whet itself", "changes_itself", Tier.REQUIRE, pattern=pattern)
        return Refuse(f"{shown(path)} is protected: it is part of whet itself", _CODE, pattern=pattern)
    return None


def _listed(path: str, policy: CallPolicy) -> GuardAnswer:
    """Refuse a path in `guard.protected`. A test that is listed there is raised: agents write tests all the time."""
    pattern = patterns(policy.protected).catches(path)
    if pattern is None:
        return Allow()
    reason = f"{shown(path)} is protected by the policy ({pattern!r})"
    if patterns(policy.tests).catches(path) is not None:
        return Raise(reason, _CODE, pattern=pattern, setting="guard.protected")
    return Refuse(reason, _CODE, pattern=pattern, setting="guard.protected")


def _special(path: str, policy: CallPolicy) -> GuardAnswer:
    """Raise a path in the built-in lists or in `guard.sensitive`, unless `guard.open` opens it."""
    if isinstance(secret := _secret(path), Refuse):
        return Raise(secret.reason, secret.code, pattern=secret.pattern)
    if patterns(policy.open).names(path) is not None or path.lower().endswith(_SAMPLES):
        return Allow()
    if (pattern := defaults().catches(path)) not in (None, _ANY_HIDDEN_FILE):
        row = row_of(pattern, *PROTECTED)
        return Raise(f"{path} is special ({pattern!r}): {row.reason if row else 'unreadable'}", _CODE, pattern=pattern)
    if (pattern := guarding().catches(path)) is not None:
        return Raise(f"{path} guards access ({pattern!r})", "path_guarding", Tier.REQUIRE, pattern=pattern)
    if (pattern := patterns(policy.sensitive).catches(path)) is not None:
        return Raise(f"{path} is sensitive ({pattern!r})", "path_sensitive", pattern=pattern)
    return Allow()


def _secret(path: str) -> GuardAnswer:
    pattern = patterns(lines(NEVER_OPENED)).catches(path)
    if pattern is not None and not path.lower().endswith(_SAMPLES):
        return Refuse(f"{shown(path)} is a file for secrets ({pattern!r})", "secret_file", pattern=pattern)
    return Allow()


def names_state(word: str) -> bool:
    """True if a part of a path is the state folder."""
    return STATE_FOLDER in word.casefold().split("/")


def covers_state(word: str) -> bool:
    """True if a part of a path is a pattern that the shell expands to the state folder. A final `.*` is left alone."""
    if not _PATH_WITH_GLOB.fullmatch(word):
        return False
    parts = word.casefold().rstrip("/").split("/")
    return any(
        part.startswith(".") and fnmatchcase(STATE_FOLDER, part)
        for index, part in enumerate(parts)
        if part != ".*" or index < len(parts) - 1
    )
