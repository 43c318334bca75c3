"""Interpreters of other languages: code in an option, on standard input, or in a file of this text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whet.guard.shell.code import awk, python, scripts, sed
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect, RunsCommand
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, PROCESS_FILE, UNKNOWN

_EVEN_WITH_VERSION = re.compile(r"(i?python|pypy|perl|ruby|lua|php|node|guile|tclsh|wish)[\d.]*(-config)?$")


@dataclass(frozen=True, slots=True)
class CodeOption:
    """`code` are the options whose value is code, `valued` the short options that take another word."""

    language: str
    code: tuple[str, ...]
    valued: str = ""


INTERPRETERS = {
    "python": CodeOption("python", ("-c",), "WXm"),
    "pypy": CodeOption("python", ("-c",), "WXm"),
    "ipython": CodeOption("ipython", ("-c", "--command"), ""),
    "perl": CodeOption("perl", ("-e", "-E"), "IMmFx"),
    "ruby": CodeOption("ruby", ("-e",), "IrEFKCx"),
    "jruby": CodeOption("ruby", ("-e",), "IrEFKCx"),
    "irb": CodeOption("ruby", ("-e",), "rI"),
    "byebug": CodeOption("ruby", ("-e",), "rI"),
    "pry": CodeOption("ruby", ("-e",), "rI"),
    "rake": CodeOption("ruby", ("-e", "-p"), "frI"),
    "rails": CodeOption("ruby", (), ""),
    "node": CodeOption("node", ("-e", "--eval", "-p", "--print", "-pe"), "rC"),
    "nodejs": CodeOption("node", ("-e", "--eval", "-p", "--print", "-pe"), "rC"),
    "deno": CodeOption("node", ("eval",), ""),
    "bun": CodeOption("node", ("-e", "--eval"), ""),
    "php": CodeOption("php", ("-r", "-B", "-R", "-E"), "cdfz"),
    "lua": CodeOption("lua", ("-e",), "l"),
    "luajit": CodeOption("lua", ("-e",), "l"),
    "lualatex": CodeOption("tex", (), ""),
    "julia": CodeOption("julia", ("-e", "-E", "--eval"), ""),
    "Rscript": CodeOption("R", ("-e",), ""),
    "R": CodeOption("R", ("-e",), ""),
    "octave": CodeOption("octave", ("--eval",), ""),
    "octave-cli": CodeOption("octave", ("--eval",), ""),
    "guile": CodeOption("scheme", ("-c",), ""),
    "sbcl": CodeOption("lisp", ("--eval",), ""),
    "emacs": CodeOption("lisp", ("--eval", "--execute", "-eval"), ""),
    "gimp": CodeOption("scheme", ("-b",), ""),
    "ghc": CodeOption("haskell", ("-e",), ""),
    "ghci": CodeOption("haskell", ("-e",), ""),
    "scala": CodeOption("scala", ("-e",), ""),
    "groovy": CodeOption("groovy", ("-e",), ""),
    "jshell": CodeOption("java", (), ""),
    "jjs": CodeOption("javascript", (), ""),
    "jrunscript": CodeOption("javascript", ("-e",), "l"),
    "elixir": CodeOption("elixir", ("-e", "--eval"), ""),
    "erl": CodeOption("erlang", ("-eval",), ""),
    "osascript": CodeOption("applescript", ("-e",), ""),
    "expect": CodeOption("expect", ("-c",), ""),
    "tclsh": CodeOption("tcl", (), ""),
    "wish": CodeOption("tcl", (), ""),
    "puppet": CodeOption("puppet", ("-e", "--execute"), ""),
    "perlbug": CodeOption("perl", ("-e",), "s"),
    "gawk-lint": CodeOption("awk", (), ""),
    "ghci-typed": CodeOption("haskell", ("-e",), ""),
    "sqlmap": CodeOption("python", ("--eval",), "u"),
    "scrapy": CodeOption("python", ("-c",), ""),
    "cpan": CodeOption("perl", (), ""),
    "pdb": CodeOption("python", ("-c",), ""),
    "ipdb": CodeOption("python", ("-c",), ""),
    "bpython": CodeOption("python", ("-c",), ""),
    "ptpython": CodeOption("python", ("-c",), ""),
    "exiftool": CodeOption("perl", ("-if",), ""),
    "bpftrace": CodeOption("bpftrace", ("-e",), "p"),
}
_BANG = re.compile(r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:!+|%{1,2}(?:sx|system|bash|sh)\b)[ \t]*(.+)$", re.MULTILINE)
_MAGIC = re.compile(r"^[ \t]*%{1,2}\w+[ \t]*(?:-\w+[ \t]*\w*[ \t]+)*", re.MULTILINE)
_SPAWN = re.compile(
    r"(?:^|[;\s\"({\[])(?:spawn|exec|term|shell-command|system|start-process|callCommand|run|cmd|do shell script|call-process|ansi-term|eshell)\s*[\s(`\"'{]+\s*[\"'`]?([^\"'`;)}\]]+)"
)
_CALL_PROCESS = re.compile(r"\((?:call|start|make)-process\b([^()]*)")
_WRITE18 = re.compile(r"\\(?:immediate\s*\\)?write18\s*\{([^}]*)\}")


def interpret(call: Call, follower: Follower) -> None:
    interpreter = INTERPRETERS[_plain_name(call.name)]
    codes = list(_codes(call, interpreter))
    for code in codes:
        _read(code, interpreter.language, call, follower)
    if codes:
        return
    operands = [word for word in _operands(call.args, interpreter.valued) if word != "-"]
    module = _module(call) if interpreter.language == "python" else None
    if module:
        _as_module(module, call, follower)
    elif operands:
        text = text_of_file(call, operands[0], follower)
        if text is not None:
            _read(text, interpreter.language, call, follower)
    elif (call.stdin is not None and interpreter.code) or (
        interpreter.language in ("tcl", "javascript", "java") and call.stdin is not None
    ):
        _read(call.stdin, interpreter.language, call, follower)


def _codes(call: Call, interpreter: CodeOption) -> Iterator[str]:
    """An option may be the last of a cluster (`perl -ne`), or have its code glued to it (`perl -e'...'`)."""
    args = call.args
    for place, word in enumerate(args):
        if not word.startswith("-"):
            if word in interpreter.code and place + 1 < len(args):
                yield args[place + 1]
            elif (
                word.startswith("-") is False
                and word not in ("-",)
                and not _follows_valued(args, place, interpreter.valued)
            ):
                return
            continue
        for option in interpreter.code:
            if word == option:
                yield args[place + 1] if place + 1 < len(args) else UNKNOWN
                if interpreter.language == "python":
                    return
            elif option.startswith("--") and word.startswith(f"{option}="):
                yield word[len(option) + 1 :]
            elif (
                len(option) == 2
                and not word.startswith("--")
                and option[1] in word[1:]
                and not _is_valued(word, interpreter, option[1])
            ):
                glued = word[word.index(option[1], 1) + 1 :]
                yield glued or (args[place + 1] if place + 1 < len(args) else UNKNOWN)


def _is_valued(word: str, interpreter: CodeOption, letter: str) -> bool:
    return any(one in interpreter.valued for one in word[1 : word.index(letter, 1)])


def _follows_valued(args: list[str], place: int, valued: str) -> bool:
    before = args[place - 1] if place else ""
    return (len(before) > 1 and before[0] == "-" and before[1] != "-" and before[-1] in valued) or before in (
        "-e",
        "-E",
        "-c",
        "-r",
    )


def _operands(args: list[str], valued: str) -> list[str]:
    return [
        word for place, word in enumerate(args) if not word.startswith("-") and not _follows_valued(args, place, valued)
    ]


def _module(call: Call) -> str:
    for place, word in enumerate(call.args):
        if word == "-m" or (word.startswith("-m") and len(word) > 2):
            return word[2:] or (call.args[place + 1] if place + 1 < len(call.args) else "")
        if not word.startswith("-"):
            return ""
    return ""


def _as_module(module: str, call: Call, follower: Follower) -> None:
    """`python -m pip` is pip."""
    place = next((at for at, word in enumerate(call.args) if module in word), len(call.args))
    rest = call.args[place + 1 :]
    if module in ("pip", "twine", "ansible", "poetry", "pty", "fabric", "invoke"):
        follower.follow_command([module, *rest], call, "python -m")
    elif module in ("http.server", "SimpleHTTPServer"):
        folders = [value for option in ("-d", "--directory") for value in values_of(rest, option)]
        served = next((one for one in folders or [call.cwd] if is_private(one or "x") and one not in (".", "./")), None)
        if served:
            follower.add_danger(call, Harm.EXFILTRATION, f"serves {served} to the network")


def _read(code: str, language: str, call: Call, follower: Follower) -> None:
    label = f"{language} code"
    if FROM_NETWORK in code:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, f"runs {language} code from the network")
    if DECODED in code:
        follower.add_danger(call, Harm.ENCODED, f"runs {language} code that is decoded first")
        code = code.replace(DECODED, "")
    if code.strip() == UNKNOWN or code.startswith(PROCESS_FILE):
        follower.state.add_unresolved(f"the {language} code is not known", call.span)
        return
    follower.follow_effects(effects(code, language), call, label)


def effects(code: str, language: str) -> Iterable[CodeEffect]:
    if language == "ipython":
        yield from (RunsCommand(text) for text in _BANG.findall(code))
        code, language = _MAGIC.sub("", _BANG.sub("", code)), "python"
    if language == "python":
        yield from python.effects(code)
        return
    yield from scripts.effects(code, language)
    if language not in ("perl", "ruby", "php", "node", "lua"):
        yield from (RunsCommand(text.strip()) for text in _SPAWN.findall(code))
        yield from (RunsCommand(text) for text in _WRITE18.findall(code))
        yield from (RunsCommand(" ".join(re.findall(r'"([^"]*)"', words))) for words in _CALL_PROCESS.findall(code))


def from_address(call: Call, follower: Follower) -> None:
    """`deno run -A https://...`: with every right it is `curl | sh`; without, deno itself stands between."""
    interpret(call, follower)
    free = call.name != "deno" or call.options.has("A", "allow-all", "allow-run", "allow-ffi", "allow-write")
    if free and any(word.startswith(("http://", "https://", "data:")) for word in call.options.operands):
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "runs code from the network")


def runner(call: Call, follower: Follower) -> None:
    """`curl x | go run -`: languages that are compiled on the way."""
    if call.stdin is not None and FROM_NETWORK in call.stdin and not {"-", "/dev/stdin"}.isdisjoint(call.args):
        follower.add_danger(call, Harm.PIPE_TO_SHELL, f"runs {call.name} code from the network")


def awk_program(call: Call, follower: Follower) -> None:
    operands = [
        word
        for place, word in enumerate(call.args)
        if not word.startswith("-") and (not place or call.args[place - 1] not in ("-F", "-v", "-f"))
    ]
    given = [word for place, word in enumerate(call.args) if place and call.args[place - 1] in ("-e", "--source")]
    files = _from_files(call, follower)
    for program in (*files, *(given or operands[: not files])):
        follower.follow_effects(awk.effects(program), call, "awk program")


def _from_files(call: Call, follower: Follower) -> list[str]:
    """The programs of `-f`, where this very text wrote them or feeds them."""
    named = [value for option in ("-f", "--file") for value in values_of(call.args, option)]
    fed = [call.stdin for path in named if path in ("-", "/dev/stdin") and call.stdin]
    return fed + [text for path in named if (text := text_of_file(call, path, follower))]


def sed_script(call: Call, follower: Follower) -> None:
    scripts_given = call.options.value("e", "expression") or call.options.operands[:1]
    scripts_given = [*_from_files(call, follower), *scripts_given]
    for script in scripts_given:
        follower.follow_effects(sed.effects(script), call, "sed script")


def tex(call: Call, follower: Follower) -> None:
    escapes = any(word.lstrip("-").startswith(("shell-escape", "enable-write18")) for word in call.args)
    for text in _WRITE18.findall(" ".join(call.args)):
        follower.follow_text(text, call, "write18")
    if escapes and any("write18" in word for word in call.args):
        follower.add_danger(call, Harm.SHELL_ESCAPE, "lets a document run commands")


def _plain_name(name: str) -> str:
    if name in INTERPRETERS:
        return name
    match = _EVEN_WITH_VERSION.match(name)
    return match[1] if match else name


LAUNCHERS = (
    dict.fromkeys(INTERPRETERS, interpret)
    | dict.fromkeys(("deno", "bun"), from_address)
    | dict.fromkeys(("awk", "gawk", "mawk", "nawk", "original-awk"), awk_program)
    | dict.fromkeys(("sed", "gsed"), sed_script)
    | dict.fromkeys(("go", "swift", "tsx", "ts-node", "crystal", "nim", "java", "dotnet", "kotlin", "cargo", "rust-script"), runner)
    | dict.fromkeys(("latex", "pdflatex", "xelatex", "lualatex", "tex", "pdftex"), tex)
    | {f"{name}{version}": interpret for name, versions in {
        "python": ("2", "3", "2.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"), "pypy": ("3",), "perl": ("5",),
        "lua": ("5.1", "5.2", "5.3", "5.4"), "php": ("7", "8", "7.4", "8.1", "8.2", "8.3"), "ruby": ("2.7", "3.0", "3.1", "3.2", "3.3"),
        "tclsh": ("8.6", "9.0"), "ipython": ("3",),
    }.items() for version in versions}
)  # fmt: skip
