"""Only file types that the policy lists."""

from whet.config import Config
from whet.guard.answer import Allow, GuardAnswer, Refuse


def suffix(path: str, policy: Config) -> GuardAnswer:
    """A listed suffix, or a file without suffix whose whole name is listed; spelling counts."""
    name = path.rpartition("/")[2]
    ending = suffix_of(path)
    if (ending or name) in policy.guard.suffixes:
        return Allow()
    what = f"the suffix {ending!r}" if ending else f"a file named {name!r}"
    return Refuse(f"{path}: the policy does not list {what}", "diff_suffix_not_allowed", setting="guard.suffixes")


def suffix_of(path: str) -> str:
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    return dot + ending if stem and ending else ""
