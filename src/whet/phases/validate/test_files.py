"""Files that belong to the tests although their names do not say so: helpers among tests, and data that only tests read.

Such a file is not suspicious. It is taken from the base where the patch is judged, as test files are, and from the patch
where the patch's own tests run.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n#]*))", re.MULTILINE
)
_NAME = re.compile(r"\w+(?:\.\w+)*")


def needs_sources(path: str, with_tests: Collection[str]) -> bool:
    """True if the name is not enough to tell: the file is not Python, or a folder above it contains tests."""
    return not path.endswith(".py") or any(_is_below(path, folder) for test in with_tests for folder in _folders(test))


def belongs_to_tests(
    path: str, sources: Mapping[str, str], tests: Collection[str], with_tests: Collection[str]
) -> bool:
    """True if the file is in a folder that is there for tests, or is data that only tests read.

    `sources` are the Python files of the base, `with_tests` the files in which the suite found tests, `tests` those and
    the files that are tests by name.
    """
    folders = {folder for test in with_tests for folder in _folders(test) if _is_below(path, folder)}
    if any(_is_test_folder(folder, sources, tests) for folder in folders):
        return True
    return not path.endswith(".py") and _is_read_by_tests_only(path, sources, tests)


def _is_test_folder(folder: str, sources: Mapping[str, str], tests: Collection[str]) -> bool:
    """True if a folder exists for tests: its tests import code outside it, and no code outside imports from it.

    False if tests lie beside the code that they test: there are more modules than tests, or a test is named after one.
    """
    inside = {path for path in sources if _is_below(path, folder)}
    tests_inside = inside & set(tests)
    modules = {path for path in inside - tests_inside if not path.endswith("/__init__.py")}
    if len(modules) > len(tests_inside):
        return False
    if any(_is_named_after(test, module) for test in tests_inside for module in modules):
        return False
    roots = import_roots(sources)
    imported_by_tests = {path for test in tests_inside for path in imported_files(test, sources, roots)}
    code_elsewhere = sources.keys() - inside - set(tests)
    if not imported_by_tests & code_elsewhere:
        return False
    return not any(inside & imported_files(path, sources, roots) for path in code_elsewhere)


def _is_read_by_tests_only(path: str, sources: Mapping[str, str], tests: Collection[str]) -> bool:
    """True if a test contains the file's name, and no other code contains it or the name of its folder."""
    place = PurePosixPath(path)
    if not any(place.name in sources[test] for test in tests if test in sources):
        return False
    folder = re.compile(rf"""['"/.]{re.escape(place.parent.name)}['"/.]""") if place.parent.name else None
    code = [text for other, text in sources.items() if other not in tests]
    return not any(place.name in text or (folder and folder.search(text)) for text in code)


def imported_files(path: str, sources: Mapping[str, str], roots: Collection[str]) -> set[str]:
    """Return the files of the tree that a file imports, relative to itself or to one of the import roots."""
    files: set[str] = set()
    for origin, names, plain_modules in _IMPORT.findall(sources[path]):
        if origin:  # `from origin import names`: each name may be a module of its own
            modules = [origin, *(f"{origin}.{name}" for name in _NAME.findall(names))]
        else:
            modules = _NAME.findall(plain_modules)
        for module in modules:
            near = set(_module_files(module, path)) & sources.keys()
            files |= near or {
                file
                for root in roots
                for file in _module_files(module, f"{root}/_" if root else "_")
                if file in sources
            }  # fmt: skip
    return files


def _module_files(module: str, importer: str) -> Iterator[str]:
    """Yield the paths that a module may have, seen from the folder of the importer; each further dot goes up one."""
    name = module.lstrip(".")
    folder = PurePosixPath(importer).parent
    for _ in range(len(module) - len(name) - 1):
        folder = folder.parent
    if name:
        place = (folder / name.replace(".", "/")).as_posix()
        yield from (f"{place}.py", f"{place}/__init__.py")


def import_roots(sources: Collection[str]) -> set[str]:
    """Return the folders in which imports may begin: for each file, the first folder above it that is not a package."""
    packages = {path.rpartition("/")[0] for path in sources if path.rpartition("/")[2] == "__init__.py"}
    roots = {""}
    for path in sources:
        folder = path.rpartition("/")[0]
        while folder in packages and folder:
            folder = folder.rpartition("/")[0]
        roots.add(folder)
    return roots


def _is_named_after(test: str, module: str) -> bool:
    test_name, module_name = PurePosixPath(test).stem, PurePosixPath(module).stem
    return test_name.endswith(f"_{module_name}") or test_name.startswith(f"{module_name}_")


def _folders(path: str) -> list[str]:
    """Return the folders above a file, without the top one."""
    return [folder.as_posix() for folder in PurePosixPath(path).parents if folder.name]


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")
