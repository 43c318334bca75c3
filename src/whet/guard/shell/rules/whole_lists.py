"""Commands that act on every item of a kind at once: `docker rm -f $(docker ps -aq)`. Acting on one item is fine."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import EVERY_ITEM
from whet.guard.shell.rules.rule import Rule, RuleHit


def _on_every_item(pattern: str, harm: Harm, action: str) -> Rule:
    """Return a rule that hits if an argument lists every item and the others contain the words of `pattern`."""
    words = [frozenset(part.split("|")) for part in pattern.split()]

    def rule(call: Call) -> Iterator[RuleHit]:
        if any(EVERY_ITEM in word for word in call.args):
            other_words = [word for word in call.args if EVERY_ITEM not in word]
            if all(not choices.isdisjoint(other_words) for choices in words):
                yield harm, f"{action}, all of them at once"

    return rule


_UNINSTALLS = (
    _on_every_item("uninstall|remove|purge|rm|del|autoremove|-e|-R|-Rns", Harm.PACKAGES, "uninstalls packages"),
)
_CONTAINERS = (_on_every_item("rm|rmi|remove -f|--force|-fv|-vf", Harm.INFRASTRUCTURE, "deletes containers or images"),)
RULES: dict[str, tuple[Rule, ...]] = {
    "docker": _CONTAINERS,
    "podman": _CONTAINERS,
    "nerdctl": _CONTAINERS,
    "git": (
        _on_every_item(
            "tag|remote|stash|update-ref|worktree -d|-D|--delete|remove|rm|drop",
            Harm.GIT_HISTORY,
            "deletes references",
        ),
        _on_every_item("rm", Harm.DELETION, "deletes files"),
    ),
    **dict.fromkeys(("rm", "unlink", "shred", "trash"), (_on_every_item("", Harm.DELETION, "deletes files"),)),
    **dict.fromkeys(("tee", "truncate"), (_on_every_item("", Harm.DELETION, "overwrites files"),)),
    **dict.fromkeys(
        (
            "pip", "pip3", "npm", "brew", "gem", "snap", "apt", "apt-get", "dpkg", "rpm", "pacman", "dnf", "yum",
            "conda", "pipx", "uv",
        ),
        _UNINSTALLS,
    ),
    **dict.fromkeys(
        ("redis-cli", "valkey-cli"),
        (_on_every_item("del|DEL|unlink|UNLINK", Harm.DATABASE, "deletes keys"),),
    ),
    "systemctl": (_on_every_item("stop|disable|mask|kill", Harm.SYSTEM, "stops services"),),
    "helm": (_on_every_item("uninstall|delete", Harm.INFRASTRUCTURE, "uninstalls applications of a cluster"),),
    **dict.fromkeys(
        ("kubectl", "oc"),
        (_on_every_item("delete", Harm.INFRASTRUCTURE, "deletes resources of a cluster"),),
    ),
    **dict.fromkeys(
        ("virsh", "lxc", "multipass"),
        (_on_every_item("destroy|delete|undefine|stop", Harm.INFRASTRUCTURE, "deletes or stops virtual machines"),),
    ),
    "dropdb": (_on_every_item("", Harm.DATABASE, "drops databases"),),
}  # fmt: skip
