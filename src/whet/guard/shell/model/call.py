"""A simple command as the shell would start it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tree_sitter import Node

from whet.guard.shell.model.harm import Span
from whet.guard.shell.model.options import Options

# Short and long options that take the next word, for the commands whose operands matter.
VALUED = {
    "chmod": ("", ("reference",)),
    "chown": ("", ("reference", "from")),
    "cp": ("tS", ("target-directory", "suffix")),
    "curl": ("oXHdFTuAebEKmwxYrCcUQ", (
        "output", "request", "header", "data", "data-raw", "data-binary", "data-urlencode", "data-ascii", "form",
        "form-string", "upload-file", "user", "user-agent", "referer", "cookie", "cert", "config", "max-time",
        "write-out", "proxy", "url", "json", "unix-socket", "retry", "connect-timeout", "cookie-jar", "cacert", "key",
        "resolve", "range", "retry-delay", "limit-rate", "interface", "dns-servers", "create-file-mode",
    )),
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
    "shred": ("ns", ("iterations", "size", "random-source")),
    "tee": ("", ()),
    "truncate": ("sr", ("size", "reference")),
    "wget": ("OPoaiUTtQwBADRI", (
        "output-document", "directory-prefix", "post-file", "post-data", "body-file", "body-data", "header", "user",
        "password", "use-askpass", "output-file", "tries", "timeout", "user-agent", "method", "input-file",
    )),
}  # fmt: skip
for _same, _as in (("ncat", "nc"), ("netcat", "nc"), ("nc.traditional", "nc"), ("nc.openbsd", "nc"), ("gsed", "sed"),
                   ("pgrep", "pkill"), ("skill", "pkill"), ("slay", "pkill"), ("killall", "kill")):  # fmt: skip
    VALUED[_same] = VALUED[_as]

_ON_LINKS = frozenset({"rm", "unlink", "mv", "ln", "readlink"})  # they take the link itself, not what it leads to


@dataclass(slots=True)
class Call:
    """`path` is the name as it was resolved, `name` its last part; `stdin` is None where nothing is fed to it.

    `writes` and `reads` are the files of its redirections, `appends` those of `writes` that are only added to.
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
    output_used: bool = False  # whether another command takes what it prints
    word_nodes: list[tuple[str, Node]] = field(default_factory=list)
    span_of: Callable[[Node], Span] | None = None
    name: str = field(init=False)
    _options: Options | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.name = self.path.rpartition("/")[2]

    @property
    def options(self) -> Options:
        if self._options is None:
            self._options = Options(self.args, *VALUED.get(self.name, ("", ())))
        return self._options

    def inner(self, words: list[str], label: str) -> "Call":
        return replace(self, path=words[0], args=words[1:], via=(*self.via, label))

    def span_of_text(self, text: str) -> Span:
        """Where the word stands that a nested text was taken from; the whole command if it is no word's."""
        for word, node in self.word_nodes:
            if self.span_of is not None and text and text in word:
                return self.span_of(node)
        return self.span

    def resolve(self, path: str) -> str:
        """A path as it is seen from the folder in which the command runs, through the links that were made before."""
        if self.links and self.name not in _ON_LINKS:
            path = self._through_links(path)
        if not self.cwd or path.startswith(("/", "~", "\ue000")):
            return path
        return f"{self.cwd.rstrip('/')}/{path}"

    def _through_links(self, path: str) -> str:
        steps = path.removeprefix("./").split("/")
        for end in range(len(steps), 0, -1):
            target = self.links.get("/".join(steps[:end]))
            if target is not None:
                return "/".join([target.rstrip("/"), *steps[end:]])
        return path
