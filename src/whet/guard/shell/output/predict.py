"""Predict what a command prints, as far as that is possible without running it."""

import base64
import binascii
import re
from collections.abc import Callable

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.placeholders import (
    DECODED,
    EVERY_ITEM,
    IDENTITY,
    PRIVATE_CONTENT,
    UNKNOWN,
    is_known,
    neutralise,
    origins,
)
from whet.guard.shell.output.by_kind import is_decoder, output_by_kind
from whet.guard.shell.output.find_matches import matched_by_find
from whet.guard.shell.output.git_paths import git_output
from whet.guard.shell.parse import ansi_strings

_MAX_OUTPUT = 65_536
_MAX_PRINTF_ROUNDS = 64
_FORMAT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([sbdiqucxXo]))")
_ESCAPED = re.compile(r"\\(?:x[0-9a-fA-F]|[0-7]{2}|u[0-9a-fA-F])")
_SOME_PROCESSES = re.compile(r"-[pCqtgGs].*|--(pid|ppid|quick-pid|tty|sid|help|version)\b.*|\d[\d,]*")


def predict_output(call: Call) -> str:
    """Return the text that a call prints, with placeholders for the parts that are not known."""
    predictor = _PREDICTORS.get(call.name)
    if predictor is None:
        return output_by_kind(call)
    text = predictor(call)
    return text if len(text) <= _MAX_OUTPUT else UNKNOWN


def _echo(call: Call) -> str:
    words, decodes_escapes = list(call.args), False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        decodes_escapes = decodes_escapes or "e" in words[0]
        words.pop(0)
    text = " ".join(words)
    if not decodes_escapes:
        return text + "\n"
    return (DECODED if _ESCAPED.search(text) else "") + ansi_strings.decode(text) + "\n"


def _printf(call: Call) -> str:
    words = list(call.args)
    if words[:1] == ["-v"]:
        return ""
    if words[:1] == ["--"]:
        words.pop(0)
    if not words:
        return ""
    template, values = words[0], words[1:]
    is_decoded = _ESCAPED.search(template) or ("%b" in template and any(_ESCAPED.search(value) for value in values))
    # The template is repeated until all values are used.
    per_round = sum(1 for match in _FORMAT.finditer(template) if match[1])
    rounds = -(-len(values) // per_round) if per_round and values else 1
    texts = [
        _format(template, values[number * per_round : (number + 1) * per_round])
        for number in range(min(rounds, _MAX_PRINTF_ROUNDS))
    ]
    return (DECODED if is_decoded else "") + "".join(texts)


def _format(template: str, values: list[str]) -> str:
    remaining = iter(values)

    def insert(match: re.Match[str]) -> str:
        if not match[1]:
            return "%"
        value = next(remaining, "")
        return ansi_strings.decode(value) if match[1] == "b" else value

    return _FORMAT.sub(insert, ansi_strings.decode(template))


def _cat(call: Call) -> str:
    reads_stdin = not call.options.operands or call.options.operands == ["-"]
    return call.stdin if reads_stdin and call.stdin is not None else output_by_kind(call)


def _tee(call: Call) -> str:
    return call.stdin if call.stdin is not None else UNKNOWN


def _head(call: Call) -> str:
    """Predict `head` and `tail`: a single known line passes unchanged."""
    stdin = call.stdin
    if not stdin or not is_known(stdin) or stdin.count("\n") > 1 or stdin.strip() == "*":
        return output_by_kind(call)
    return stdin


def _base64(call: Call) -> str:
    if not is_decoder(call):
        return origins(call.stdin or "") + output_by_kind(call)
    return _decode_stdin(call, lambda text: base64.b64decode(text, validate=False))


def _xxd(call: Call) -> str:
    if not is_decoder(call):
        return output_by_kind(call)
    return _decode_stdin(call, lambda text: bytes.fromhex("".join(re.findall(r"[0-9a-fA-F]{2}", text))))


def _decode_stdin(call: Call, decode: Callable[[str], bytes]) -> str:
    stdin = call.stdin or ""
    if not stdin or not is_known(stdin) or call.options.operands:
        return origins(stdin) + DECODED + UNKNOWN
    try:
        return DECODED + neutralise(decode(stdin.strip().strip(DECODED)).decode())
    except (binascii.Error, ValueError):
        return DECODED + UNKNOWN


def _rev(call: Call) -> str:
    stdin = call.stdin or ""
    if not is_known(stdin) or not stdin:
        return origins(stdin) + DECODED + UNKNOWN
    return DECODED + "\n".join(line[::-1] for line in stdin.strip(DECODED).split("\n"))


def _tr(call: Call) -> str:
    stdin, words = (call.stdin or "").strip(DECODED), call.args
    if not stdin or not is_known(stdin):
        return origins(stdin) + DECODED + UNKNOWN
    if len(words) != 2:
        return DECODED + UNKNOWN
    if words[0] == "-d":
        deleted = _character_set(words[1])
        return DECODED + "".join(letter for letter in stdin if letter not in deleted)
    old, new = _character_set(words[0]), _character_set(words[1])
    if words[0].startswith("-") or not new:
        return DECODED + UNKNOWN
    # A shorter second set is filled up with its last character.
    table = {ord(letter): new[min(index, len(new) - 1)] for index, letter in enumerate(old)}
    return DECODED + stdin.translate(table)


def _character_set(text: str) -> str:
    """Expand `a-z` and `[:upper:]` in a set of `tr`."""
    text = ansi_strings.decode(text).replace("[:upper:]", "A-Z").replace("[:lower:]", "a-z")
    return re.sub(r"(.)-(.)", lambda match: _characters_between(match[1], match[2]), text)


def _characters_between(first: str, last: str) -> str:
    return "".join(map(chr, range(ord(first), min(ord(last), ord(first) + 255) + 1)))


def _which(call: Call) -> str:
    names = [argument for argument in call.args if not argument.startswith("-")]
    return names[0] if len(names) == 1 else UNKNOWN


def _command(call: Call) -> str:
    return _which(call) if call.args[:1] in (["-v"], ["-V"]) else UNKNOWN


def _mktemp(_: Call) -> str:
    return "/tmp/tmp.made"


def _ls(call: Call) -> str:
    """Predict `ls`: the path itself for a file, `path/*` for a folder."""
    paths = [path for path in call.options.operands if not path.startswith("-")]
    listed = []
    for path in paths:
        is_file = "*" in path or "." in path.rpartition("/")[2].strip(".")
        listed.append(path if is_file else f"{path.rstrip('/')}/*")
    lists_processes = any(path.rstrip("/*") == "/proc" for path in paths)
    return (EVERY_ITEM if lists_processes else "") + "\n".join(listed or ["*"])


def _find(call: Call) -> str:
    return "\n".join(matched_by_find(call.args))


def _environment(call: Call) -> str:
    return UNKNOWN if call.args else PRIVATE_CONTENT + UNKNOWN


def _identity(call: Call) -> str:
    return UNKNOWN if call.args else PRIVATE_CONTENT + IDENTITY + UNKNOWN


def _ps(call: Call) -> str:
    lists_some = not call.args or any(_SOME_PROCESSES.fullmatch(word) or not is_known(word) for word in call.args)
    return UNKNOWN if lists_some else EVERY_ITEM + UNKNOWN


def _pgrep(call: Call) -> str:
    by_user_only = call.options.value("uUG", "euid", "uid", "group") and not call.options.operands
    matches_all = call.args[-1:] in (["."], [""], [".*"])
    return EVERY_ITEM + UNKNOWN if by_user_only or matches_all else UNKNOWN


def _kubectl(call: Call) -> str:
    """Predict `kubectl`. `kubectl get pods -o name` prints `pod/x`: deleting those deletes pods only."""
    gets_pods = call.args[:1] == ["get"] and call.args[1:2] and call.args[1] in ("po", "pod", "pods")
    prefix = "pod/" if gets_pods and "name" in call.args else ""
    return prefix + output_by_kind(call)


def _pwd(_: Call) -> str:
    return "."


def _cd(call: Call) -> str:
    return UNKNOWN if call.args == ["-"] else ""  # only `cd -` prints the folder


_PREDICTORS: dict[str, Callable[[Call], str]] = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "tee": _tee,
    "head": _head,
    "tail": _head,
    "base64": _base64,
    "xxd": _xxd,
    "rev": _rev,
    "tr": _tr,
    "which": _which,
    "type": _which,
    "command": _command,
    "mktemp": _mktemp,
    "ls": _ls,
    "find": _find,
    "ps": _ps,
    "pgrep": _pgrep,
    "kubectl": _kubectl,
    "git": git_output,
    "pwd": _pwd,
    "cd": _cd,
    "env": _environment,
    "printenv": _environment,
    "set": _environment,
    "export": _environment,
    "whoami": _identity,
    "id": _identity,
}
