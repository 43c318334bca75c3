"""Which repositories may be worked on at all."""

from whet.config import GuardPolicy
from whet.guard.answer import Allow, Answer, Refuse


def repository(root: str, *, home: str, policy: GuardPolicy) -> Answer:
    """`root` and `home` are real absolute paths: where the work would happen, and where `whet.toml` lives.

    Listed folders cover what lies below them, by whole names; with no list only `home` itself is allowed.
    """
    parts, code = _parts(root), "repository_not_allowed"
    if parts is None:
        return Refuse(f"{root!a} is not an absolute path without detours", code)
    if not policy.repositories:
        return Allow() if parts == _parts(home) else Refuse(f"{root} is not the repository that holds whet.toml", code)
    for listed in policy.repositories:
        prefix = _parts(listed)
        if prefix is None:
            return Refuse(f"guard.repositories has {listed!a}, which is not an absolute path without detours", code)
        if parts[: len(prefix)] == prefix:
            return Allow(f"{root} is covered by {listed}")
    return Refuse(f"{root} is not in guard.repositories", code)


def _parts(path: str) -> tuple[str, ...] | None:
    """The names in an absolute path; None for the root of the file system, which is no answer to "which"."""
    if not path.startswith("/") or not path.isprintable():
        return None
    parts = tuple(part for part in path.split("/") if part)
    return None if not parts or "." in parts or ".." in parts else parts
