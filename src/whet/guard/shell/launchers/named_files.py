"""Protected files that a program is told to read or write inside an argument: `sqlite3 -cmd '.output file'`.

`rules/secrets.py` and `rules/any_command.py` judge words that are a path. Here the path is a part of a word, of
standard input, or of a command language.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import harm_of_writing, is_secret, is_startup_file

_PATH = re.compile(r"(?<![\w.~/-])(?:~|/(?:etc|root|home|proc|var|run))/[\w./~-]+")
_READERS = (
    "apache2", "apache2ctl", "httpd", "apachectl", "nginx", "latex", "pdflatex", "xelatex", "lualatex", "tex",
    "latexmk", "make", "gmake", "wget", "ssh", "scp", "mutt", "socat", "yelp", "cpio", "elvish", "terraform", "tsc", "gdb", "psql",
    "pax", "texlua", "asy", "dvips", "groff", "troff", "enscript", "yq", "dasel", "mlr",
)  # fmt: skip
# How a command language names a file that it writes.
_WRITES = {
    "sqlite3": re.compile(r"\.(?:output|once|backup|save|clone|dump|log)\s+['\"]?([^\s'\"]+)"),
    "gdb": re.compile(
        r"\b(?:dump|append|generate-core-file|gcore|logging\s+file)\b(?:\s+(?:binary|value|memory))*\s+(/\S+)"
    ),
    "make": re.compile(r"\$\(file\s*>>?\s*([^,)]+)"),
    "tar": re.compile(r"s(\W).*?\1(/.*?)\1"),
    "psql": re.compile(r"\\(?:o|g|copy\s+\S+\s+to)\s+['\"]?([^\s'\"|]+)"),
    "mysql": re.compile(r"\b(?:tee|\\T)\s+(\S+)"),
    "redis-cli": re.compile(r"\bdir\s+(/\S+)", re.IGNORECASE),
}
_WRITE_LAST = ("dos2unix", "unix2dos", "mac2unix", "lwp-download", "xxd", "script", "uudecode", "bspatch", "xdelta3")
_OUTPUT_OPTIONS = {
    "screen": "-Logfile -L",
    "nmap": "-oG -oN -oX -oA -oS -oG= -oN= -oX=",
    "exiftool": "-filename= -o -Directory=",
    "tcpdump": "-w",
    "tshark": "-w",
    "strace": "-o",
    "ltrace": "-o",
    "openssl": "-out",
    "as": "-o",
    "ld": "-o",
    "aria2c": "-d --dir",
    "unzip": "-d",
    "7z": "-o",
    "wget2": "-O --output-document",
    "csplit": "-f --prefix",
}
_LONGEST_TRANSFORM = 300  # characters of an argument in which a transformation of names is searched
_USE_KEYS = ("ssh", "scp", "wget", "terraform")
_KEY_FILES = ("~/.ssh/", "/root/.ssh/", "/home/")  # `ssh -F`, `scp -i`: used, not shown


def read_named_file(call: Call, follower: Follower) -> None:
    """Report secret files that are named anywhere in the arguments or on standard input."""
    for path in _paths(call):
        if is_secret(path) and not (call.name in _USE_KEYS and path.startswith(_KEY_FILES)):
            follower.add_danger(call, Harm.SECRETS, f"reads {path}")


def write_named_file(call: Call, follower: Follower) -> None:
    """Report protected files that a command language is told to write."""
    words = (
        call.args
        if call.name != "tar"
        else [word[:_LONGEST_TRANSFORM] for word in call.args if "s" in word and "/" in word]
    )
    for text in (*words, call.stdin or ""):
        if len(text) > MAX_LENGTH:
            follower.follow_effects([TOO_LONG], call, call.name)
            continue
        for match in _WRITES[call.name].finditer(text):
            path = match.groups()[-1].strip()
            harm = harm_of_writing(path)
            if harm is not None:
                follower.add_danger(call, harm, f"writes {path}")


def write_last_operand(call: Call, follower: Follower) -> None:
    """Report a protected file as the last operand of a program that writes its last operand."""
    _report_written(call, call.options.operands[-1:], follower)


def write_option_value(call: Call, follower: Follower) -> None:
    """Report a protected file in an option that names the output of this program."""
    options = _OUTPUT_OPTIONS[call.name].split()
    _report_written(call, [value for option in options for value in values_of(call.args, option)], follower)


def _report_written(call: Call, paths: list[str], follower: Follower) -> None:
    for path in paths:
        harm = harm_of_writing(call.resolve(path.removeprefix("=")))
        if harm is not None:
            follower.add_danger(call, harm, f"writes {path}")


def find_named_file(call: Call, follower: Follower) -> None:
    """Report `find /etc/shadow -exec cat {} ;`, whose starting point is the file that is read, and `-fprint ~/.bashrc`."""
    for option, path in pairwise(call.args):
        if option.startswith(("-fprint", "-fls")) and is_startup_file(call.resolve(path)):
            follower.add_danger(call, Harm.PERSISTENCE, f"replaces {path}")
    starts_command = not {"-exec", "-execdir", "-ok", "-okdir"}.isdisjoint(call.args)
    for word in call.args if starts_command else ():
        if is_secret(word):
            follower.add_danger(call, Harm.SECRETS, f"reads {word}")


def copy_into_container(call: Call, follower: Follower) -> None:
    """Report `docker cp /etc/shadow container:` and a copy out of a container onto a protected file."""
    if "cp" not in call.args[:2]:
        return
    operands = [word for word in call.args[call.args.index("cp") + 1 :] if not word.startswith("-")]
    if len(operands) > 1:
        harm = harm_of_writing(operands[-1])
        if is_secret(operands[0]):
            follower.add_danger(call, Harm.SECRETS, f"reads {operands[0]}")
        if harm is not None:
            follower.add_danger(call, harm, f"writes {operands[-1]}")


def _paths(call: Call) -> Iterator[str]:
    for text in (*call.args, call.stdin or ""):
        if "/" in text:
            yield from _PATH.findall(text)


LAUNCHERS = {
    **dict.fromkeys(_READERS, read_named_file),
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), find_named_file),
    **dict.fromkeys(("docker", "podman", "nerdctl"), copy_into_container),
}
WRITERS = {
    **dict.fromkeys(_WRITES, write_named_file),
    **dict.fromkeys(_WRITE_LAST, write_last_operand),
    **dict.fromkeys(_OUTPUT_OPTIONS, write_option_value),
}
