"""Other names of the same program: versions (`clang-15`), alternatives (`vim.tiny`), GNU tools with a prefix (`gtar`)."""

import re
from collections.abc import Iterator
from functools import lru_cache

_ALTERNATIVE = re.compile(
    r"\.(?:basic|tiny|nox|gtk\d?|gnome|athena|motif|traditional|openbsd|gnu|real|distrib|original|static|exe|bin)$"
)
# `clang-15`, `perl5.36`; a number without dash or dot only for languages, because `command1` is another command.
_VERSION = re.compile(r"-v?\d+(?:\.\d+)*[a-z]?$|\d+(?:\.\d+)+[a-z]?$")
_LANGUAGE_VERSION = re.compile(
    r"(python|pypy|perl|ruby|lua|luajit|php|node|tclsh|wish|guile|ghc|emacs|nc|gawk)\d+[a-z]?"
)
# The GNU tools of other systems: `gtar`, `gfind`, `gxargs`.
_GNU_TOOLS = frozenset({
    "tar", "find", "xargs", "sed", "awk", "cp", "mv", "rm", "dd", "ln", "install", "shred", "chmod", "chown", "sort",
    "split", "env", "timeout", "nice", "nohup", "stdbuf", "cat", "head", "tail", "tee", "truncate", "chroot", "kill",
    "unlink", "mkdir", "touch", "base64", "date", "cut", "tr", "id", "stat",
})  # fmt: skip
# A program of a package: `nixpkgs#ruff`, `ruff@latest`, `ruff==0.4`, `ruff[extra]`.
_OF_PACKAGE = re.compile(r"(?:[^#\s]*#)?([A-Za-z][\w.-]*)(?:\[[\w,-]*\])?(?:(?:@|[=~<>!]=).*)?")
OTHER_NAMES = {
    "bsdtar": "tar",
    "star": "tar",
    "bsdcpio": "cpio",
    "nodejs": "node",
    "vimx": "vim",
    "neovim": "nvim",
    "gview": "view",
    "evim": "vim",
    "slogin": "ssh",
}


@lru_cache(maxsize=4096)
def canonical_names(name: str) -> tuple[str, ...]:
    """Return the names under which the tables may know a program of this name, without the name itself."""
    return tuple(dict.fromkeys(other for other in _candidates(name) if len(other) > 1 and other != name))


def _candidates(name: str) -> Iterator[str]:
    if name in OTHER_NAMES:
        yield OTHER_NAMES[name]
    package = _OF_PACKAGE.fullmatch(name)
    if package is not None:
        yield package[1]
    plain = _ALTERNATIVE.sub("", name)
    yield plain
    yield _VERSION.sub("", plain)
    language = _LANGUAGE_VERSION.fullmatch(plain)
    if language is not None:
        yield language[1]
    if name[:1] == "g" and name[1:] in _GNU_TOOLS:
        yield name[1:]
