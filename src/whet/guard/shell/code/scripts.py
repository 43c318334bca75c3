"""Find the effects of Perl, Ruby, PHP, Node, Lua and similar code.

There is no parser for these languages here, so calls are found by regular expressions. A command that a call starts is
followed if it is a string literal, and raised to a person if it is a variable.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.code import destruction
from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_private, is_secret, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import UNKNOWN

# Expressions for the home folder.
_HOME = re.compile(
    r"""process\.env\.HOME|(?:require\(\s*['"](?:node:)?os['"]\s*\)|\bos)\.homedir\(\)|Dir\.home"""
    r"""|ENV\[?\(?\{?['"]?HOME['"]?\}?\)?\]?|getenv\(\s*['"]HOME['"]\s*\)|\$_(?:SERVER|ENV)\[['"]HOME['"]\]"""
)
# The same within a string: `"$ENV{HOME}/x"`, `"#{Dir.home}/x"`, `${process.env.HOME}/x`.
_HOME_IN_STRING = re.compile(
    r"""(?:\$ENV\{['"]?HOME['"]?\}|#\{(?:ENV\[['"]HOME['"]\]|Dir\.home)\}|\$\{process\.env\.HOME\})(?=/)"""
)
# A string literal (`text`), and further literals after it (`more`).
_LITERALS = (
    r"""(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)(?P<more>(?:\s*,\s*\[?\s*["'][^"']*["'])*)"""
)
# A call that starts a command, with a literal or a variable (`open`) as its first argument.
_START_CALL = re.compile(
    r"(?<![\w.$@%>-])(?:\w+\s*[.:]{1,2}\s*|->)*"
    r"(?:os\.execute|io\.popen|child_process\S{0,20}?\.\w+|execSync|spawnSync|execFileSync|exec|system|popen|proc_open"
    r"|shell_exec|passthru|spawn|pcntl_exec|Open3\.\w+|IO\.popen|Kernel\.\w+|callCommand|run|syscall|open[23]?"
    r"|Process\.\w+|Deno\.\w+|Bun\.spawn|spawnProcess|readpipe|getRuntime\(\)\.exec)"
    rf"\s*[\[({{]*\s*(?:{_LITERALS}|(?P<open>[$\w@]+))",
    re.DOTALL,
)
_START_METHOD = re.compile(
    r"\.(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork|popen|execute|system)"
    rf"\s*\(\s*\[?\s*{_LITERALS}",
    re.DOTALL,
)
_BACKTICKS = re.compile(r"`((?:\\.|[^`])*)`|%x[({\[!|]([^)}\]!|]*)|\bqx[({\[/!|]([^)}\]/!|]*)", re.DOTALL)
_USES_SOCKET = re.compile(
    r"\b(IO::Socket|Socket|TCPSocket|fsockopen|pfsockopen|stream_socket_client|net\.(connect|Socket"
    r"|createConnection)|socket\.(tcp|connect)|/inet/(tcp|udp)|socket)\b|require\(\s*[\"']net[\"']"
)
_SHELL_OR_EXEC = re.compile(
    r"(/bin/(ba|da|z|k)?sh|\bsh\b|cmd\.exe|STDIN|proc_open|\bexec\b|execute|spawn|popen|getline|child_process)"
)
_DECODES = re.compile(
    r"base64_decode|unpack\s*\(?\s*['\"][uH]|decode_base64|Buffer\.from\([^)]*(base64|hex)|atob\s*\(|str_rot13"
    r"|gzinflate|pack\s*\(?\s*['\"]H|Base64\.decode|hex2bin"
)
_EVALS = re.compile(r"(?<![\w.])(eval|assert|create_function|instance_eval|loadstring|load|Function)\b")
_STARTS_COMMAND = re.compile(r"(?<![\w.])(system|exec|popen|shell_exec|passthru|execSync|spawnSync|os\.execute)\b")
_FETCHES = re.compile(
    r"file_get_contents\s*\(\s*['\"]https?:|open-uri|URI\.open|LWP|get\s*\(?\s*['\"]https?:|fetch\(|http\.get"
    r"|https\.get|Net::HTTP|HTTP::Tiny|\b(?:curl|wget)\s"
)
_SENDS = re.compile(
    r"\bfetch\(|\baxios\b|\.post(?:_form)?\b|https?['\"]?\)?\.request|Net::HTTP|HTTP::Tiny|\bLWP\b|TCPSocket"
    r"|IO::Socket|curl_init|"
    r"net['\"]?\)?\.connect|fsockopen|:send\(|file_get_contents\s*\(\s*['\"]https?:"
)
_ENVIRONMENT = re.compile(
    r"process\.env\b(?!\s*[.\[])|\bENV\.(?:to_h|to_a|map|inspect|each)|%ENV\b|\$_(?:ENV|SERVER)\b(?!\s*\[)"
    r"|getenv\(\s*\)"
)
_REMOVES = re.compile(
    r"(?:rmtree|remove_tree|rm_rf|rm_r|rmSync|rimraf|removeSync|remove_dir_all|rmdirSync|delete-directory"
    r"|rm)\s*\(?\s*\[?\s*['\"]([^'\"]*)['\"]"
)
_UNLINKS = re.compile(
    r"(?:unlink|unlinkSync|File\.delete|os\.remove)(?=[\s(])\s*\(?\s*(?:<|glob\s*\(?\s*)?['\"]?([^'\")>]*)"
)
_WRITES = re.compile(
    r"(?:(?:writeFile|appendFile|createWriteStream|truncate)(?:Sync)?|file_put_contents|(?:File"
    r"|IO)\.(?:bin)?write)\s*\(?\s*['\"]([^'\"]+)['\"]"
)
_COPIES_OR_MOVES = re.compile(
    r"(?:(?:copyFile|rename|symlink|link)(?:Sync)?|FileUtils\.\w+|File\.rename|\bcopy"
    r"|\bmove)\s*\(?\s*['\"][^'\"]*['\"]\s*,\s*['\"]([^'\"]+)['\"]"
)
_CHANGES_PERMISSIONS = re.compile(r"\bch(?:mod|own)(?:Sync|_R)?\b[^;]{0,40}?['\"](/[^'\"]+)['\"]")
_OPENS_TO_WRITE = re.compile(r"open\s*\(?\s*['\"]([^'\"]+)['\"]\s*,\s*['\"][rb]*[wa+][^'\"]*['\"]")
_REDIRECTS = re.compile(r"open\s*\(?[^)]*?['\"]\s*\+?>>?\s*(?:['\"]\s*,\s*['\"])?([^'\"]+)['\"]")
_FORKS_WITHOUT_END = re.compile(
    r"fork\s*(while|until)\s*|while\s*\(?\s*(1|true)?\s*\)?\s*\{?\s*(\w+\.)?fork|loop\s*(do|\{)\s*fork"
    r"|for\s*\(;;\)\s*\{?\s*fork|fork\s*\(\s*\)\s*while"
    r"|(?:for\s*\(\s*;\s*;\s*\)|while\s*\(\s*(?:1|true)\s*\))[^}]{0,80}\b(?:fork|spawn)\b"
)
_GROWS_WITHOUT_END = re.compile(
    r"(?:while\s*\(?\s*(?:1|true)\s*\)?|for\s*\(\s*;\s*;\s*\)|loop\s*(?:do|\{))(?![^}]*\b(?:break|last|return|sleep"
    r"|exit)\b)[^}]{0,60}(?:\bpush\b|<<|\.concat\b)"
)
_LITERAL_OR_GLOB = re.compile(r"'((?:\\.|[^'\\])*)'|\"((?:\\.|[^\"\\])*)\"|<([^<>\s]*)>", re.DOTALL)
_OPENS_SHELL = re.compile(r"(?<![\w.])exec\s*\(?\s*['\"]?/?(?:bin/)?(ba|da|z|k)?sh\b|interact\b.*|shell\s*\(\)")

_JOINED_STRINGS = re.compile(r"""(?<=[\w/.])(["'])\s*(?:\.{1,2}|\+)\s*\1(?=[\w/.])""")  # `"a" . "b"`, `'a' + 'b'`
_STARTED_WORDS = re.compile(r"\b(?:exec|system)\s*\(?\s*(?:qw|%w)\s*[({\[/<]([^)}\]/>]+)")  # `exec qw(rm -rf x)`
_RUNS_VARIABLE = re.compile(r"(exec|system|passthru|shell_exec|popen)")


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the commands that the code starts and the harm that it does."""
    if len(code) > MAX_LENGTH:
        yield TOO_LONG
        return
    code = _JOINED_STRINGS.sub("", code)
    if "HOME" in code or "home" in code:
        code = _HOME.sub("'~'", _HOME_IN_STRING.sub("~", code))
    if _USES_SOCKET.search(code) and _SHELL_OR_EXEC.search(code):
        yield CausesHarm(Harm.REVERSE_SHELL, f"the {language} code gives a shell to the network")
    if _FORKS_WITHOUT_END.search(code):
        yield CausesHarm(Harm.EXHAUSTION, f"the {language} code forks without end")
    if _GROWS_WITHOUT_END.search(code):
        yield CausesHarm(Harm.EXHAUSTION, f"the {language} code takes memory without end")
    if _DECODES.search(code) and (_EVALS.search(code) or _STARTS_COMMAND.search(code)):
        yield CausesHarm(Harm.ENCODED, f"the {language} code runs code that it decodes first")
    elif _EVALS.search(code) and _FETCHES.search(code):
        yield CausesHarm(Harm.PIPE_TO_SHELL, f"the {language} code runs code from the network")
    if _SENDS.search(code):
        yield from _sent_data(code, language)
    yield from _removals(code, language)
    yield from destruction.effects(code, language)
    yield from _written(code, language)
    for path in _path_literals(code):
        if is_secret(path):
            yield CausesHarm(Harm.SECRETS, f"the {language} code reads {path}")
    yield from _commands(code, language)


def _path_literals(code: str) -> Iterator[str]:
    """Yield the literals that look like a path."""
    for groups in _LITERAL_OR_GLOB.findall(code):
        text = "".join(groups)
        if ("/" in text or "." in text) and not any(character.isspace() for character in text):
            yield text


def _sent_data(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the environment and private files that are named in code which sends something."""
    if _ENVIRONMENT.search(code):
        yield CausesHarm(Harm.EXFILTRATION, f"the {language} code sends the environment away")
    for path in _path_literals(code):
        if path.startswith(("/etc/", "~", "/root/", "/home/", ".env")) and is_private(path):
            yield CausesHarm(Harm.EXFILTRATION, f"the {language} code sends {path} away")


def _written(code: str, language: str) -> Iterator[CodeEffect]:
    for path in _CHANGES_PERMISSIONS.findall(code):
        if is_system_path(path):
            yield CausesHarm(Harm.PERMISSIONS, f"the {language} code changes the permissions of {path}")
    for path in (
        *_WRITES.findall(code),
        *_COPIES_OR_MOVES.findall(code),
        *_OPENS_TO_WRITE.findall(code),
        *_REDIRECTS.findall(code),
    ):
        harm = harm_of_writing(path.strip())
        if harm is not None:
            yield CausesHarm(harm, f"the {language} code writes {path.strip()}")


def _removals(code: str, language: str) -> Iterator[CodeEffect]:
    for path in _REMOVES.findall(code):
        if is_unsafe_to_delete(path):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path} with everything below")
    for path in _UNLINKS.findall(code):
        if path.strip() and is_unsafe_to_delete(path.strip()):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path.strip()}")


def _commands(code: str, language: str) -> Iterator[CodeEffect]:
    for match in (*_START_CALL.finditer(code), *_START_METHOD.finditer(code)):
        groups = match.groupdict()
        if groups["text"] is not None:
            arguments = " ".join(re.findall(r"[\"']([^\"']*)[\"']", groups["more"] or ""))
            yield RunsCommand(f"{_unescaped(groups['text'])} {arguments}".strip())
        elif groups.get("open", "").startswith(("$", "@")) and _RUNS_VARIABLE.match(match[0]):
            reason = f"the {language} code starts a command that is not a literal"
            yield CausesHarm(Harm.UNRESOLVED, reason, raises=True)
    if language in ("perl", "ruby", "php", "julia"):
        for alternatives in _BACKTICKS.findall(code):
            yield RunsCommand(_unescaped("".join(alternatives)))
    for text in _STARTED_WORDS.findall(code):
        yield RunsCommand(text)
    opened = _OPENS_SHELL.search(code)
    if opened is not None:
        yield RunsCommand("sh" if UNKNOWN not in opened[0] else UNKNOWN)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
