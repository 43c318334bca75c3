"""Commands that print every one of a kind: what is done to such a list is done to all there is."""

from whet.guard.shell.model.call import Call

# The words that a list begins with.
_LISTS: dict[str, tuple[str, ...]] = {
    "docker": ("ps", "images", "image ls", "container ls", "container list", "volume ls", "network ls"), "podman": ("ps", "images", "image ls", "container ls", "volume ls"),
    "kubectl": ("get",), "oc": ("get",), "git": ("tag", "for-each-ref", "show-ref", "ls-files", "ls-tree", "rev-list", "remote"), "pip": ("freeze", "list"), "pip3": ("freeze", "list"),
    "brew": ("list", "leaves"), "gem": ("list",), "snap": ("list",), "npm": ("ls", "list"), "virsh": ("list",), "lxc": ("list",), "multipass": ("list",), "helm": ("list", "ls"),
    "redis-cli": ("keys *", "KEYS *", "--raw keys *", "--scan"), "systemctl": ("list-units", "list-unit-files"), "dpkg": ("-l", "--get-selections"), "rpm": ("-qa",), "apt-mark": ("showmanual",), "pacman": ("-Q", "-Qq"),
}  # fmt: skip
_CHOOSES = frozenset({
    "-f", "--filter", "-l", "--selector", "--field-selector", "--merged", "--no-merged", "--contains", "--points-at", "--others", "--ignored", "--deleted", "-d", "-n", "--last", "--latest",
    "--outdated", "--modified", "-m", "--limit", "--pattern", "--count", "--state",
})  # fmt: skip
_NAMES_FOLLOW = frozenset({"git", "docker", "podman", "brew", "pip", "pip3", "snap", "gem", "dpkg"})
_STILL_ALL = frozenset({"*", "refs/tags", "refs/heads", "HEAD"})


def lists_all(call: Call) -> bool:
    beginnings = _LISTS.get(call.name)
    if beginnings is None:
        return False
    said = " ".join(call.args)
    begun = next((words for words in beginnings if said == words or said.startswith(f"{words} ")), None)
    if begun is None:
        return False
    return not any(_chooses(call.name, word) for word in call.args[begun.count(" ") + 1 :])


def _chooses(name: str, word: str) -> bool:
    """An option that makes a choice, or the name or pattern of some (`git tag 'v1.*'`, `docker images app`)."""
    if word[:1] == "-":
        if name == "git" and word in ("-l", "--list"):
            return False
        return word.partition("=")[0] in _CHOOSES or (name == "git" and word == "-o")
    return name in _NAMES_FOLLOW and word not in _STILL_ALL and "{{" not in word
