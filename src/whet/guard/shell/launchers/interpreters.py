"""Interpreters of other languages: code in an option, on standard input, or in a file that the command text wrote."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whet.guard.shell.code import (
    awk,
    loaded_libraries,
    python,
    saved_downloads,
    scripts,
    sed,
    sent_files,
    starting_calls,
)
from whet.guard.shell.code.destruction import deletes_arguments, deletes_input
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import LEFT_OUT, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, PROCESS_FILE, UNKNOWN


@dataclass(frozen=True, slots=True)
class CodeInterpreter:
    """`code` are the options whose value is code, `valued` the short options that take another word."""

    language: str
    code: tuple[str, ...]
    valued: str = ""


INTERPRETERS = {
    "python": CodeInterpreter("python", ("-c",), "WXm"),
    "pypy": CodeInterpreter("python", ("-c",), "WXm"),
    "ipython": CodeInterpreter("ipython", ("-c", "--command")),
    "perl": CodeInterpreter("perl", ("-e", "-E"), "IMmFx"),
    "ruby": CodeInterpreter("ruby", ("-e",), "IrEFKCx"),
    "jruby": CodeInterpreter("ruby", ("-e",), "IrEFKCx"),
    "irb": CodeInterpreter("ruby", ("-e",), "rI"),
    "byebug": CodeInterpreter("ruby", ("-e",), "rI"),
    "pry": CodeInterpreter("ruby", ("-e",), "rI"),
    "rake": CodeInterpreter("ruby", ("-e", "-p"), "frI"),
    "rails": CodeInterpreter("ruby", ()),
    "node": CodeInterpreter("node", ("-e", "--eval", "-p", "--print", "-pe"), "rC"),
    "nodejs": CodeInterpreter("node", ("-e", "--eval", "-p", "--print", "-pe"), "rC"),
    "deno": CodeInterpreter("node", ("eval",)),
    "bun": CodeInterpreter("node", ("-e", "--eval")),
    "php": CodeInterpreter("php", ("-r", "-B", "-R", "-E"), "cdfz"),
    "lua": CodeInterpreter("lua", ("-e",), "l"),
    "luajit": CodeInterpreter("lua", ("-e",), "l"),
    "lualatex": CodeInterpreter("tex", ()),
    "julia": CodeInterpreter("julia", ("-e", "-E", "--eval")),
    "Rscript": CodeInterpreter("R", ("-e",)),
    "R": CodeInterpreter("R", ("-e",)),
    "octave": CodeInterpreter("octave", ("--eval",)),
    "octave-cli": CodeInterpreter("octave", ("--eval",)),
    "guile": CodeInterpreter("scheme", ("-c",)),
    "sbcl": CodeInterpreter("lisp", ("--eval",)),
    "emacs": CodeInterpreter("lisp", ("--eval", "--execute", "-eval")),
    "gimp": CodeInterpreter("scheme", ("-b",)),
    "ghc": CodeInterpreter("haskell", ("-e",)),
    "ghci": CodeInterpreter("haskell", ("-e",)),
    "scala": CodeInterpreter("scala", ("-e",)),
    "groovy": CodeInterpreter("groovy", ("-e",)),
    "jshell": CodeInterpreter("java", ()),
    "jjs": CodeInterpreter("javascript", ()),
    "jrunscript": CodeInterpreter("javascript", ("-e",), "l"),
    "elixir": CodeInterpreter("elixir", ("-e", "--eval")),
    "erl": CodeInterpreter("erlang", ("-eval",)),
    "osascript": CodeInterpreter("applescript", ("-e",)),
    "expect": CodeInterpreter("expect", ("-c",)),
    "tclsh": CodeInterpreter("tcl", ()),
    "wish": CodeInterpreter("tcl", ()),
    "puppet": CodeInterpreter("puppet", ("-e", "--execute")),
    "perlbug": CodeInterpreter("perl", ("-e",), "s"),
    "gawk-lint": CodeInterpreter("awk", ()),
    "ghci-typed": CodeInterpreter("haskell", ("-e",)),
    "sqlmap": CodeInterpreter("python", ("--eval",), "u"),
    "scrapy": CodeInterpreter("python", ("-c",)),
    "cpan": CodeInterpreter("perl", ()),
    "pdb": CodeInterpreter("python", ("-c",)),
    "ipdb": CodeInterpreter("python", ("-c",)),
    "bpython": CodeInterpreter("python", ("-c",)),
    "ptpython": CodeInterpreter("python", ("-c",)),
    "exiftool": CodeInterpreter("perl", ("-if",)),
    "bpftrace": CodeInterpreter("bpftrace", ("-e",), "p"),
}
_VERSIONED_NAME = re.compile(r"(i?python|pypy|perl|ruby|lua|php|node|guile|tclsh|wish)[\d.]*(-config)?$")
_READ_STDIN_WITHOUT_CODE_OPTION = ("tcl", "javascript", "java")
_HAVE_CALL_PATTERNS = ("perl", "ruby", "php", "node", "lua")  # `code/scripts.py` knows all their ways to start commands
# Lines of IPython that run a shell command: `!ls`, `x = !ls`, `%sx ls`.
_TYPED_IN_TERMINAL = re.compile(r'\b(?:do script|write text|keystroke)\s+"((?:[^"\\]|\\.)*)"')  # AppleScript
_IPYTHON_COMMAND = re.compile(
    r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:!+|%{1,2}(?:sx|system|bash|sh)\b)[ \t]*(.+)$", re.MULTILINE
)
_IPYTHON_MAGIC = re.compile(r"^[ \t]*%{1,2}\w+[ \t]*(?:-\w+[ \t]*\w*[ \t]+)*", re.MULTILINE)
# Ways to start a command in Expect, Lisp, Haskell, AppleScript and others.
_STARTS_COMMAND = re.compile(
    r"(?:^|[;\s\"({\[])(?:spawn|exec|term|shell-command|system|start-process|callCommand|run|cmd|do shell script"
    r"|call-process|ansi-term|eshell)\s*[\s(`\"'{]+\s*[\"'`]?([^\"'`;)}\]]+)"
)
_LISP_PROCESS = re.compile(r"\((?:call|start|make)-process\b([^()]*)")
_TEX_WRITE18 = re.compile(r"\\(?:immediate\s*\\)?write18\s*\{([^}]*)\}")
_MAX_EVALUATIONS = 3  # of code within code: `eval "eval ..."`
_PHP_SILENCER = re.compile(r"@(?=\w+\s*\()")  # `@popen(...)` reports no errors
_MODULE_OPTION = re.compile(r"-[bBdEhiIOPqRsSuvx?]*m(.*)")  # `-m module`, `-mmodule`, `-Im module`
_MODULES_THAT_ARE_COMMANDS = ("pip", "twine", "ansible", "poetry", "pty", "fabric", "invoke", "sqlite3")


def interpret(call: Call, follower: Follower) -> None:
    """Judge the code that an interpreter is given in options, or else in a module, a file or standard input."""
    interpreter = INTERPRETERS[without_version(call.name)]
    codes = list(_codes_in_options(call, interpreter))
    for code in codes:
        _judge_code(code, interpreter.language, call, follower)
    if codes:
        return
    operands = _operands(call.args, interpreter.valued)
    if "-" in call.args[: call.args.index(operands[0])] if operands else ():
        operands = []  # the code is standard input, and the other words are its arguments
    module = _python_module(call) if interpreter.language == "python" else ""
    reads_stdin = bool(interpreter.code) or interpreter.language in _READ_STDIN_WITHOUT_CODE_OPTION
    if module:
        _run_python_module(module, call, follower)
    elif operands:
        if operands[0].endswith("whet/__main__.py"):
            follower.follow_command(["whet", *operands[1:]], call, "python")
        text = text_of_file(call, operands[0], follower)
        if text is not None:
            _judge_code(text, interpreter.language, call, follower)
    elif call.stdin is not None and reads_stdin:
        _judge_code(call.stdin, interpreter.language, call, follower)


def _codes_in_options(call: Call, interpreter: CodeInterpreter) -> Iterator[str]:
    """Yield code in options: alone, last in a cluster (`perl -ne`), or attached (`perl -e'...'`)."""
    args = call.args
    for index, word in enumerate(args):
        following = args[index + 1] if index + 1 < len(args) else UNKNOWN
        if not word.startswith("-"):
            if word in interpreter.code and index + 1 < len(args):
                yield following  # `deno eval CODE`
            elif not _is_option_value(args, index, interpreter.valued):
                return  # the script; the words after it are its arguments
            continue
        for option in interpreter.code:
            if word == option:
                yield following
                if interpreter.language == "python":
                    return  # the words after the code are its arguments
            elif option.startswith("--"):
                if word.startswith(f"{option}="):
                    yield word[len(option) + 1 :]
            elif _has_letter(word, option, interpreter.valued):
                yield word[word.index(option[1], 1) + 1 :] or following


def _has_letter(word: str, option: str, valued: str) -> bool:
    """True if a cluster contains a short option, and not as part of another option's value."""
    if len(option) != 2 or word.startswith("--") or option[1] not in word[1:]:
        return False
    return not any(letter in valued for letter in word[1 : word.index(option[1], 1)])


def _is_option_value(args: list[str], index: int, valued: str) -> bool:
    """True if the word before takes this word as its value."""
    before = args[index - 1] if index else ""
    is_cluster = len(before) > 1 and before[0] == "-" and before[1] != "-"
    return (is_cluster and before[-1] in valued) or before in ("-e", "-E", "-c", "-r")


def _operands(args: list[str], valued: str) -> list[str]:
    return [
        word
        for index, word in enumerate(args)
        if not word.startswith("-") and not _is_option_value(args, index, valued)
    ]


def _python_module(call: Call) -> str:
    """Return the module of `python -m module`, or ""."""
    words = iter(call.args)
    for word in words:
        match = _MODULE_OPTION.fullmatch(word)
        if match is not None:
            return match[1] or next(words, "")
        if word in ("-W", "-X", "--check-hash-based-pycs"):
            next(words, "")
        elif not word.startswith("-"):
            return ""
    return ""


def _run_python_module(module: str, call: Call, follower: Follower) -> None:
    """Follow `python -m pip` as `pip`, and judge the folder that `python -m http.server` serves."""
    position = next((index for index, word in enumerate(call.args) if module in word), len(call.args))
    rest = call.args[position + 1 :]
    if module in _MODULES_THAT_ARE_COMMANDS:
        follower.follow_command([module, *rest], call, "python -m")
    elif module.partition(".")[0] == "whet":
        follower.follow_command(["whet", *rest], call, "python -m")
    elif module in ("http.server", "SimpleHTTPServer"):
        folders = [value for option in ("-d", "--directory") for value in values_of(rest, option)]
        for folder in folders or [call.cwd]:
            if folder not in ("", ".", "./") and is_private(folder):
                follower.add_danger(call, Harm.EXFILTRATION, f"serves {folder} to the network")
                return


def _judge_code(code: str, language: str, call: Call, follower: Follower) -> None:
    if FROM_NETWORK in code:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, f"the command runs {language} code from the network")
    if DECODED in code:
        follower.add_danger(call, Harm.ENCODED, f"the command runs {language} code that it decodes first")
        code = code.replace(DECODED, "")
    if code.strip() == UNKNOWN or code.startswith(PROCESS_FILE):
        follower.state.add_unresolved(f"the {language} code is not known", call.span)
        return
    follower.follow_effects(effects(code, language), call, f"{language} code")
    if language != "python" and deletes_arguments(code):
        operands = [word for word in call.args if word != code and not word.startswith("-")]
        follower.follow_command(["rm", "-r", *operands], call, f"{language} code")
    if language != "python" and deletes_input(code):
        follower.follow_command(["rm", *((call.stdin or "").split() or [UNKNOWN])], call, f"{language} code")


def effects(code: str, language: str, depth: int = 0) -> Iterable[CodeEffect]:
    """Yield the effects of code in any of the languages of `INTERPRETERS`."""
    if code.strip(" \n;") == LEFT_OUT:
        yield CausesHarm(Harm.UNRESOLVED, f"the {language} code is left out", raises=True)
    yield from loaded_libraries.effects(code, language)
    yield from saved_downloads.effects(code, language)
    yield from sent_files.effects(code, language)
    if language == "ipython":
        for text in _IPYTHON_COMMAND.findall(code):
            yield RunsCommand(text)
        code, language = _IPYTHON_MAGIC.sub("", _IPYTHON_COMMAND.sub("", code)), "python"
    if language == "python":
        yield from python.effects(code)
        return
    if language == "php":
        code = _PHP_SILENCER.sub("", code)
    yield from scripts.effects(code, language)
    yield from starting_calls.indirect_effects(code, language)
    for inner in starting_calls.evaluated(code) if depth < _MAX_EVALUATIONS else ():
        yield from effects(inner, language, depth + 1)
    if language not in _HAVE_CALL_PATTERNS:
        yield from starting_calls.effects(code, language)
        for text in _STARTS_COMMAND.findall(code):
            yield RunsCommand(text.strip())
        for text in (*_TEX_WRITE18.findall(code), *_TYPED_IN_TERMINAL.findall(code)):
            yield RunsCommand(text)
        for words in _LISP_PROCESS.findall(code):
            yield RunsCommand(" ".join(re.findall(r'"([^"]*)"', words)))


def deno_or_bun(call: Call, follower: Follower) -> None:
    """Judge code, and report `deno run -A https://...`. Without `-A`, deno keeps the code in a sandbox."""
    interpret(call, follower)
    is_unrestricted = call.name != "deno" or call.options.has("A", "allow-all", "allow-run", "allow-ffi", "allow-write")
    is_remote = any(word.startswith(("http://", "https://", "data:")) for word in call.options.operands)
    if is_unrestricted and is_remote:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "the command runs code from the network")


def compiled_language(call: Call, follower: Follower) -> None:
    """Report `curl x | go run -`: code from the network in a language that is compiled first."""
    reads_stdin = not {"-", "/dev/stdin"}.isdisjoint(call.args)
    if reads_stdin and call.stdin is not None and FROM_NETWORK in call.stdin:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, f"the command runs {call.name} code from the network")


def awk_program(call: Call, follower: Follower) -> None:
    operands: list[str] = []
    sources: list[str] = []
    for index, word in enumerate(call.args):
        before = call.args[index - 1] if index else ""
        if before in ("-e", "--source"):
            sources.append(word)
        if not word.startswith("-") and before not in ("-F", "-v", "-f"):
            operands.append(word)
    from_files = _known_script_files(call, follower)
    if not sources and not from_files:
        sources = operands[:1]
    for program in (*from_files, *sources):
        follower.follow_effects(awk.effects(program), call, "awk program")


def _known_script_files(call: Call, follower: Follower) -> list[str]:
    """Return the programs of `-f` that are on standard input or in files that the command text wrote."""
    paths = [value for option in ("-f", "--file") for value in values_of(call.args, option)]
    programs = [call.stdin for path in paths if path in ("-", "/dev/stdin") and call.stdin]
    for path in paths:
        text = text_of_file(call, path, follower)
        if text:
            programs.append(text)
    return programs


def sed_script(call: Call, follower: Follower) -> None:
    in_arguments = call.options.value("e", "expression") or call.options.operands[:1]
    for script in (*_known_script_files(call, follower), *in_arguments):
        follower.follow_effects(sed.effects(script), call, "sed script")


def tex(call: Call, follower: Follower) -> None:
    """Follow `\\write18{command}` in a document on the command line."""
    for text in _TEX_WRITE18.findall(" ".join(call.args)):
        follower.follow_text(text, call, "write18")
    allows_commands = any(word.lstrip("-").startswith(("shell-escape", "enable-write18")) for word in call.args)
    if allows_commands and any("write18" in word for word in call.args):
        follower.add_danger(call, Harm.SHELL_ESCAPE, "lets a document run commands")


def without_version(name: str) -> str:
    """Return `python` for `python3.12`."""
    if name in INTERPRETERS:
        return name
    match = _VERSIONED_NAME.match(name)
    return match[1] if match else name


_VERSIONS = {
    "python": ("2", "3", "2.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"),
    "pypy": ("3",),
    "perl": ("5",),
    "lua": ("5.1", "5.2", "5.3", "5.4"),
    "php": ("7", "8", "7.4", "8.1", "8.2", "8.3"),
    "ruby": ("2.7", "3.0", "3.1", "3.2", "3.3"),
    "tclsh": ("8.6", "9.0"),
    "ipython": ("3",),
}
LAUNCHERS = {
    **dict.fromkeys(INTERPRETERS, interpret),
    **dict.fromkeys((f"{name}{version}" for name, versions in _VERSIONS.items() for version in versions), interpret),
    **dict.fromkeys(("deno", "bun"), deno_or_bun),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk", "original-awk"), awk_program),
    **dict.fromkeys(("sed", "gsed"), sed_script),
    **dict.fromkeys(
        ("go", "swift", "tsx", "ts-node", "crystal", "nim", "java", "dotnet", "kotlin", "cargo", "rust-script"),
        compiled_language,
    ),
    **dict.fromkeys(("latex", "pdflatex", "xelatex", "lualatex", "tex", "pdftex"), tex),
}
