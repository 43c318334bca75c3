"""Protected paths are refused, sensitive ones raise the tier."""

from whet.config import FILE_NAME, GUARDING, PROTECTED, SENSITIVE, STATE_FOLDER, TEST_CONFIG, Config
from whet.domain.approval import Tier
from whet.domain.category import Category
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.paths.patterns import patterns

# No policy opens these: the policy itself, whet's memory, git's, and the program that reads them.
CORE = (FILE_NAME, STATE_FOLDER, ".git", "git~1")
OWN = ("/whet/**", "**/src/whet/**", "**/site-packages/whet/**", "**/whet/**/*.py", "whet.py")
DEFAULTS = PROTECTED + TEST_CONFIG


def make_ready(policy: Config) -> None:
    """Compiles what the first path would wait for."""
    for lines in (CORE, OWN, policy.guard.protected, DEFAULTS, policy.guard.open, GUARDING, policy.guard.sensitive):
        patterns(lines)


def protected(path: str, policy: Config) -> GuardAnswer:
    """The core first, then what the policy adds, then the defaults less what the policy opens."""
    if (pattern := patterns(CORE).catches(path)) is not None:
        return _refuse(f"{path} is protected", pattern)
    if (pattern := patterns(OWN).catches(path)) is not None:
        return _own(path, pattern, policy)
    if (pattern := patterns(policy.guard.protected).catches(path)) is not None:
        return _refuse(f"{path} is protected by the policy ({pattern!r})", pattern, "guard.protected")
    pattern = patterns(DEFAULTS).catches(path)
    if pattern is None:
        return Allow()
    if (opened := patterns(policy.guard.open).names(path)) is not None:
        return Allow(f"{path} is opened by the policy ({opened!r})", pattern=opened, setting="guard.open")
    return _refuse(f"{path} is protected by default ({pattern!r})", pattern)


def guarding(path: str, policy: Config) -> GuardAnswer:
    """What guards access is for the highest tier, unless the policy opens that very path; then it is only sensitive."""
    pattern = patterns(GUARDING).catches(path)
    if pattern is None:
        return Allow()
    if (opened := patterns(policy.guard.open).names(path)) is not None:
        reason = f"{path} guards access ({pattern!r}); the policy opens it ({opened!r})"
        return Raise(reason, "path_sensitive", pattern=opened, setting="guard.open")
    return Raise(f"{path} guards access ({pattern!r})", "path_guarding", Tier.REQUIRE, pattern=pattern)


def sensitive(path: str, policy: Config) -> GuardAnswer:
    if (pattern := patterns(policy.guard.sensitive).catches(path)) is not None:
        setting = "" if pattern in SENSITIVE else "guard.sensitive"
        return Raise(f"{path} is sensitive ({pattern!r})", "path_sensitive", pattern=pattern, setting=setting)
    return Allow()


def _own(path: str, pattern: str, policy: Config) -> GuardAnswer:
    """Only a policy that lists the category `self` opens whet to itself, and then at the highest tier."""
    if Category.SELF in policy.guard.categories:
        reason = f"{path} is part of whet itself"
        return Raise(reason, "changes_itself", Tier.REQUIRE, pattern=pattern, setting="guard.categories")
    return _refuse(f"{path} is protected: it is part of whet itself", pattern)


def _refuse(reason: str, pattern: str, setting: str = "") -> Refuse:
    return Refuse(reason, "path_protected", pattern=pattern, setting=setting)
