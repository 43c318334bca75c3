"""File types: only those that the policy lists are allowed."""

from whet.config import Config
from whet.guard.answer import Allow, GuardAnswer, Refuse


def unlisted_suffix(path: str, policy: Config) -> GuardAnswer:
    """Refuse a suffix that is not listed; of a file without a suffix the whole name must be listed. Case counts."""
    name = path.rpartition("/")[2]
    suffix = suffix_of(path)
    if (suffix or name) in policy.guard.suffixes:
        return Allow()
    what = f"the suffix {suffix!r}" if suffix else f"a file named {name!r}"
    return Refuse(f"{path}: the policy does not list {what}", "diff_suffix_not_allowed", setting="guard.suffixes")


def suffix_of(path: str) -> str:
    """Return the suffix with its dot; empty for `Makefile`, `.gitignore` and `name.`."""
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return dot + suffix if stem and suffix else ""
