"""New requirements: names one typo away from known ones, other package indexes, direct addresses."""

import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.guard.content.requirements.names import is_manifest, requirements
from whet.guard.content.requirements.popular import POPULAR

CONFUSED, NEW, INDEX = "dependency_confusion", "new_requirement", "other_index"
_INDEX = re.compile(
    r"--(extra-)?index-url|--trusted-host|--find-links|^\s*-[if]\s|extra-index-url|\[\[tool\.(uv\.index|poetry\.source)\]\]|dependency_links",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"@\s*(git\+|https?:|file:)|^\s*(-e\s+)?(git|hg|svn|bzr)\+|^\s*https?://|\b(git|url)\s*=\s*[\"'](https?|git|ssh)",
    re.IGNORECASE,
)
_INCLUDED = re.compile(r"\s*(-[rce]\s*[\w./]|--(requirement|constraint|editable)\b)")


def new_requirements(passage: Passage) -> Iterator[Remark]:
    """Block other package indexes and names one typo away from a known package; raise the tier for other new ones."""
    if not is_manifest(passage.path):
        return
    for number, line in passage.added_text:
        if match := _INDEX.search(line):
            yield Remark(number, "block", INDEX, f"installs packages from another index: `{match[0].strip()}`")
        elif match := _ADDRESS.search(line):
            yield Remark(number, "raise", INDEX, f"installs a package from an address: `{line.strip()[:60]}`")
        elif _INCLUDED.match(line):
            yield Remark(number, "raise", INDEX, f"includes requirements of another file: `{line.strip()[:60]}`")
    try:
        required = requirements(passage.path, passage.new)
    except ValueError:
        yield Remark(1, "raise", NEW, "is a list of requirements that cannot be read")
        return
    required_before = passage.required | _requirements_before(passage)
    for name in sorted(required - required_before):
        number = _line_of(name, passage)
        similar = _similar_name(name, required_before)
        if similar:
            yield Remark(number, "block", CONFUSED, f"requires {name!r}, which is one typo away from {similar!r}")
        else:
            yield Remark(number, "raise", NEW, f"requires {name!r}, which was not required before")


def _requirements_before(passage: Passage) -> frozenset[str]:
    try:
        return requirements(passage.path, passage.old)
    except ValueError:
        return frozenset()


def _similar_name(name: str, required_before: frozenset[str]) -> str:
    """Return a required or popular name that `name` may be a typo of; empty if `name` is popular itself."""
    if name in POPULAR:
        return ""
    for known_names in (required_before, POPULAR):
        similar = sorted(known for known in known_names if is_one_typo_away(name, known))
        if similar:
            return similar[0]
    return ""


def is_one_typo_away(name: str, other: str) -> bool:
    """True if one letter is added, left out, replaced or swapped with its neighbour, or only hyphens differ."""
    if name == other:
        return False
    if name.replace("-", "") == other.replace("-", ""):
        return True
    short, long = sorted((name, other), key=len)
    if len(long) - len(short) > 1 or len(short) < 3:
        return False
    at = 0  # the first letter that differs
    while at < len(short) and short[at] == long[at]:
        at += 1
    if len(short) != len(long):
        return short[at:] == long[at + 1 :]
    is_replaced = short[at + 1 :] == long[at + 1 :]
    is_swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return is_replaced or is_swapped


def _line_of(name: str, passage: Passage) -> int:
    """Return the first added line that mentions a requirement, in any spelling."""
    spelling = re.compile(name.replace("-", "[-_.]+"), re.IGNORECASE)
    return next((number for number, line in passage.added_text if spelling.search(line)), 1)
