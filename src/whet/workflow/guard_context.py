"""The facts about the tree around a change that the guard needs; the guard itself reads no files."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.git.git import Git, TreeEntry
from whet.guard.change.self_change import DEFINITIONS, is_whet
from whet.guard.change.submission import Description, GuardContext
from whet.guard.content.requirements.names import is_manifest, requirements
from whet.guard.declared import collect
from whet.guard.declared.reference import Declared

_ATTRIBUTES, _IGNORES = ".gitattributes", ".gitignore"
_REGULAR = ("100644", "100755")


def guard_context(patch: Patch, git: Git, installed: frozenset[str]) -> GuardContext:
    """Return attributes and ignore files as the change leaves them, and everything else as on the base.

    `installed` are the modules that the interpreter has without the repository.
    """
    before = git.entries(git.tree_of(patch.base))
    after = git.entries(patch.tree)
    settings = [entry.path for entry in after if PurePosixPath(entry.path).name in (_ATTRIBUTES, _IGNORES)]
    texts = _texts(git.read_all(patch.tree, settings)) if settings else {}
    manifests = [entry.path for entry in before if is_manifest(entry.path)]
    stated = _texts(git.read_all(patch.base, manifests)) if manifests else {}
    return GuardContext(
        paths=frozenset(entry.path for entry in before),
        attributes=_by_folder(texts, _ATTRIBUTES),
        ignores=_by_folder(texts, _IGNORES),
        required=frozenset(name for path, text in stated.items() for name in _required(path, text)),
        installed=installed,
        is_whet=holds_whet(git, patch.base),
        declared=_declared(git, patch.base, before),
    )


def context_at(git: Git, commit: str) -> GuardContext:
    """Return the facts about a commit that decide about a path alone."""
    return GuardContext(declared=_declared(git, commit, git.entries(git.tree_of(commit))))


def _declared(git: Git, commit: str, entries: Sequence[TreeEntry]) -> dict[str, tuple[Declared, ...]]:
    """Return the roles that the manifests of a commit give to its files."""
    files = frozenset(entry.path for entry in entries if entry.mode in _REGULAR)

    def read(paths: Collection[str]) -> dict[str, str]:
        return _texts(git.read_all(commit, sorted(paths))) if paths else {}

    manifests = read([path for path in files if collect.is_manifest(path)])
    return collect.declared_files(manifests, files, read)


def holds_whet(git: Git, commit: str) -> bool:
    return is_whet(git.words_in(commit, DEFINITIONS))


def description_of(proposal: Proposal) -> Description:
    return Description(words=f"{proposal.title}\n{proposal.rationale}", target=proposal.target)


def _texts(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {path: content.decode(errors="replace") for path, content in contents.items()}


def _by_folder(texts: Mapping[str, str], name: str) -> dict[str, str]:
    return {path[: -len(name)].rstrip("/"): text for path, text in texts.items() if PurePosixPath(path).name == name}


def _required(path: str, text: str) -> Iterable[str]:
    """Return the requirements of a manifest; one that cannot be read states none, so that every name counts as new."""
    try:
        return requirements(path, text)
    except ValueError:
        return ()
