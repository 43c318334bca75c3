"""Collect the files that manifests declare (entry points, build hooks, plug-ins, scripts), by path, with their roles."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from whet.guard.declared.ini_manifests import ini_references
from whet.guard.declared.reference import Declared, Reference, Role
from whet.guard.declared.resolve import files_of
from whet.guard.declared.runner_plugins import plugin_references
from whet.guard.declared.scripts import RUNNERS, mkdocs_references, script_references
from whet.guard.declared.setup_script import as_section, setup_references
from whet.guard.declared.setuptools_layout import entry_point_files, in_moved_package, moved_packages
from whet.guard.declared.toml_manifests import toml_references
from whet.guard.paths.patterns import fold, patterns
from whet.pyast.imports import absolute_module

_READERS: Mapping[str, Callable[[str, str], Iterator[Reference]]] = {
    "pyproject.toml": toml_references,
    "hatch.toml": toml_references,
    "pytest.toml": toml_references,
    ".pytest.toml": toml_references,
    "pylintrc.toml": toml_references,
    ".pylintrc.toml": toml_references,
    ".coveragerc.toml": toml_references,
    "setup.py": setup_references,
    "setup.cfg": ini_references,
    "tox.ini": ini_references,
    "pytest.ini": ini_references,
    ".pytest.ini": ini_references,
    "mypy.ini": ini_references,
    ".mypy.ini": ini_references,
    ".coveragerc": ini_references,
    ".pylintrc": ini_references,
    "pylintrc": ini_references,
    ".flake8": ini_references,
    "conftest.py": plugin_references,
    "mkdocs.yml": mkdocs_references,
    "mkdocs.yaml": mkdocs_references,
}
_MOST_HOPS = 5
# Entry points that a build wrote. A tracked folder beside the sources makes them installed for every interpreter there.
_INSTALLED = re.compile(r"((?:.*/)?[^/]+\.(?:egg|dist)-info)/entry_points\.txt")
_PY_MODULES = re.compile(r"py[-_]modules\s*=\s*(\[[^\]]*\]|(?:[^\n]*\n)(?:[ \t]+[^\n]*\n)*)")


def is_manifest(path: str) -> bool:
    """True if `declared_files` reads the file."""
    is_known = path.rpartition("/")[2] in _READERS or _INSTALLED.fullmatch(path) is not None
    return is_known or patterns(RUNNERS).catches(path) is not None


def declared_files(
    manifests: Mapping[str, str], paths: Collection[str], read: Callable[[Collection[str]], Mapping[str, str]]
) -> dict[str, tuple[Declared, ...]]:
    """Return the roles of files by folded path, the gravest first.

    `manifests` are the texts of the manifests by path, `paths` all files of the tree. `read` returns the texts of
    files: an entry point that is only re-exported is followed to the module that defines it.
    """
    manifests = {path: text.removeprefix("\ufeff") for path, text in manifests.items()}
    named_files = {file: manifest for file, manifest in entry_point_files(manifests).items() if file in paths}
    moved = moved_packages(manifests)
    stated = [*_references(manifests), *_entry_points_in(read(sorted(named_files)) if named_files else {}, named_files)]
    references = list(dict.fromkeys(_without_shipped_modules(stated, manifests)))
    roles: dict[str, dict[Declared, None]] = {}
    for _ in range(_MOST_HOPS):
        references += [file for reference in references for file in in_moved_package(reference, moved)]
        named = [(reference, path) for reference in references for path in files_of(reference, paths)]
        for reference, path in named:
            declared = Declared(reference.role, reference.manifest, reference.attribute)
            roles.setdefault(fold(path), {})[declared] = None
        exporting = [(reference, path) for reference, path in named if reference.attribute and path in paths]
        texts = read(sorted({path for _, path in exporting})) if exporting else {}
        references = [
            followed for reference, path in exporting for followed in _re_exported(reference, path, texts.get(path, ""))
        ]
        if not references:
            break
    order = list(Role)
    return {
        path: tuple(sorted(references, key=lambda reference: order.index(reference.role)))
        for path, references in roles.items()
    }


def _entry_points_in(texts: Mapping[str, str], named_by: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the references of files that hold entry points, and the files themselves: a change there adds commands."""
    for path, text in texts.items():
        manifest = named_by[path]
        yield Reference(Role.ENTRY_POINT, path.removeprefix(manifest.rpartition("/")[0]).lstrip("/"), manifest)
        yield from ini_references(manifest, as_section(text))


def _references(manifests: Mapping[str, str]) -> Iterator[Reference]:
    for path, text in manifests.items():
        reader = _READERS.get(path.rpartition("/")[2])
        if reader is not None:
            yield from reader(path, text)
        if patterns(RUNNERS).catches(path) is not None:
            yield from script_references(path, text)
        if installed := _INSTALLED.fullmatch(path):
            # Named without the file, so that modules are looked for beside the folder and not in it.
            yield from _entry_points_in({path: text}, {path: installed[1]})


def _without_shipped_modules(references: Iterable[Reference], manifests: Mapping[str, str]) -> Iterator[Reference]:
    """Yield the references. A file beside setup.py that another manifest ships (`py_modules`) is not a build hook."""
    for reference in references:
        if reference.role == Role.BUILD_HOOK and reference.manifest.endswith("setup.py"):
            folder = reference.manifest.removesuffix("setup.py")
            stated = " ".join(
                names
                for name in ("setup.cfg", "pyproject.toml")
                for names in _PY_MODULES.findall(manifests.get(folder + name, ""))
            )
            if reference.target.removesuffix(".py") in re.findall(r"\w+", stated):
                yield Reference(Role.BUILD_IMPORT, reference.target, reference.manifest)
                continue
        yield reference


def _re_exported(reference: Reference, path: str, text: str) -> Iterator[Reference]:
    """Yield the reference to the module from which `path` imports the attribute; none if it defines it itself."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    name = reference.attribute.partition(".")[0]
    module = reference.target if reference.is_module else ""
    package = module if path.endswith("/__init__.py") else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                source = absolute_module(node, package)
                if source and (alias.asname or alias.name) == name:
                    yield Reference(reference.role, source, reference.manifest, is_module=True, attribute=alias.name)
