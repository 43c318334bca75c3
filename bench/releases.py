"""Releases of real packages as source, and what one release fixed in another, as a patch of one function."""

import ast
import contextlib
import hashlib
import io
import re
import tarfile
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.version import InvalidVersion, Version

_INDEX = "https://pypi.org/simple/"
_LINK = re.compile(r'href="([^"]+)"')


def fetch(package: str, version: str, folder: Path) -> Path:
    """The unpacked source of a release below `folder`; asked for once."""
    place = folder / f"{package}-{version}"
    if not place.exists():
        name, content = _source(package, version)
        place.mkdir(parents=True)
        if name.endswith(".zip"):
            zipfile.ZipFile(io.BytesIO(content)).extractall(place)
        else:
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                archive.extractall(place, filter="data")
    return next(path for path in place.iterdir() if path.is_dir())


def versions(package: str) -> list[str]:
    """Every finished release of which there is a source, oldest first."""
    found = {}
    for name, _, _ in _files(package):
        if version := _named(package, r"(.+?)").fullmatch(name):
            with contextlib.suppress(InvalidVersion):
                found[Version(version[1])] = version[1]
    return [text for version, text in sorted(found.items()) if not version.is_prerelease]


def _source(package: str, version: str) -> tuple[str, bytes]:
    wanted = _named(package, re.escape(version))
    for name, url, fragment in _files(package):
        if wanted.fullmatch(name):
            content = _get(url)
            digest = fragment.removeprefix("sha256=")
            if digest and hashlib.sha256(content).hexdigest() != digest:
                raise OSError(f"{name} is not what the index says")
            return name, content
    raise OSError(f"the index has no source of {package} {version}")


def _named(package: str, version: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"[-_.]+", "[-_.]+", package) + rf"-{version}\.(?:tar\.\w+|zip)", re.IGNORECASE)


def _files(package: str) -> Iterator[tuple[str, str, str]]:
    """Name, address and what the index says of the content."""
    page = _get(f"{_INDEX}{package}/").decode()
    for link in _LINK.findall(page):
        url, _, fragment = urllib.parse.urljoin(f"{_INDEX}{package}/", link).partition("#")
        yield urllib.parse.unquote(url.rpartition("/")[2]), url, fragment


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def with_function_of(old: str, new: str, function: str) -> str:
    """`old` with one function as it is in `new`."""
    first, last = _place(old, function)
    begin, end = _place(new, function)
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    return "".join([*before[: first - 1], *after[begin - 1 : end], *before[last:]])


def _place(text: str, function: str) -> tuple[int, int]:
    *above, name = function.split(".")
    tree: ast.AST = ast.parse(text)
    for outer in above:
        tree = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == outer)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno or node.lineno
    raise LookupError(function)
