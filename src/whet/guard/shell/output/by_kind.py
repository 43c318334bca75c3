"""Predict the output of a program whose text is not known: placeholders that tell where the output comes from."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.paths import is_private
from whet.guard.shell.model.placeholders import (
    DECODED,
    ENDLESS,
    EVERY_ITEM,
    FROM_NETWORK,
    PRIVATE_CONTENT,
    UNKNOWN,
    origins,
)
from whet.guard.shell.model.programs import ENDLESS_FILES, READERS
from whet.guard.shell.model.protected import SAMPLES, may_be_protected
from whet.guard.shell.output.dump_all import dumps_private_data
from whet.guard.shell.output.find_expression import search_pattern
from whet.guard.shell.output.list_all import lists_all

# Programs that print text from the network.
_GREPS = frozenset({"grep", "egrep", "fgrep", "rg"})
_NETWORK_READERS = frozenset({
    "curl", "wget", "fetch", "aria2c", "lynx", "links", "w3m", "http", "https", "xh", "nc", "ncat", "netcat",
    "telnet", "ftp", "tftp", "socat", "dig", "iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod",
})  # fmt: skip
# Programs that decode or decompress, with the short and long option that makes them do so ("" if they always do).
_DECODERS = {
    "base64": ("dD", "decode"),
    "base32": ("dD", "decode"),
    "basenc": ("d", "decode"),
    "xxd": ("r", "revert"),
    "gzip": ("d", "decompress"),
    "bzip2": ("d", "decompress"),
    "xz": ("d", "decompress"),
    "zstd": ("d", "decompress"),
    "openssl": ("d", "decrypt"),
    "gpg": ("d", "decrypt"),
    "uudecode": ("", ""),
    "gunzip": ("", ""),
    "zcat": ("", ""),
    "bunzip2": ("", ""),
    "bzcat": ("", ""),
    "unxz": ("", ""),
    "xzcat": ("", ""),
    "zstdcat": ("", ""),
    "rev": ("", ""),
    "tr": ("", ""),
    "uncompress": ("", ""),
    "tac": ("", ""),
    "iconv": ("", ""),
    "recode": ("", ""),
    "od": ("", ""),
    "base58": ("d", "decode"),
    "brotli": ("d", "decompress"),
    "lz4": ("d", "decompress"),
    "unzip": ("p", ""),
    "7z": ("", ""),
    "age": ("d", "decrypt"),
    "steghide": ("", ""),
    "column": ("", ""),
}  # fmt: skip
# Programs whose output tells nothing about the content of their input.
_DIGESTS = frozenset({"wc", "sha256sum", "md5sum", "sha1sum", "sha512sum", "cksum", "shasum"})
# Programs that print shell code for `eval` to set up the shell, and the words that make them print it.
_PRINT_SHELL_SETUP = frozenset({
    "ssh-agent", "pyenv", "rbenv", "nodenv", "goenv", "direnv", "starship", "zoxide", "fnm", "brew", "conda",
    "mamba", "micromamba", "opam", "dircolors", "minikube", "docker-machine", "keychain", "thefuck", "mise",
    "rtx", "asdf", "luarocks", "register-python-argcomplete", "kubectl", "gh", "helm", "pip", "pip3", "npm",
    "poetry", "uv", "uvx", "hatch", "pdm", "rustup", "kind", "k3d", "argocd", "flux", "fzf", "atuin",
    "gpg-agent", "resize", "locale", "tput", "jenv", "volta", "stern", "oc", "podman", "docker", "chezmoi",
    "just", "ruff", "pipx", "pipenv", "deno", "op", "doctl", "eksctl", "vault", "terraform", "lesspipe",
    "gopass", "glab", "nerdctl", "xmake", "navi", "mcfly", "perlbrew", "plenv", "tox", "npx", "gulp", "invoke",
    "istioctl", "k9s", "linkerd", "skaffold", "velero", "hugo", "whet", "cargo", "ng", "grunt",
    "github-copilot-cli", "aws-vault", "saml2aws", "granted", "gcloud", "tmuxinator", "task", "yq", "spack",
    "guix", "nvm",
})  # fmt: skip
_SETUP_WORDS = frozenset({
    "completion", "completions", "init", "hook", "shellenv", "env", "shell-init", "-s", "docker-env", "activate",
    "path", "shell.bash", "shell.zsh", "shell.posix", "--completion", "export", "generate-shell-completion",
    "generate", "-", "--complete", "--bash", "--zsh", "shell",
})  # fmt: skip
_PASS_STREAMS_ON = frozenset(
    {"cat", "base64", "tr", "xxd", "od", "tee", "pv", "gzip", "bzip2", "xz", "zstd", "fold", "rev", "openssl"}
    | {"hexdump", "strings"}
)
_READ_ENDLESS_FILES = ("cat", "pv", "base64", "xxd", "od", "tr")
_AWK_EVERY_LINE = re.compile(r"\s*(NR\s*(>|>=|!=)\s*[12])?\s*\{(?!\s*if\b)[^{}]*\}\s*")
_ANY_NUMBER = re.compile(r"\^?(\[0-9\]|\[\[:digit:\]\]|\\d)[+*]?\$?")


def output_by_kind(call: Call) -> str:
    """Return the placeholders that stand for a program's output, from its kind, its files and its input."""
    stdin = call.stdin or ""
    if EVERY_ITEM in stdin and _selects_lines(call):
        stdin = stdin.replace(EVERY_ITEM, "")
    if ENDLESS in stdin and call.name not in _PASS_STREAMS_ON:
        stdin = stdin.replace(ENDLESS, "")
    if call.name in _NETWORK_READERS or (call.name == "openssl" and call.args[:1] == ["s_client"]):
        return FROM_NETWORK
    if call.name in _DIGESTS:
        return UNKNOWN
    if is_decoder(call):
        return origins(stdin) + DECODED + UNKNOWN
    if _prints_shell_setup(call):
        return ""
    reads_endless_file = not ENDLESS_FILES.isdisjoint((*call.args, *call.reads))
    if call.name == "yes" or (call.name in _READ_ENDLESS_FILES and reads_endless_file):
        return ENDLESS + UNKNOWN
    if lists_all(call):
        return EVERY_ITEM + UNKNOWN
    if dumps_private_data(call):
        return PRIVATE_CONTENT + UNKNOWN
    inherited = origins(stdin) + "".join(origins(argument) for argument in call.args)
    if call.name in READERS and any(is_private(call.resolve(path)) for path in (*call.args, *call.reads)):
        inherited += PRIVATE_CONTENT
    return inherited + UNKNOWN + _protected_lines(call)


def _protected_lines(call: Call) -> str:
    """Return the names of whet and git that `grep` selects from a list of files that is not known."""
    if call.name not in _GREPS or call.stdin is None or call.options.has("v", "invert-match"):
        return ""
    pattern = next((word for word in call.args if not word.startswith("-")), "")
    if not may_be_protected(pattern) or not any(letter.isalpha() for letter in pattern):
        return ""
    return "".join(f"\n{name}" for name in SAMPLES if "/" not in name and search_pattern(f".*(?:{pattern})", name))


def is_decoder(call: Call) -> bool:
    """True if the call decodes, decompresses or otherwise rewrites its input."""
    if call.name not in _DECODERS:
        return False
    letters, long = _DECODERS[call.name]
    return not letters or call.options.has(letters, long) or (call.name == "openssl" and "-d" in call.args)


def _prints_shell_setup(call: Call) -> bool:
    """True for calls such as `direnv hook bash`, whose output is meant for `eval` and is trusted."""
    if call.name not in _PRINT_SHELL_SETUP:
        # A program that is not known could do by itself all that its output could: only readers pass others' text on.
        is_reader = call.name in READERS or call.name in _NETWORK_READERS or call.name in _DECODERS
        names_shell = not {"bash", "zsh", "sh", "fish", "posix"}.isdisjoint(call.args)
        return not is_reader and names_shell and not _SETUP_WORDS.isdisjoint(call.args)
    return not call.args or call.name == "register-python-argcomplete" or not _SETUP_WORDS.isdisjoint(call.args)


def _selects_lines(call: Call) -> bool:
    """True if only some of the input lines are printed, so that the output no longer lists every item."""
    if call.name in _GREPS:
        matches_all = any(_ANY_NUMBER.fullmatch(word) for word in call.args)
        return not (matches_all or call.options.has("v", "invert-match"))
    if call.name in ("awk", "gawk", "mawk"):
        return not any(_AWK_EVERY_LINE.fullmatch(word) for word in call.args)
    skips_first_lines = any(word.startswith("+") for word in call.args)  # `tail -n +2` prints the rest
    return call.name in ("head", "tail", "fzf", "sk", "pgrep", "wc") and not skips_first_lines
