"""What a command prints, as far as that can be told without running it."""

import base64
import binascii
import re
from collections.abc import Callable
from itertools import pairwise, takewhile

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.paths import is_private
from whet.guard.shell.model.placeholders import (
    DECODED,
    ENDLESS,
    EVERY_ITEM,
    FROM_NETWORK,
    PRIVATE_CONTENT,
    UNKNOWN,
    is_known,
    neutralise,
    origins,
)
from whet.guard.shell.model.programs import ENDLESS_FILES, READERS
from whet.guard.shell.output.dump_all import dumps_private_data
from whet.guard.shell.output.list_all import lists_all
from whet.guard.shell.parse import ansi_strings

_LONGEST = 65_536
_FETCHES = frozenset({"curl", "wget", "fetch", "aria2c", "lynx", "links", "w3m", "http", "https", "xh", "nc", "ncat",
                      "netcat", "telnet", "ftp", "tftp", "socat", "dig", "iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod"})  # fmt: skip
_DECODERS = {
    "base64": ("dD", "decode"), "base32": ("dD", "decode"), "basenc": ("d", "decode"), "xxd": ("r", "revert"),
    "gzip": ("d", "decompress"), "bzip2": ("d", "decompress"), "xz": ("d", "decompress"), "zstd": ("d", "decompress"),
    "openssl": ("d", "decrypt"), "gpg": ("d", "decrypt"), "uudecode": ("", ""), "gunzip": ("", ""), "zcat": ("", ""),
    "bunzip2": ("", ""), "bzcat": ("", ""), "unxz": ("", ""), "xzcat": ("", ""), "zstdcat": ("", ""), "rev": ("", ""),
    "tr": ("", ""), "uncompress": ("", ""), "tac": ("", ""), "iconv": ("", ""), "recode": ("", ""), "od": ("", ""),
    "base58": ("d", "decode"), "brotli": ("d", "decompress"), "lz4": ("d", "decompress"), "unzip": ("p", ""),
    "7z": ("", ""), "age": ("d", "decrypt"), "steghide": ("", ""), "column": ("", ""),
}  # fmt: skip
_FILTERS_OUT = frozenset({"wc", "sha256sum", "md5sum", "sha1sum", "sha512sum", "cksum", "shasum"})
_INITIALISERS = frozenset({
    "completion", "completions", "init", "hook", "shellenv", "env", "shell-init", "-s", "docker-env", "activate", "path",
    "shell.bash", "shell.zsh", "shell.posix", "--completion", "export", "generate-shell-completion", "generate", "-",
    "--complete", "--bash", "--zsh", "shell",
})  # fmt: skip
_SPEAK_SHELL = frozenset({
    "ssh-agent", "pyenv", "rbenv", "nodenv", "goenv", "direnv", "starship", "zoxide", "fnm", "brew", "conda", "mamba",
    "micromamba", "opam", "dircolors", "minikube", "docker-machine", "keychain", "thefuck", "mise", "rtx", "asdf", "luarocks",
    "register-python-argcomplete", "kubectl", "gh", "helm", "pip", "pip3", "npm", "poetry", "uv", "uvx", "hatch", "pdm",
    "rustup", "kind", "k3d", "argocd", "flux", "fzf", "atuin", "gpg-agent", "resize", "locale", "tput", "jenv", "volta",
    "stern", "oc", "podman", "docker", "chezmoi", "just", "ruff", "pipx", "pipenv", "deno", "op", "doctl", "eksctl",
    "vault", "terraform", "lesspipe", "gopass", "glab", "nerdctl", "xmake", "navi", "mcfly", "perlbrew", "plenv", "tox",
    "npx", "gulp", "invoke", "istioctl", "k9s", "linkerd", "skaffold", "velero", "hugo", "whet", "cargo", "ng", "grunt",
    "github-copilot-cli", "aws-vault", "saml2aws", "granted", "gcloud", "tmuxinator", "task", "yq", "spack", "guix", "nvm",
})  # fmt: skip
_EVERY_LINE = re.compile(r"\s*(NR\s*(>|>=|!=)\s*[12])?\s*\{[^{}]*\}\s*")
_SOME_PROCESSES = re.compile(r"-[pCqtgGs].*|--(pid|ppid|quick-pid|tty|sid|help|version)\b.*|\d[\d,]*")
_STREAMS = frozenset(
    {
        "cat",
        "base64",
        "tr",
        "xxd",
        "od",
        "tee",
        "pv",
        "gzip",
        "bzip2",
        "xz",
        "zstd",
        "fold",
        "rev",
        "openssl",
        "hexdump",
        "strings",
    }
)
_ANY_NUMBER = re.compile(r"\^?(\[0-9\]|\[\[:digit:\]\]|\\d)[+*]?\$?")
_FORMAT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([sbdiqucxXo]))")
_ESCAPED = re.compile(r"\\(?:x[0-9a-fA-F]|[0-7]{2}|u[0-9a-fA-F])")


def printed(call: Call) -> str:
    handler = _PRINTERS.get(call.name)
    if handler is not None:
        text = handler(call)
        return text if len(text) <= _LONGEST else UNKNOWN
    return _by_kind(call)


def _by_kind(call: Call) -> str:
    fed = call.stdin or ""
    if EVERY_ITEM in fed and _picks(call):
        fed = fed.replace(EVERY_ITEM, "")
    if ENDLESS in fed and call.name not in _STREAMS:
        fed = fed.replace(ENDLESS, "")
    if call.name in _FETCHES or (call.name == "openssl" and call.args[:1] == ["s_client"]):
        return FROM_NETWORK
    if call.name in _FILTERS_OUT:
        return UNKNOWN
    if is_decoder(call):
        return origins(fed) + DECODED + UNKNOWN
    if call.name in _SPEAK_SHELL and (
        not call.args or call.name == "register-python-argcomplete" or not _INITIALISERS.isdisjoint(call.args)
    ):
        return ""
    if call.name == "yes" or (
        call.name in ("cat", "pv", "base64", "xxd", "od", "tr")
        and not ENDLESS_FILES.isdisjoint((*call.args, *call.reads))
    ):
        return ENDLESS + UNKNOWN
    if lists_all(call):
        return EVERY_ITEM + UNKNOWN
    taken = origins(fed) + "".join(origins(argument) for argument in call.args)
    if dumps_private_data(call):
        return PRIVATE_CONTENT + UNKNOWN
    if call.name in READERS and any(is_private(call.resolve(path)) for path in (*call.args, *call.reads)):
        taken += PRIVATE_CONTENT
    return taken + UNKNOWN


def _picks(call: Call) -> bool:
    """Whether only some of the lines go on."""
    if call.name in ("grep", "egrep", "fgrep", "rg"):
        every = call.options.has("v", "invert-match") or any(_ANY_NUMBER.fullmatch(word) for word in call.args)
        return not every
    if call.name in ("awk", "gawk", "mawk"):
        return not any(_EVERY_LINE.fullmatch(word) for word in call.args)
    return call.name in ("head", "tail", "fzf", "sk", "pgrep", "wc") and not any(
        word.startswith("+") for word in call.args
    )


def is_decoder(call: Call) -> bool:
    letters_and_long = _DECODERS.get(call.name)
    if letters_and_long is None:
        return False
    letters, long = letters_and_long
    return not letters or call.options.has(letters, long) or (call.name == "openssl" and "-d" in call.args)


def _echo(call: Call) -> str:
    words, escapes = list(call.args), False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        escapes = escapes or "e" in words[0]
        words.pop(0)
    text = " ".join(words)
    hidden = escapes and _ESCAPED.search(text)
    return (DECODED if hidden else "") + (ansi_strings.decode(text) if escapes else text) + "\n"


def _printf(call: Call) -> str:
    words = list(call.args)
    if words[:1] == ["-v"]:
        return ""
    if words[:1] == ["--"]:
        words.pop(0)
    if not words:
        return ""
    form, values = words[0], words[1:]
    hidden = _ESCAPED.search(form) or ("%b" in form and any(_ESCAPED.search(value) for value in values))
    wanted = sum(1 for match in _FORMAT.finditer(form) if match[1])
    rounds = -(-len(values) // wanted) if wanted and values else 1
    text = "".join(_formatted(form, values[turn * wanted : (turn + 1) * wanted]) for turn in range(min(rounds, 64)))
    return (DECODED if hidden else "") + text


def _formatted(form: str, values: list[str]) -> str:
    rest = iter(values)

    def put(match: re.Match[str]) -> str:
        if not match[1]:
            return "%"
        value = next(rest, "")
        return ansi_strings.decode(value) if match[1] == "b" else value

    return _FORMAT.sub(put, ansi_strings.decode(form))


def _cat(call: Call) -> str:
    if not call.options.operands or call.options.operands == ["-"]:
        return call.stdin if call.stdin is not None else _by_kind(call)
    return _by_kind(call)


def _cat_stdin(call: Call) -> str:
    return call.stdin if call.stdin is not None else UNKNOWN


def _head(call: Call) -> str:
    fed = call.stdin
    if not fed or not is_known(fed) or fed.count("\n") > 1 or fed.strip() == "*":
        return _by_kind(call)
    return fed


def _base64(call: Call) -> str:
    if not is_decoder(call):
        return origins(call.stdin or "") + _by_kind(call)
    return _decoded(call, lambda text: base64.b64decode(text, validate=False))


def _xxd(call: Call) -> str:
    if not is_decoder(call):
        return _by_kind(call)
    return _decoded(call, lambda text: bytes.fromhex("".join(re.findall(r"[0-9a-fA-F]{2}", text))))


def _decoded(call: Call, decode: Callable[[str], bytes]) -> str:
    fed = call.stdin or ""
    if not fed or not is_known(fed) or call.options.operands:
        return origins(fed) + DECODED + UNKNOWN
    try:
        return DECODED + neutralise(decode(fed.strip().strip(DECODED)).decode())
    except (binascii.Error, ValueError):
        return DECODED + UNKNOWN


def _rev(call: Call) -> str:
    fed = call.stdin or ""
    if not is_known(fed) or not fed:
        return origins(fed) + DECODED + UNKNOWN
    return DECODED + "\n".join(line[::-1] for line in fed.strip(DECODED).split("\n"))


def _tr(call: Call) -> str:
    fed, words = (call.stdin or "").strip(DECODED), call.args
    if not fed or not is_known(fed):
        return origins(fed) + DECODED + UNKNOWN
    if len(words) == 2 and words[0] == "-d":
        return DECODED + "".join(letter for letter in fed if letter not in _set(words[1]))
    if len(words) != 2 or words[0].startswith("-"):
        return DECODED + UNKNOWN
    old, new = _set(words[0]), _set(words[1])
    if not new:
        return DECODED + UNKNOWN
    return DECODED + fed.translate({ord(a): (new[i] if i < len(new) else new[-1]) for i, a in enumerate(old)})


def _set(text: str) -> str:
    text = re.sub(r"\[:lower:\]", "a-z", re.sub(r"\[:upper:\]", "A-Z", ansi_strings.decode(text)))
    return re.sub(r"(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), min(ord(m[2]), ord(m[1]) + 255) + 1))), text)


def _which(call: Call) -> str:
    names = [argument for argument in call.args if not argument.startswith("-")]
    return names[0] if len(names) == 1 else UNKNOWN


def _command(call: Call) -> str:
    return _which(call) if call.args[:1] in (["-v"], ["-V"]) else UNKNOWN


def _mktemp(_: Call) -> str:
    return "/tmp/tmp.made"


def _ls(call: Call) -> str:
    named = [path for path in call.options.operands if not path.startswith("-")]
    shown = [
        path if "*" in path or "." in path.rpartition("/")[2].strip(".") else f"{path.rstrip('/')}/*" for path in named
    ]
    everyone = EVERY_ITEM if any(path.rstrip("/*") == "/proc" for path in named) else ""
    return everyone + "\n".join(shown or ["*"])


def _find(call: Call) -> str:
    return "\n".join(matched_by_find(call.args))


_LINKS = frozenset({"-H", "-L", "-P"})
_SELECTS = frozenset({"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"})
_NARROWS = frozenset({"-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin", "-size", "-empty", "-newer", "-perm", "-user",
                      "-links", "-inum", "-group", "-xtype", "-nouser", "-nogroup"})  # fmt: skip


def matched_by_find(args: list[str]) -> list[str]:
    """The paths that `find` hands on, as patterns: its roots, with the names it asks for."""
    roots = list(
        takewhile(
            lambda word: not word.startswith(("-", "(", "!", "\\(")), (word for word in args if word not in _LINKS)
        )
    )
    asked = [
        value
        for place, (test, value) in enumerate(pairwise(args))
        if test in _SELECTS and not (place and args[place - 1] in ("!", "-not", "\\!"))
    ]
    names = [name.rpartition("/")[2] or name for name in asked if name.strip("*./")]
    if not names and not _NARROWS.isdisjoint(args):
        names = ["*.tmp"]
    found = [f"{root.rstrip('/')}/{UNKNOWN}/{name}" for root in roots or ["."] for name in names]
    return found + [f"{root.rstrip('/')}/*" for root in roots or ["."] if not names or not _is_below(root)]


def _is_below(root: str) -> bool:
    """Whether names below it may be anybody's: from the root of a machine or a home, every name is too many."""
    return root.rstrip("/") not in ("", "~", "/home", "/root", "/etc", "/usr", "/var", "/bin", "/lib", "/boot", "/opt")


def _environment(call: Call) -> str:
    return PRIVATE_CONTENT + UNKNOWN if not call.args else UNKNOWN


def _identity(call: Call) -> str:
    return UNKNOWN if call.args else PRIVATE_CONTENT + UNKNOWN


def _processes(call: Call) -> str:
    some = not call.args or any(_SOME_PROCESSES.fullmatch(word) or not is_known(word) for word in call.args)
    return UNKNOWN if some else EVERY_ITEM + UNKNOWN


def _process_names(call: Call) -> str:
    if call.options.value("uUG", "euid", "uid", "group") and not call.options.operands:
        return EVERY_ITEM + UNKNOWN
    return EVERY_ITEM + UNKNOWN if call.args[-1:] in (["."], [""], [".*"]) else UNKNOWN


def _in_cluster(call: Call) -> str:
    """`kubectl get pods -o name` prints `pod/x`, so that it is known what is done to pods only."""
    names_pods = call.args[:1] == ["get"] and call.args[1:2] and call.args[1] in ("po", "pod", "pods")
    kind = "pod/" if names_pods and "name" in call.args else ""
    return kind + _by_kind(call)


def _pwd(_: Call) -> str:
    return "."


_PRINTERS = {
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "tee": _cat_stdin,
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
    "ps": _processes,
    "pgrep": _process_names,
    "kubectl": _in_cluster,
    "pwd": _pwd,
    "env": _environment,
    "printenv": _environment,
    "set": _environment,
    "export": _environment,
    "whoami": _identity,
    "id": _identity,
}
