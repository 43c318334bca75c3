"""A simple command as the shell would start it, after all expansions."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from whet.guard.shell.model.harm import Span
from whet.guard.shell.model.options import Options
from whet.guard.shell.model.placeholders import UNKNOWN

# For commands whose operands matter: the short and the long options that take the next word as their value.
VALUED_OPTIONS = {
    "chmod": ("", ("reference",)),
    "chown": ("", ("reference", "from")),
    "cp": ("tS", ("target-directory", "suffix")),
    "curl": (
        "oXHdFTuAebEKmwxYrCcUQ",
        (
            "output", "request", "header", "data", "data-raw", "data-binary", "data-urlencode", "data-ascii", "form",
            "form-string", "upload-file", "user", "user-agent", "referer", "cookie", "cert", "config", "max-time",
            "write-out", "proxy", "url", "json", "unix-socket", "retry", "connect-timeout", "cookie-jar", "cacert",
            "key", "resolve", "range", "retry-delay", "limit-rate", "interface", "dns-servers", "create-file-mode",
            "engine",
        ),
    ),
    "git": ("", ()),
    "install": ("mogtS", ("mode", "owner", "group", "target-directory")),
    "kill": ("sn", ("signal",)),
    "ln": ("tS", ("target-directory", "suffix")),
    "mv": ("tS", ("target-directory", "suffix")),
    "nc": ("ecgGiIMmOopPqsTVwWXx", ("exec", "sh-exec", "lua-exec", "proxy", "source-port", "wait")),
    "pkill": ("sugGUtFPn", ("signal", "uid", "euid", "group", "parent", "terminal", "ns", "pidfile")),
    "rsync": ("efBMT", ("rsh", "filter", "exclude", "include", "exclude-from", "include-from", "files-from")),
    "scp": ("cFiJloPSDX", ()),
    "sed": ("ef", ("expression", "file")),
    "mount": ("tLUoONT", ("types", "options", "label", "uuid", "source", "target", "fstab", "namespace")),
    "shred": ("ns", ("iterations", "size", "random-source")),
    "tee": ("", ()),
    "truncate": ("sr", ("size", "reference")),
    "wget": (
        "OPoaiUTtQwBADRI",
        (
            "output-document", "directory-prefix", "post-file", "post-data", "body-file", "body-data", "header",
            "user", "password", "use-askpass", "output-file", "tries", "timeout", "user-agent", "method",
            "input-file",
        ),
    ),
}  # fmt: skip
_SAME_OPTIONS = {
    "nc": ("ncat", "netcat", "nc.traditional", "nc.openbsd"),
    "sed": ("gsed",),
    "pkill": ("pgrep", "skill", "slay"),
    "kill": ("killall",),
}
for _name, _aliases in _SAME_OPTIONS.items():
    VALUED_OPTIONS.update(dict.fromkeys(_aliases, VALUED_OPTIONS[_name]))

_DO_NOT_FOLLOW_LINKS = frozenset({"rm", "unlink", "mv", "ln", "readlink"})


@dataclass(slots=True)
class Call:
    """A command with expanded words. `path` is its first word and `name` the last part of that path.

    `stdin` is the text on standard input, or None if nothing is redirected or piped into the command. `writes` and
    `reads` are the files of its redirections. `word_nodes` and `span_of` locate a word in the source text.
    """

    path: str
    args: list[str]
    span: Span
    via: tuple[str, ...] = ()
    stdin: str | None = None
    writes: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    cwd: str = ""
    links: dict[str, str] = field(default_factory=dict)
    output_used: bool = False  # a pipe, a substitution or a file receives the output
    word_nodes: list[tuple[str, Node]] = field(default_factory=list)
    span_of: Callable[[Node], Span] | None = None
    name: str = field(init=False)
    _options: Options | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.name = self.path.rpartition("/")[2]

    @property
    def options(self) -> Options:
        if self._options is None:
            self._options = Options(self.args, *VALUED_OPTIONS.get(self.name, ("", ())))
        return self._options

    def inner(self, words: list[str], label: str) -> "Call":
        """Return the call of a command that this one starts; `label` is added to `via`."""
        return replace(self, path=words[0], args=words[1:], via=(*self.via, label))

    def span_of_text(self, text: str) -> Span:
        """Return the span of the word that contains a nested text, or of the whole command."""
        for word, node in self.word_nodes:
            if self.span_of is not None and text and text in word:
                return self.span_of(node)
        return self.span

    def resolve(self, path: str) -> str:
        """Return a path seen from the command's working folder; links that the command text created are followed."""
        if self.links:
            path = self._through_links(path)
        if not self.cwd or path.startswith(("/", "~", UNKNOWN)):
            return path
        return f"{self.cwd.rstrip('/')}/{path}"

    def _through_links(self, path: str) -> str:
        steps = path.removeprefix("./").split("/")
        # `rm link` removes the link itself, `rm link/file` a file behind it.
        longest = len(steps) - (self.name in _DO_NOT_FOLLOW_LINKS)
        for end in range(longest, 0, -1):
            target = self.links.get("/".join(steps[:end]))
            if target is not None:
                return "/".join([target.rstrip("/"), *steps[end:]])
        return path
