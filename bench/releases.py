"""Download releases of packages as source, and copy single functions from one release into another."""

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

from whet.pyast.functions import Function

_INDEX = "https://pypi.org/simple/"
_LINK = re.compile(r'href="([^"]+)"')


def fetch(package: str, version: str, folder: Path) -> Path:
    """Return the unpacked source of a release below `folder`; download it if it is not there."""
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
    """Return the releases that have a source archive, without pre-releases, oldest first."""
    releases = {}
    for name, _, _ in _files(package):
        if match := _archive_name(package, r"(.+?)").fullmatch(name):
            with contextlib.suppress(InvalidVersion):
                releases[Version(match[1])] = match[1]
    return [text for version, text in sorted(releases.items()) if not version.is_prerelease]


def _source(package: str, version: str) -> tuple[str, bytes]:
    archive = _archive_name(package, re.escape(version))
    for name, url, fragment in _files(package):
        if archive.fullmatch(name):
            content = _get(url)
            digest = fragment.removeprefix("sha256=")
            if digest and hashlib.sha256(content).hexdigest() != digest:
                raise OSError(f"{name} does not have the digest that the index gives")
            return name, content
    raise OSError(f"the index has no source of {package} {version}")


def _archive_name(package: str, version: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"[-_.]+", "[-_.]+", package) + rf"-{version}\.(?:tar\.\w+|zip)", re.IGNORECASE)


def _files(package: str) -> Iterator[tuple[str, str, str]]:
    """Yield (file name, address, digest) for each file that the index lists."""
    page = _get(f"{_INDEX}{package}/").decode()
    for link in _LINK.findall(page):
        url, _, fragment = urllib.parse.urljoin(f"{_INDEX}{package}/", link).partition("#")
        yield urllib.parse.unquote(url.rpartition("/")[2]), url, fragment


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as response:
        content: bytes = response.read()
    return content


def with_function_of(old: str, new: str, function: str) -> str:
    """Return `old` with one function replaced by its version in `new`."""
    first, last = _lines(old, function)
    begin, end = _lines(new, function)
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    return "".join([*before[: first - 1], *after[begin - 1 : end], *before[last:]])


def functions_of(text: str) -> dict[str, Function]:
    """Return the functions and methods of a source by qualified name.

    The second definition of a name, such as the setter of a property, has `#2` behind its name.
    """
    functions: dict[str, Function] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                name = f"{prefix}{child.name}"
                known = sum(other.partition("#")[0] == name for other in functions)
                functions[f"{name}#{known + 1}" if known else name] = child
            else:
                visit(child, f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix)

    visit(ast.parse(text), "")
    return functions


def _lines(text: str, function: str) -> tuple[int, int]:
    """Return the first and last line of a function, with its decorators, by its name in `functions_of`."""
    node = functions_of(text)[function]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return first, node.end_lineno or node.lineno
