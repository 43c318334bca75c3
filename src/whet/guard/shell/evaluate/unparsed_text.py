"""Decide which texts are harmless although the grammar cannot parse them: no shell runs them, or they only read."""

import re

# `<Ctrl c>`, `ssh <host>`: a line that ends with a redirection without a file is a syntax error, so no shell runs any
# part of it. zsh reads `<1-9>` as a pattern.
_DANGLING_REDIRECTION = re.compile(r"(?!.*(?:<<|<\d*-\d*>))[^'\"`\\#\n]*>\s*")
_EXTENDED_GLOB = re.compile(r"(?<=[\w./*])\s*[!@+?*]\([^()\s;&`$]*\)")  # `ls !(*.c)`
_SUBSHELL_AFTER_KEYWORD = re.compile(r"\b(?:if|elif|while|until|then|do|else|time)\s*!?\s*\(")
# After these a shell, find, xargs or sudo takes the next word for the name of a command.
_SEPARATORS = re.compile(
    r"[|;&()`\n]+|(?<!\S)[{}](?!\S)|(?<!\S)!(?=\s)|-exec(?:dir)?\b"
    r"|(?<![\w.-])(?:do|then|else|if|elif|while|until|time|sudo)(?![\w.-])"
    r"|(?<![\w.-])xargs(?:\s+-[\w{}]+(?:\s+(?:\{\}|\d+)(?!\S))?)*(?=\s)"
)
_WRITES_FILE = re.compile(r">>?\s*(?!/dev/null\b)[\w./~$\"'{]|>\|")
_FIRST_WORD = re.compile(r"\s*([\w./-]+)(?=\s|$)")
_OPTION = re.compile(r"\s*-[a-z]+(?!\S)")  # `find . ( -name a )`: no command is called so
_MAX_LENGTH = 4096
# Programs that only read files and print, whatever their arguments are.
_READERS = frozenset({
    "ls", "cat", "grep", "egrep", "fgrep", "zgrep", "rg", "head", "tail", "wc", "cut", "tr", "uniq", "nl", "tac", "rev", "paste",
    "join", "comm", "fold", "fmt", "column", "expand", "unexpand", "echo", "printf", "basename", "dirname", "realpath",
    "readlink", "stat", "file", "du", "df", "diff", "cmp", "ps", "pgrep", "pstree", "who", "w", "id", "groups", "whoami",
    "uname", "uptime", "free", "lsof", "seq", "expr", "true", "false", "test", "pwd", "type", "which", "whereis", "locate",
    "getent", "md5sum", "sha1sum", "sha256sum", "cksum", "strings", "od", "xxd", "hexdump", "zcat", "jq", "tree", "sleep",
    "cal", "look", "done", "fi", "esac", "find", "sort",
})  # fmt: skip
# Options of find and sort that delete, write or start a program.
_ACTIONS = re.compile(r"-(?:ok|delete|fprint|fls)|\bsort\b.*\s(?:-\w*o|--)")


def is_syntax_error(text: str) -> bool:
    """True if every shell rejects the whole text, so that nothing runs."""
    return _DANGLING_REDIRECTION.fullmatch(text) is not None


def only_reads(text: str) -> bool:
    """True if every word that could be the name of a command, however the text is parsed, only reads and prints.

    Names are looked for after every separator, also within quotes: a wrong guess makes the answer stricter.
    """
    if len(text) > _MAX_LENGTH or _WRITES_FILE.search(text) or _ACTIONS.search(text):
        return False
    if not _SUBSHELL_AFTER_KEYWORD.search(text):
        text = _EXTENDED_GLOB.sub(" ", text)
    pieces = [piece for piece in _SEPARATORS.split(text) if piece.strip(" \t\"'\\>")]
    names = [_FIRST_WORD.match(piece) for piece in pieces if not _OPTION.match(piece)]
    return bool(names) and all(name is not None and name[1] in _READERS for name in names)
