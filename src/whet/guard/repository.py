"""The repositories that whet may work on."""

from whet.config import GuardPolicy
from whet.guard.answer import Allow, GuardAnswer, Refuse

_CODE = "repository_not_allowed"


def repository(root: str, *, home: str, policy: GuardPolicy) -> GuardAnswer:
    """Refuse a repository that the policy does not list; without a list only the one that holds whet.toml is allowed.

    `root` is where the work would happen, `home` where whet.toml lies; both are real absolute paths. A listed folder
    covers everything below it.
    """
    parts = _parts(root)
    if parts is None:
        return Refuse(f"{root!a} is not an absolute path without detours", _CODE)
    if not policy.repositories:
        if parts == _parts(home):
            return Allow()
        return Refuse(f"{root} is not the repository that holds whet.toml", _CODE)
    for listed in policy.repositories:
        prefix = _parts(listed)
        if prefix is None:
            return Refuse(f"guard.repositories has {listed!a}, which is not an absolute path without detours", _CODE)
        if parts[: len(prefix)] == prefix:
            return Allow(f"{root} is covered by {listed}")
    return Refuse(f"{root} is not in guard.repositories", _CODE)


def _parts(path: str) -> tuple[str, ...] | None:
    """Return the parts of an absolute path; None if it has `.` or `..`, or is the root, which would cover everything."""
    if not path.startswith("/") or not path.isprintable():
        return None
    parts = tuple(part for part in path.split("/") if part)
    return None if not parts or "." in parts or ".." in parts else parts
