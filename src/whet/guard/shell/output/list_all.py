"""Recognise commands that list all items of a kind (`docker ps -aq`): acting on that list acts on every item."""

from whet.guard.shell.model.call import Call

# The arguments with which each command lists all items.
_LIST_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "docker": ("ps", "images", "image ls", "container ls", "container list", "volume ls", "network ls"),
    "podman": ("ps", "images", "image ls", "container ls", "volume ls"),
    "kubectl": ("get",),
    "oc": ("get",),
    "git": ("tag", "for-each-ref", "show-ref", "ls-files", "ls-tree", "rev-list", "remote"),
    "pip": ("freeze", "list"),
    "pip3": ("freeze", "list"),
    "brew": ("list", "leaves"),
    "gem": ("list",),
    "snap": ("list",),
    "npm": ("ls", "list"),
    "virsh": ("list",),
    "lxc": ("list",),
    "multipass": ("list",),
    "helm": ("list", "ls"),
    "redis-cli": ("keys *", "KEYS *", "--raw keys *", "--scan"),
    "systemctl": ("list-units", "list-unit-files"),
    "dpkg": ("-l", "--get-selections"),
    "rpm": ("-qa",),
    "apt-mark": ("showmanual",),
    "pacman": ("-Q", "-Qq"),
}  # fmt: skip
# Options that restrict the list.
_FILTER_OPTIONS = frozenset({
    "-f", "--filter", "-l", "--selector", "--field-selector", "--merged", "--no-merged", "--contains",
    "--points-at", "--others", "--ignored", "--deleted", "-d", "-n", "--last", "--latest", "--outdated",
    "--modified", "-m", "--limit", "--pattern", "--count", "--state",
})  # fmt: skip
# Commands whose operands restrict the list (`docker images app`), and operands that do not.
_FILTER_BY_OPERAND = frozenset({"git", "docker", "podman", "brew", "pip", "pip3", "snap", "gem", "dpkg"})
_UNRESTRICTED = frozenset({"*", "refs/tags", "refs/heads", "HEAD"})


def lists_all(call: Call) -> bool:
    arguments = " ".join(call.args)
    for beginning in _LIST_ARGUMENTS.get(call.name, ()):
        if arguments == beginning or arguments.startswith(f"{beginning} "):
            rest = _without_open_patterns(call.args[beginning.count(" ") + 1 :])
            return not any(_restricts(call.name, word) for word in rest)
    return False


def _without_open_patterns(words: list[str]) -> list[str]:
    """Remove `--pattern *`, which restricts nothing."""
    if "--pattern" in words and words[words.index("--pattern") + 1 :][:1] == ["*"]:
        index = words.index("--pattern")
        return words[:index] + words[index + 2 :]
    return words


def _restricts(name: str, word: str) -> bool:
    """True if an argument restricts the list: a filter option, or a name or pattern (`git tag 'v1.*'`)."""
    if word[:1] == "-":
        if name == "git" and word in ("-l", "--list"):
            return False
        return word.partition("=")[0] in _FILTER_OPTIONS or (name == "git" and word == "-o")
    return name in _FILTER_BY_OPERAND and word not in _UNRESTRICTED and "{{" not in word
