"""What judges a change although its name does not say so: what lies among tests, and data that only tests read.

Nothing here says that a file is bad. It comes from the base where the change is graded, as tests do, and from the change
where its own tests run.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
_NAME = re.compile(r"\w+(?:\.\w+)*")


def needs_sources(path: str, found: Collection[str]) -> bool:
    """Whether more than its name has to be known: it is no Python, or tests were found in a folder above it."""
    return not path.endswith(".py") or any(_below(path, folder) for test in found for folder in _folders(test))


def is_material(path: str, sources: Mapping[str, str], tests: Collection[str], found: Collection[str]) -> bool:
    """`sources` are the Python files of the base, `tests` those that are tests by name or because tests were `found`."""
    folders = {folder for test in found for folder in _folders(test) if _below(path, folder)}
    if any(_is_for_tests(folder, sources, tests) for folder in folders):
        return True
    return not path.endswith(".py") and _read_by_tests_only(path, sources, tests)


def _is_for_tests(folder: str, sources: Mapping[str, str], tests: Collection[str]) -> bool:
    """Tests in it are about code elsewhere, and no code elsewhere uses what is in it.

    Tests that lie beside what they test are the other case: there are more modules than tests, or one is named for the
    other.
    """
    inside = {path for path in sources if _below(path, folder)}
    its_tests = inside & set(tests)
    modules = {path for path in inside - its_tests if not path.endswith("/__init__.py")}
    if len(modules) > len(its_tests) or any(_named_for(test, path) for test in its_tests for path in modules):
        return False
    roots = _roots(sources)
    used = {path for test in its_tests for path in _imported(test, sources, roots)}
    code = sources.keys() - inside - set(tests)
    return bool(used & code) and not any(inside & _imported(path, sources, roots) for path in code)


def _read_by_tests_only(path: str, sources: Mapping[str, str], tests: Collection[str]) -> bool:
    """Tests name it, and other code names neither it nor the folder that it is in."""
    place = PurePosixPath(path)
    folder = re.compile(rf"""['"/.]{re.escape(place.parent.name)}['"/.]""") if place.parent.name else None
    code = [text for other, text in sources.items() if other not in tests]
    return any(place.name in sources[test] for test in tests if test in sources) and not any(
        place.name in text or (folder and folder.search(text)) for text in code
    )


def _imported(path: str, sources: Mapping[str, str], roots: Collection[str]) -> set[str]:
    """The files of the tree that a file imports, in whatever folder imports may begin."""
    found: set[str] = set()
    for origin, names, modules in _IMPORT.findall(sources[path]):
        wanted = [f"{origin}.{name}" for name in _NAME.findall(names)] if origin else _NAME.findall(modules)
        for module in [origin, *wanted] if origin else wanted:
            found |= set(_files(module, path)) & sources.keys() or {
                file for root in roots for file in _files(module, f"{root}/_" if root else "_") if file in sources
            }
    return found


def _files(module: str, importer: str) -> Iterator[str]:
    """Where a module would lie: from the folder of the file that imports it, or above that for each further dot."""
    name = module.lstrip(".")
    folder = PurePosixPath(importer).parent
    for _ in range(len(module) - len(name) - 1):
        folder = folder.parent
    if name:
        place = (folder / name.replace(".", "/")).as_posix()
        yield from (f"{place}.py", f"{place}/__init__.py")


def _roots(sources: Collection[str]) -> set[str]:
    """Folders in which imports may begin: the first one above each file that is no package."""
    packages = {path.rpartition("/")[0] for path in sources if path.rpartition("/")[2] == "__init__.py"}
    roots = {""}
    for path in sources:
        folder = path.rpartition("/")[0]
        while folder in packages and folder:
            folder = folder.rpartition("/")[0]
        roots.add(folder)
    return roots


def _named_for(test: str, module: str) -> bool:
    stem = PurePosixPath(module).stem
    return PurePosixPath(test).stem.endswith(f"_{stem}") or PurePosixPath(test).stem.startswith(f"{stem}_")


def _folders(path: str) -> list[str]:
    """The folders that a file is in, but for the top one."""
    return [folder.as_posix() for folder in PurePosixPath(path).parents if folder.name]


def _below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")
