"""New requirements: a name that is one slip away from a known one, an index or an address of its own."""

import re
from collections.abc import Collection, Iterator

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
_ELSEWHERE = re.compile(r"\s*(-[rce]\s*[\w./]|--(requirement|constraint|editable)\b)")


def new_requirements(passage: Passage) -> Iterator[Remark]:
    if not is_manifest(passage.path):
        return
    for number, line in passage.added_text:
        if match := _INDEX.search(line):
            yield Remark(number, "block", INDEX, f"takes packages from another place ({match[0].strip()})")
        elif match := _ADDRESS.search(line):
            yield Remark(number, "raise", INDEX, f"takes a package from an address ({line.strip()[:60]})")
        elif _ELSEWHERE.match(line):
            yield Remark(number, "raise", INDEX, f"takes requirements from elsewhere ({line.strip()[:60]})")
    try:
        now = requirements(passage.path, passage.new)
    except ValueError:
        yield Remark(1, "raise", NEW, "is a list of requirements that cannot be read")
        return
    known = passage.required | _readable(passage)
    for name in sorted(now - known):
        yield _judged(name, known, _line_of(name, passage))


def _judged(name: str, known: frozenset[str], line: int) -> Remark:
    """A popular name is itself; any other is compared with what is required already and with the popular ones."""
    near = sorted(_near(name, known) or ([] if name in POPULAR else _near(name, POPULAR)))
    if near and name not in POPULAR:
        return Remark(line, "block", CONFUSED, f"requires {name!r}, which is one slip away from {near[0]!r}")
    return Remark(line, "raise", NEW, f"requires {name!r}, which was not required before")


def _readable(passage: Passage) -> frozenset[str]:
    try:
        return requirements(passage.path, passage.old)
    except ValueError:
        return frozenset()


def _near(name: str, names: Collection[str]) -> list[str]:
    return [other for other in names if is_one_slip_away(name, other)]


def is_one_slip_away(one: str, other: str) -> bool:
    """One letter more, less, other or swapped with its neighbour; or the same letters with other hyphens."""
    if one == other:
        return False
    if one.replace("-", "") == other.replace("-", ""):
        return True
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or len(short) < 3:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[same:] == long[same + 1 :]
    return short[same + 1 :] == long[same + 1 :] or (
        short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
    )


def _line_of(name: str, passage: Passage) -> int:
    words = re.compile(name.replace("-", "[-_.]+"), re.IGNORECASE)
    return next((number for number, line in passage.added_text if words.search(line)), 1)
