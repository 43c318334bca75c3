"""Settings of setuptools that move things: packages in folders of other names, entry points in a file of their own."""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from whet.guard.declared.reference import Reference

_FILES_OF_ENTRY_POINTS = re.compile(r"^entry_points\s*=\s*file:\s*(.+)$", re.MULTILINE)


def entry_point_files(manifests: Mapping[str, str]) -> dict[str, str]:
    """Return the files that hold entry points, each with the manifest that names it."""
    found: dict[str, str] = {}
    for manifest, text in manifests.items():
        folder, _, name = manifest.rpartition("/")
        if name == "setup.cfg":
            names = [part for match in _FILES_OF_ENTRY_POINTS.findall(text) for part in match.split(",")]
        elif name == "pyproject.toml":
            dynamic = _setuptools(text).get("dynamic")
            entry = dynamic.get("entry-points") if isinstance(dynamic, dict) else None
            value = entry.get("file") if isinstance(entry, dict) else None
            names = value if isinstance(value, list) else [value]
        else:
            continue
        found |= {f"{folder}/{each.strip()}".lstrip("/"): manifest for each in names if isinstance(each, str)}
    return found


def moved_packages(manifests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return, for each folder with manifests, the folders of packages that are not called like the package."""
    moved: dict[str, dict[str, str]] = {}
    for manifest, text in manifests.items():
        folder, _, name = manifest.rpartition("/")
        reader = {"setup.cfg": _in_setup_cfg, "pyproject.toml": _in_pyproject, "setup.py": _in_setup_py}.get(name)
        if reader is not None:
            moved.setdefault(folder, {}).update(reader(text))
    return moved


def in_moved_package(reference: Reference, moved: Mapping[str, Mapping[str, str]]) -> Iterator[Reference]:
    """Yield the files that a module means if its package lies in a folder of another name."""
    for package, place in moved.get(reference.manifest.rpartition("/")[0], {}).items():
        if reference.is_module and f"{reference.target}.".startswith(f"{package}."):
            inner = reference.target[len(package) :].replace(".", "/")
            for end in (".py", "/__init__.py"):
                target = f"{place.strip('/')}{inner}{end}"
                yield Reference(reference.role, target, reference.manifest, attribute=reference.attribute)


def _setuptools(text: str) -> Mapping[str, Any]:
    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return {}
    found = tool.get("setuptools") if isinstance(tool, dict) else None
    return found if isinstance(found, dict) else {}


def _in_pyproject(text: str) -> dict[str, str]:
    table = _setuptools(text).get("package-dir")
    items = table.items() if isinstance(table, dict) else ()
    return {package: place for package, place in items if package and isinstance(place, str)}


def _in_setup_cfg(text: str) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
        lines = (parser.get("options", "package_dir", fallback="") or "").splitlines()
    except configparser.Error:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {package.strip(): place.strip() for package, equals, place in pairs if package.strip() and equals}


def _in_setup_py(text: str) -> dict[str, str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "package_dir"]
    return {
        key.value: value.value
        for keyword in keywords
        if isinstance(keyword.value, ast.Dict)
        for key, value in zip(keyword.value.keys, keyword.value.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    }
