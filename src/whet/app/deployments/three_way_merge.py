"""Merge a module that was changed both in the registry and in the repository."""

from dataclasses import dataclass

from whet.app.findings.suggest import suggest
from whet.app.project import Project
from whet.domain.plural import count
from whet.domain.suggestion import Suggestion
from whet.domain.version import Manifest, digest_of
from whet.errors import Refused
from whet.git.checkout import Checkout
from whet.store.versions import Versions


@dataclass(frozen=True)
class MergedModule:
    """The result of a merge. `conflicts` names each by its line in the repository's file; with conflicts, `text` is
    unusable.
    """

    text: bytes
    conflicts: tuple[str, ...] = ()


def merge_changes(project: Project, versions: Versions, manifest: Manifest, source: bytes) -> MergedModule | None:
    """Merge both sides' changes since their last common version; return None if they have none."""
    commits = project.git.log(project.ref, manifest.path, limit=None)
    history = [project.git.read(commit.id, manifest.path) for commit in commits]
    published = [versions.source(version.digest) for version in (*manifest.previous, manifest.current)]
    base = next((text for text in reversed(published) if text in history), None)
    if base is None:
        return None
    merged, conflicts = project.git.merge_texts(base, published[-1], source)
    return MergedModule(merged, _conflict_lines(manifest.path, source, conflicts))


def _conflict_lines(path: str, source: bytes, conflicts: list[tuple[list[str], list[str]]]) -> tuple[str, ...]:
    lines, at, places = source.decode(errors="replace").splitlines(), 0, []
    for ours, theirs in conflicts:
        starts = (start for start in range(at, len(lines)) if lines[start : start + len(theirs)] == theirs)
        at = next(starts, at)
        places.append(f"{path}:{at + 1}: the registry has {_quoted(ours)}, the repository {_quoted(theirs)}")
        at += len(theirs)
    return tuple(places)


def _quoted(lines: list[str]) -> str:
    if not lines:
        return "nothing"
    more = f" and {count(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"{lines[0].strip()!r}{more}"


def suggest_merge(project: Project, path: str) -> Suggestion:
    """Record the merge as a suggested patch, so that it is proved, approved and deployed like any other."""
    versions = Versions(project.state)
    manifest, source = _manifest_of(versions, path), _committed_source(project, path)
    published, merged = manifest.current, merge_changes(project, versions, manifest, source)
    if merged is None:
        raise Refused("the repository and the registry have no version in common", "merge them by hand")
    if merged.conflicts:
        raise Refused(
            f"{count(len(merged.conflicts), 'conflict')}: {'; '.join(merged.conflicts)}",
            f"edit {path} there as it should be and commit it: `whet sync` reads commits",
        )
    if merged.text == source:
        ahead = digest_of(source) != published.digest
        why = "the repository has all that the registry has" + (", and more: a restart loads that" if ahead else "")
        raise Refused(f"there is nothing to merge: {why}")
    base = project.git.tree_of(project.ref)
    change = project.git.diff(base, project.git.with_files(base, {path: merged.text}))
    try:
        patch = change.decode()
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8, and a suggested patch must be", "merge it by hand") from None
    return suggest(
        project,
        f"merge what was published for {published.why} with the edits of {path}",
        path,
        patch=patch,
    )


def _manifest_of(versions: Versions, path: str) -> Manifest:
    """Return the manifest of the module in this file. Refuse a file of which no version was published."""
    manifests = map(versions.manifest, versions.modules())
    for manifest in manifests:
        if manifest and manifest.path == path:
            return manifest
    raise Refused(f"no version of {path} was ever published, so there is nothing to merge")


def _committed_source(project: Project, path: str) -> bytes:
    """Return the file in the last commit. Refuse one that is gone, or has uncommitted edits in the checkout."""
    source = project.git.read(project.git.resolve(project.ref), path)
    if source is None:
        raise Refused(f"{path} is no longer in the repository", "`whet history` shows what became of it")
    if uncommitted(project, path, source):
        raise Refused(f"{path} has edits in the checkout that are not committed", "commit or stash them, then merge")
    return source


def uncommitted(project: Project, path: str, source: bytes) -> bool:
    """True if the checkout has uncommitted edits of this file."""
    file = project.git.root / path
    if project.git.branch() != project.ref or not file.is_file():
        return False
    return path in Checkout(project.git.root).dirty_paths() and file.read_bytes() != source
