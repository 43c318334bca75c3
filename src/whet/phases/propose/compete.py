"""Join the builds of two engines for one proposal: the smaller patch is offered first, and the other stays a rival."""

from dataclasses import replace

from whet.domain.build import Build
from whet.domain.patch import Patch
from whet.domain.plural import count


def joined(found: Build, written: Build, author: str) -> Build:
    """Return one build of a search and of what `author` wrote for the same targets.

    The smaller patch comes first. Patches that a person must choose between by a call stay in front, because the answer is
    about them. A patch for only a part of the targets yields to one for all.
    """
    if written.patch is None:
        return replace(found, note=f"{found.note}; {author}: {written.note}")
    if found.patch is None:
        return found
    if found.left_red:
        return replace(written, note=f"{found.note}; {author}: {written.note}")
    known = {patch.digest for patch in found.patches}
    others = [patch for patch in written.patches if patch.digest not in known]
    if not others:
        return replace(found, note=f"{found.note}; {author} wrote a patch that the search found too")
    ahead = not found.disputed and others[0].changed_lines < found.patch.changed_lines
    patches = (
        (others[0], *found.patches, *others[1:]) if ahead else (found.patch, others[0], *found.rivals, *others[1:])
    )
    if found.disputed:
        patches = (*found.patches, *others)
    return replace(
        found,
        patch=patches[0],
        rivals=patches[1:],
        note=f"{found.note}; {author}: {written.note}",
        difference="; ".join(filter(None, (found.difference, _sentence(patches, found.patch, others[0])))),
        foreign=found.foreign or written.foreign,
        trusted_tests=tuple(dict.fromkeys((*found.trusted_tests, *written.trusted_tests))),
        tried=found.tried + written.tried,
        seconds=found.seconds + written.seconds,
    )


def _sentence(patches: tuple[Patch, ...], found: Patch, written: Patch) -> str:
    """Say that both patches pass, how large they are, and how to see the one that is not offered."""
    second = found if patches[0] is written else written
    shown = ", ".join(
        f"{patch.summary!r} with {count(patch.changed_lines, 'changed line')}" for patch in (found, written)
    )
    return f"the search and a model do not agree: {shown} (`whet diff --rival {patches.index(second)}` shows the other)"
