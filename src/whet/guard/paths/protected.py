"""Protected paths, which are refused, and paths that raise the tier."""

from typing import TYPE_CHECKING

from whet.domain.approval import Tier
from whet.domain.call_policy import SENSITIVE
from whet.domain.category import Category
from whet.domain.own_files import FILE_NAME, STATE_FOLDER
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.paths.patterns import Patterns, patterns
from whet.path_lists import ACCESS_CONTROL, PROTECTED, lines, row_of

if TYPE_CHECKING:
    from whet.config import Config

# No policy can open these: the policy file, the state folder, git's folder (also by its DOS name), whet itself.
CORE = (FILE_NAME, "whet.signers", "whet.passkeys", STATE_FOLDER, ".git", "git~1")
OWN = ("/whet/**", "**/src/whet/**", "**/site-packages/whet/**", "**/whet/**/*.py", "whet.py")


def compile_patterns(policy: "Config") -> None:
    """Compile the patterns ahead of time, so that the first path does not wait for them."""
    for listed in (CORE, OWN, policy.guard.protected, policy.guard.open, policy.guard.sensitive):
        patterns(listed)
    defaults()
    guarding()


def defaults() -> Patterns:
    """Return the built-in protected paths."""
    return patterns(lines(*PROTECTED))


def guarding() -> Patterns:
    """Return the paths of code that decides who may do what.

    They are built in and not a setting, so that every policy has them; `guard.open` makes exceptions path by path.
    """
    return patterns(lines(ACCESS_CONTROL))


def protected_path(path: str, policy: "Config") -> GuardAnswer:
    """Refuse a protected path: whet's policy and state, whet's own source, a path in `guard.protected`, or a built-in one
    that `guard.open` does not list."""
    if (pattern := patterns(CORE).catches(path)) is not None:
        return _refuse(f"{path} is protected", pattern)
    if (pattern := patterns(OWN).catches(path)) is not None:
        return _part_of_whet(path, pattern, policy)
    if (pattern := patterns(policy.guard.protected).catches(path)) is not None:
        return _refuse(f"{path} is protected by the policy ({pattern!r})", pattern, "guard.protected")
    pattern = defaults().catches(path)
    if pattern is None:
        return Allow()
    if (opened := patterns(policy.guard.open).names(path)) is not None:
        return Allow(f"{path} is opened by the policy ({opened!r})", pattern=opened, setting="guard.open")
    row = row_of(pattern, *PROTECTED)
    return _refuse(f"{path} is protected by default ({pattern!r}): {row.reason if row else 'unreadable'}", pattern)


def access_control(path: str, policy: "Config") -> GuardAnswer:
    """Raise the tier of a file that controls access to the highest one; a file that the policy opens is only sensitive."""
    pattern = guarding().catches(path)
    if pattern is None:
        return Allow()
    if (opened := patterns(policy.guard.open).names(path)) is not None:
        reason = f"{path} guards access ({pattern!r}); the policy opens it ({opened!r})"
        return Raise(reason, "path_sensitive", pattern=opened, setting="guard.open")
    return Raise(f"{path} guards access ({pattern!r})", "path_guarding", Tier.REQUIRE, pattern=pattern)


def sensitive_path(path: str, policy: "Config") -> GuardAnswer:
    if (pattern := patterns(policy.guard.sensitive).catches(path)) is not None:
        setting = "" if pattern in SENSITIVE else "guard.sensitive"
        return Raise(f"{path} is sensitive ({pattern!r})", "path_sensitive", pattern=pattern, setting=setting)
    return Allow()


def _part_of_whet(path: str, pattern: str, policy: "Config") -> GuardAnswer:
    """Refuse whet's own source, or raise it to the highest tier if the policy lists the category `self`."""
    if Category.SELF in policy.guard.categories:
        reason = f"{path} is part of whet itself"
        return Raise(reason, "changes_itself", Tier.REQUIRE, pattern=pattern, setting="guard.categories")
    return _refuse(f"{path} is protected: it is part of whet itself", pattern)


def _refuse(reason: str, pattern: str, setting: str = "") -> Refuse:
    return Refuse(reason, "path_protected", pattern=pattern, setting=setting)
