"""Find shared libraries that code of any language loads, and tell whether a path is an installed one."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, CausesHarm, CodeEffect
from whet.guard.shell.model.harm import Harm

_INSTALLED = ("/usr/", "/opt/", "/lib", "/bin/", "/etc/", "/nix/store/", "/snap/")
_FILE = re.compile(r".*(/|\.(so|dylib|dll|jar)(\.\d+)*$)|\.\.?$")
_FOREIGN_BEGINNINGS = ("/", "../..", "data:", "http://", "https://")
# ctypes, fiddle, DynaLoader, package.loadlib, process.dlopen, dyn.load and their like, with a literal path.
_LOADS = re.compile(
    r"\b(?:LoadLibrary|CDLL|PyDLL|WinDLL|dlopen|loadlib|dl_load_file|dyn\.load|dynamic-link|load-shared-object"
    r"|load-foreign-library|FFI::load|System\.load|ccall|ffi\.load|ffi_lib)\b[^\"'\n]{0,40}[\"']([^\"'\n]+)[\"']"
    r"|^\s*load\s+(/\S+\.so\S*)",
    re.MULTILINE,
)


def is_library_file(path: str) -> bool:
    """True if a value names a file, and not one in a folder of installed programs."""
    return _FILE.match(path) is not None and not path.startswith(_INSTALLED)


def is_foreign_library(path: str) -> bool:
    """True if a value names a file that belongs neither to an installed program nor to the project."""
    return path.startswith(_FOREIGN_BEGINNINGS) and is_library_file(path)


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the libraries that the code loads from places where neither a package nor the project puts them."""
    if len(code) > MAX_LENGTH:
        return
    for groups in _LOADS.findall(code):
        path = "".join(groups)
        if is_foreign_library(path):
            yield CausesHarm(Harm.SHELL_ESCAPE, f"the {language} code loads the library {path}")
