"""Protected paths are refused, sensitive ones raise the tier."""

from whet.config import FILE_NAME, PROTECTED, STATE_FOLDER, TEST_CONFIG, Config
from whet.guard.answer import Allow, Answer, Raise, Refuse
from whet.guard.patterns import patterns

# No policy opens these: the policy itself, whet's memory, git's, and the program that reads them.
CORE = (FILE_NAME, STATE_FOLDER, ".git", "git~1")
OWN = ("/whet/**", "**/src/whet/**", "**/site-packages/whet/**", "**/whet/**/*.py", "whet.py")
DEFAULTS = PROTECTED + TEST_CONFIG


def protected(path: str, policy: Config) -> Answer:
    """The core first, then what the policy adds, then the defaults less what the policy opens."""
    if patterns(CORE).catches(path) is not None:
        return _refuse(f"{path} is protected")
    if patterns(OWN).catches(path) is not None:
        return _refuse(f"{path} is protected: it is part of whet itself")
    if (pattern := patterns(policy.guard.protected).catches(path)) is not None:
        return _refuse(f"{path} is protected by the policy ({pattern!r})")
    pattern = patterns(DEFAULTS).catches(path)
    if pattern is None:
        return Allow()
    if (opened := patterns(policy.guard.open).names(path)) is not None:
        return Allow(f"{path} is opened by the policy ({opened!r})")
    return _refuse(f"{path} is protected by default ({pattern!r})")


def sensitive(path: str, policy: Config) -> Answer:
    if (pattern := patterns(policy.guard.sensitive).catches(path)) is not None:
        return Raise(f"{path} is sensitive ({pattern!r})", "path_sensitive")
    return Allow()


def _refuse(reason: str) -> Refuse:
    return Refuse(reason, "path_protected")
