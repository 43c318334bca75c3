"""Find the calls with which code of less common languages starts commands.

`scripts.py` knows Perl, Ruby, PHP, Node and Lua. The patterns here cover the names that other languages use, and the
indirect calls of all of them.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm

_LITERAL = r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
_MORE = r"""(?P<more>(?:[\s,\[:(]+(?:"[^"]*"|'[^']*'))*)"""
# The function's name, then brackets, then the command as a literal, perhaps with further literals as its arguments.
_CALL = re.compile(
    r"(?<![\w$@-])(?:[\w.:/*-]{0,60}[.:/])?"
    r"(?:system[2*]?|shell|sh|exec[lv]?p?e?|popen\d?|run|command|cmd|unix(?:_g|_s|_w)?|host|dos|Exec|Process"
    r"|extern|extcmd"
    r"|open_process(?:_in|_out|_full)?|create_process|run-program|run-shell-command|run-process|shell-command"
    r"|shell-command-to-string|async-shell-command|call-process|start-process|process|ProcessBuilder|execute|spawn"
    r"|spawnl|spawnProcess|spawnShell|executeShell|execShellCmd|execCmd|execProcess|startProcess|readProcess"
    r"|readCreateProcess|callProcess|callCommand|rawSystem|spawnCommand|spawn_command_line_(?:a?sync)|Start"
    r"|runInteractiveCommand|posix_spawnp?|shell_cmd|pipe|subprocess\w*|SYSTEM[\"']\s+USING)"
    rf"\s*[\s(\[{{<,:]*(?:new\s+)?(?:~[csCS])?{_LITERAL}{_MORE}",
    re.DOTALL,
)
# `obj->system("x")`, `os["execute"]("x")`, `send(:system, "x")`, `call_user_func("system", "x")`.
_INDIRECT = re.compile(
    r"(?:->\s*(?:system|exec|popen|shell_exec|passthru)\s*\("
    r"|\[\s*[\"'](?:exec\w*|spawn\w*|popen|system|fork)[\"']\s*\]\s*\("
    r"|\(\s*:(?:system|exec|spawn)\b|send\(\s*[\"'](?:system|exec|spawn)[\"']"
    r"|\(\s*[\"'](?:system|exec|passthru|shell_exec|popen)[\"']\s*\)\s*\(|\b(?:call_user_func(?:_array)?|array_map|array_filter|array_walk|usort|uasort"
    r"|register_shutdown_function|forward_static_call|iterator_apply)\s*\(\s*[\"'](?:system|exec|passthru|shell_exec"
    rf"|popen|proc_open|pcntl_exec|eval|assert)[\"'])[\s,\[)(]*(?:call\W*)?{_LITERAL}",
    re.DOTALL,
)
_BY_NAME = re.compile(
    r"\b(?:call_user_func(?:_array)?|array_map|array_filter|usort|register_shutdown_function|ob_start)\s*\(\s*[\"']"
    r"(?:system|exec|passthru|shell_exec|popen|proc_open|pcntl_exec|assert)[\"']"
)
# Perl: `open(F, "command |")`, `open(F, "| command")`, `open(F, "-|", "command")`.
_OPENED_PIPE = re.compile(
    r"\bopen\s{0,9}\(?[^,;\"']{1,60},\s*(?:[\"']\s*(?:\+?<)?([^\"'|<>-][^\"'|<>]*)\|\s*[\"']"
    r"|[\"']\s*\|\s*([^\"'|-][^\"']*)[\"']"
    r"|[\"'](?:-\||\|-)[\"']\s*,\s*[\"']([^\"']+)[\"'])"
)
# `f = io.popen`, `{exec: e} = require("child_process")`, `method(:system)`, `$f = "system"; $f(...)`.
_RENAMED = re.compile(
    r"=\s*(?:os\.execute|io\.popen)\b(?!\s*[(\"'\[])"
    r"|\{[^{}]{0,120}\b(?:exec|spawn)\w*\s*:\s*\w+[^{}]{0,120}\}\s*=\s*(?:await\s+)?(?:require"
    r"|import)\b|\bmethod\(\s*:(?:system|exec|spawn)\b|process\.binding\(\s*[\"']spawn_sync"
    r"|\$\w+\s*=\s*[\"'](?:system|exec|passthru|shell_exec|popen|proc_open)[\"']"
    r"|ReflectionFunction\s*\(\s*[\"'](?:system|exec|passthru|shell_exec|popen)"
)
_EVALUATED = re.compile(
    rf"(?<![\w.$])(?:eval|instance_eval|loadstring|load|assert|Function)\s*\(?\s*{_LITERAL}", re.DOTALL
)
_JOIN_ROUNDS = 6  # each joins pairs, so that 64 parts become one
# `"sys" . "tem"`, `"sys" + "tem"`, `"sys" .. "tem"`
_ADJACENT = re.compile(
    r"(?P<quote>[\"'])(?P<first>(?:\\.|(?!(?P=quote))[^\\\n]){0,200})(?P=quote)\s*(?:\.\.?|\+)\s*"
    r"(?P=quote)(?P<second>(?:\\.|(?!(?P=quote))[^\\\n]){0,200})(?P=quote)"
)
# Forms that only one language has; the last group that matched is the command.
_OF_LANGUAGE = {
    "m4": re.compile(r"\be?syscmd\(\s*[`\[]?(.*?)[']?\)", re.DOTALL),
    "troff": re.compile(r"^[.']\s*(?:sy|pso|pi)\s+(.+)$", re.MULTILINE),
    "gnuplot": re.compile(r"^\s*!\s*(.+)$|[\"']\s*[<|]\s*([^\"']+)[\"']|`([^`]+)`", re.MULTILINE),
    "octave": re.compile(r"^\s*!\s*(.+)$", re.MULTILINE),
    "puppet": re.compile(r"\bexec\s*\{\s*[\"']([^\"']+)[\"']|\bcommand\s*=>\s*[\"']([^\"']+)[\"']"),
    "groovy": re.compile(r"[\"']([^\"']+)[\"']\s*\.\s*execute\b"),
    "scala": re.compile(r"\"([^\"]+)\"\s*\.?\s*!{1,2}"),
    "forth": re.compile(r"s\"\s+([^\"]+)\"\s+system"),
    "erlang": re.compile(r"\bos:cmd\(\s*[\"']([^\"']+)"),
    "raku": re.compile(r"\bq?qx\s*[{/\[(|]([^}/\])|]+)|\b(?:shell|run)\s*<([^>]+)>"),
    "tcl": re.compile(r"\b(?:exec|open\s+\{?\|)\s+([^\]}\n;]+)"),
    "lisp": re.compile(r"\((?:sb-ext:|ext:|uiop:)?run-program\s+\"([^\"]+)\""),
    "gdb": re.compile(r"^\s*(?:shell|!)\s*(.+)$", re.MULTILINE),
}


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the commands that code of a less common language starts."""
    if len(code) > MAX_LENGTH:
        return
    for match in _CALL.finditer(code):
        arguments = " ".join(re.findall(r"[\"']([^\"']*)[\"']", match["more"] or ""))
        yield RunsCommand(f"{_unescaped(match['text'])} {arguments}".strip())
    searched = _OF_LANGUAGE.get(language)
    if searched is not None:
        for match in searched.finditer(code):
            yield RunsCommand(next((group for group in match.groups() if group), ""))


def indirect_effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the commands that code starts through a function that it names in a string, a symbol or a method."""
    if len(code) > MAX_LENGTH:
        return
    if _BY_NAME.search(code):
        yield CausesHarm(Harm.SHELL_ESCAPE, f"the {language} code names a function that starts commands")
    for match in _INDIRECT.finditer(code):
        yield RunsCommand(_unescaped(match["text"]))
    for groups in _OPENED_PIPE.findall(code) if language == "perl" else ():
        yield RunsCommand(_unescaped("".join(groups)))
    if _RENAMED.search(code):
        reason = f"the {language} code gives another name to a function that starts commands"
        yield CausesHarm(Harm.UNRESOLVED, reason, raises=True)


def evaluated(code: str) -> Iterator[str]:
    """Yield the code in string literals that other code evaluates, and the code with adjacent literals joined."""
    if len(code) > MAX_LENGTH:
        return
    for match in _EVALUATED.finditer(code):
        yield _unescaped(match["text"])
    joined = code
    for _ in range(_JOIN_ROUNDS):
        joined = _ADJACENT.sub(r"\g<quote>\g<first>\g<second>\g<quote>", joined)
    if joined != code:
        yield joined


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
