"""Perl, Ruby, PHP, Node, Lua and their like: the calls that start a command, with the text they are given.

There is no tree of these languages here, so calls are found by their form; what they are given must be a literal to be
followed, and is unresolved where it is not.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_private, is_secret, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import UNKNOWN

_HOME = re.compile(
    r"""process\.env\.HOME|(?:require\(\s*['"](?:node:)?os['"]\s*\)|\bos)\.homedir\(\)|Dir\.home|ENV\[?\(?\{?['"]?HOME['"]?\}?\)?\]?|getenv\(\s*['"]HOME['"]\s*\)|\$_(?:SERVER|ENV)\[['"]HOME['"]\]"""
)
_CALL = re.compile(
    r"""(?<![\w.$@%>-])(?:\w+\s*[.:]{1,2}\s*|->)*(?:os\.execute|io\.popen|child_process\S{0,20}?\.\w+|execSync|spawnSync|execFileSync|
    exec|system|popen|proc_open|shell_exec|passthru|spawn|pcntl_exec|Open3\.\w+|IO\.popen|Kernel\.\w+|callCommand|
    run|syscall|open[23]?|Process\.\w+|Deno\.\w+|Bun\.spawn|spawnProcess|readpipe|getRuntime\(\)\.exec)
    \s*[\[({]*\s*(?:(?P<quote>["'`])(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)(?P<more>(?:\s*,\s*\[?\s*["'][^"']*["'])*)|(?P<open>[$\w@]+))""",
    re.VERBOSE | re.DOTALL,
)
_METHOD = re.compile(
    r"""\.(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork|popen|execute|system)\s*\(\s*\[?\s*(?P<quote>["'`])"""
    r"""(?P<text>(?:\\.|(?!(?P=quote)).)*)(?P=quote)(?P<more>(?:\s*,\s*\[?\s*["'][^"']*["'])*)""",
    re.DOTALL,
)
_BACKTICKS = re.compile(r"`((?:\\.|[^`])*)`|%x[({\[!|]([^)}\]!|]*)|\bqx[({\[/!|]([^)}\]/!|]*)", re.DOTALL)
_SOCKET = re.compile(
    r"\b(IO::Socket|Socket|TCPSocket|fsockopen|pfsockopen|stream_socket_client|net\.(connect|Socket|createConnection)|socket\.(tcp|connect)|/inet/(tcp|udp)|socket)\b|require\(\s*[\"']net[\"']"
)
_GIVES = re.compile(
    r"(/bin/(ba|da|z|k)?sh|\bsh\b|cmd\.exe|STDIN|proc_open|\bexec\b|execute|spawn|popen|getline|child_process)"
)
_DECODES = re.compile(
    r"base64_decode|unpack\s*\(?\s*['\"][uH]|decode_base64|Buffer\.from\([^)]*(base64|hex)|atob\s*\(|str_rot13|gzinflate|pack\s*\(?\s*['\"]H|Base64\.decode|hex2bin"
)
_EVALS = re.compile(r"(?<![\w.])(eval|assert|create_function|instance_eval|loadstring|load|Function)\b")
_STARTS = re.compile(r"(?<![\w.])(system|exec|popen|shell_exec|passthru|execSync|spawnSync|os\.execute)\b")
_FETCHES = re.compile(
    r"file_get_contents\s*\(\s*['\"]https?:|open-uri|URI\.open|LWP|get\s*\(?\s*['\"]https?:|fetch\(|http\.get|https\.get|Net::HTTP|HTTP::Tiny|\b(?:curl|wget)\s"
)
_SENDS = re.compile(
    r"\bfetch\(|\baxios\b|\.post(?:_form)?\b|https?['\"]?\)?\.request|Net::HTTP|HTTP::Tiny|\bLWP\b|TCPSocket|IO::Socket|curl_init|"
    r"net['\"]?\)?\.connect|fsockopen|file_get_contents\s*\(\s*['\"]https?:"
)
_ENVIRONMENT = re.compile(
    r"process\.env\b(?!\s*[.\[])|\bENV\.(?:to_h|to_a|map|inspect|each)|%ENV\b|\$_(?:ENV|SERVER)\b(?!\s*\[)|getenv\(\s*\)"
)
_REMOVES = re.compile(
    r"(?:rmtree|remove_tree|rm_rf|rm_r|rmSync|rimraf|removeSync|remove_dir_all|rmdirSync|delete-directory|rm)\s*\(?\s*\[?\s*['\"]([^'\"]*)['\"]"
)
_UNLINKS = re.compile(r"(?:unlink|unlinkSync|File\.delete|os\.remove)\s*\(?\s*(?:<|glob\s*\(?\s*)?['\"]?([^'\")>]*)")
_WRITES = re.compile(
    r"(?:(?:writeFile|appendFile|createWriteStream|truncate)(?:Sync)?|file_put_contents|(?:File|IO)\.(?:bin)?write)\s*\(?\s*['\"]([^'\"]+)['\"]"
)
_PUTS = re.compile(
    r"(?:(?:copyFile|rename|symlink|link)(?:Sync)?|FileUtils\.\w+|File\.rename|\bcopy|\bmove)\s*\(?\s*['\"][^'\"]*['\"]\s*,\s*['\"]([^'\"]+)['\"]"
)
_RIGHTS = re.compile(r"\bch(?:mod|own)(?:Sync|_R)?\b[^;]{0,40}?['\"](/[^'\"]+)['\"]")
_OPENS = re.compile(r"open\s*\(?\s*['\"]([^'\"]+)['\"]\s*,\s*['\"][rb]*[wa+][^'\"]*['\"]")
_REDIRECTS = re.compile(r"open\s*\(?[^)]*?['\"]\s*\+?>>?\s*(?:['\"]\s*,\s*['\"])?([^'\"]+)['\"]")
_FORKS = re.compile(
    r"fork\s*(while|until)\s*|while\s*\(?\s*(1|true)?\s*\)?\s*\{?\s*(\w+\.)?fork|loop\s*(do|\{)\s*fork|for\s*\(;;\)\s*\{?\s*fork|fork\s*\(\s*\)\s*while"
    r"|(?:for\s*\(\s*;\s*;\s*\)|while\s*\(\s*(?:1|true)\s*\))[^}]{0,80}\b(?:fork|spawn)\b"
)
_GROWS = re.compile(
    r"(?:while\s*\(?\s*(?:1|true)\s*\)?|for\s*\(\s*;\s*;\s*\)|loop\s*(?:do|\{))(?![^}]*\b(?:break|last|return|sleep|exit)\b)[^}]{0,60}(?:\bpush\b|<<|\.concat\b)"
)
_READS = re.compile(r"['\"<]([^'\"<>\s]*(?:/|\.)[^'\"<>\s]*)['\">]")
_INTERACTIVE = re.compile(r"(?<![\w.])exec\s*\(?\s*['\"]?/?(?:bin/)?(ba|da|z|k)?sh\b|interact\b.*|shell\s*\(\)")


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    if len(code) > MAX_LENGTH:
        yield TOO_LONG
        return
    if "HOME" in code or "home" in code:
        code = _HOME.sub("'~'", code)
    if _SOCKET.search(code) and _GIVES.search(code):
        yield CausesHarm(Harm.REVERSE_SHELL, f"the {language} code gives a shell to the network")
    if _FORKS.search(code):
        yield CausesHarm(Harm.EXHAUSTION, f"the {language} code forks without end")
    if _GROWS.search(code):
        yield CausesHarm(Harm.EXHAUSTION, f"the {language} code takes memory without end")
    if _DECODES.search(code) and (_EVALS.search(code) or _STARTS.search(code)):
        yield CausesHarm(Harm.ENCODED, f"the {language} code runs code that it decodes first")
    elif _EVALS.search(code) and _FETCHES.search(code):
        yield CausesHarm(Harm.PIPE_TO_SHELL, f"the {language} code runs code from the network")
    if _SENDS.search(code) and _ENVIRONMENT.search(code):
        yield CausesHarm(Harm.EXFILTRATION, f"the {language} code sends the environment away")
    if _SENDS.search(code):
        yield from (
            CausesHarm(Harm.EXFILTRATION, f"the {language} code sends {path} away")
            for path in _READS.findall(code)
            if path.startswith(("/etc/", "~", "/root/", "/home/", ".env")) and is_private(path)
        )
    yield from _removals(code, language)
    yield from _written(code, language)
    yield from (
        CausesHarm(Harm.SECRETS, f"the {language} code reads {path}")
        for path in _READS.findall(code)
        if is_secret(path)
    )
    yield from _commands(code, language)


def _written(code: str, language: str) -> Iterator[CodeEffect]:
    for path in _RIGHTS.findall(code):
        if is_system_path(path):
            yield CausesHarm(Harm.PERMISSIONS, f"the {language} code changes the rights of {path}")
    for path in (*_WRITES.findall(code), *_PUTS.findall(code), *_OPENS.findall(code), *_REDIRECTS.findall(code)):
        if (harm := harm_of_writing(path.strip())) is not None:
            yield CausesHarm(harm, f"the {language} code writes {path.strip()}")


def _removals(code: str, language: str) -> Iterator[CodeEffect]:
    for path in _REMOVES.findall(code):
        if is_unsafe_to_delete(path):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path} with everything below")
    for path in _UNLINKS.findall(code):
        if path.strip() and is_unsafe_to_delete(path.strip()):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path.strip()}")


def _commands(code: str, language: str) -> Iterator[CodeEffect]:
    for match in (*_CALL.finditer(code), *_METHOD.finditer(code)):
        found = match.groupdict()
        if found["text"] is not None:
            more = " ".join(re.findall(r"[\"']([^\"']*)[\"']", found["more"] or ""))
            yield RunsCommand(f"{_unescaped(found['text'])} {more}".strip())
        elif found.get("open", "").startswith(("$", "@")) and re.match(
            r"(exec|system|passthru|shell_exec|popen)", match[0]
        ):
            yield CausesHarm(
                Harm.UNRESOLVED, f"the {language} code starts a command that is not written down", raises=True
            )
    if language in ("perl", "ruby", "php", "julia"):
        for one in _BACKTICKS.findall(code):
            yield RunsCommand(_unescaped("".join(one)))
    if (interactive := _INTERACTIVE.search(code)) is not None:
        yield RunsCommand("sh" if UNKNOWN not in interactive[0] else UNKNOWN)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
