"""From references to files: the paths that a module name or a relative path can mean in a tree."""

from collections.abc import Collection

from whet.guard.declared.reference import Reference, Role

_SOURCE_FOLDERS = ("", "src/", "lib/", "python/")


def files_of(reference: Reference, paths: Collection[str]) -> set[str]:
    """Return the files that a reference can mean.

    Files that do not exist yet are included: a change may add them. A module of a package is also found in an
    unusual source folder, by the end of its path.
    """
    folder = reference.manifest.rpartition("/")[0]
    # The test runner imports plug-ins from the top of the repository, wherever conftest.py lies.
    prefix = f"{folder}/" if folder and reference.role != Role.TEST_PLUGIN else ""
    if not reference.is_module:
        return _files_at(reference.target, prefix, paths)
    module = reference.target.replace(".", "/").strip("/")
    if not module:
        return set()
    ends = (f"{module}.py", f"{module}/__init__.py")
    files = {f"{prefix}{source}{end}" for source in _SOURCE_FOLDERS for end in ends}
    if "/" in module:
        tails = tuple(f"/{end}" for end in ends)
        files |= {path for path in paths if path.startswith(prefix) and path.endswith(tails)}
    return files


def _files_at(target: str, prefix: str, paths: Collection[str]) -> set[str]:
    """Return the file at a relative path, or every file below a folder (`target` ends with a slash)."""
    place = _normal(prefix + target)
    if target.endswith("/"):
        return {path for path in paths if path.startswith(f"{place}/")}
    # A pipeline deep in the tree starts its commands at the top of the repository.
    return {place, _normal(target)}


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts)
