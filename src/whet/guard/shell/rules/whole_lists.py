"""One of a kind may go every day; a list of all there are may not."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import EVERY_ITEM
from whet.guard.shell.rules.rule import Rule, RuleHit


def _all_at_once(words: str, harm: Harm, what: str) -> Rule:
    wanted = [frozenset(part.split("|")) for part in words.split()]

    def rule(call: Call) -> Iterator[RuleHit]:
        if any(EVERY_ITEM in word for word in call.args):
            said = [word for word in call.args if EVERY_ITEM not in word]
            if all(not choices.isdisjoint(said) for choices in wanted):
                yield harm, f"{what}, every one there is"

    return rule


_UNINSTALLS = (
    _all_at_once(
        "uninstall|remove|purge|rm|del|autoremove|-e|-R|-Rns", Harm.PACKAGES, "takes packages off the machine"
    ),
)
_CONTAINERS = (_all_at_once("rm|rmi|remove -f|--force|-fv|-vf", Harm.INFRASTRUCTURE, "deletes containers or images"),)
RULES: dict[str, tuple[Rule, ...]] = {
    "docker": _CONTAINERS, "podman": _CONTAINERS, "nerdctl": _CONTAINERS,
    "git": (_all_at_once("tag|remote|stash|update-ref|worktree -d|-D|--delete|remove|rm|drop", Harm.GIT_HISTORY, "deletes references"), _all_at_once("rm", Harm.DELETION, "deletes files")),
    **dict.fromkeys(("rm", "unlink", "shred", "trash"), (_all_at_once("", Harm.DELETION, "deletes files"),)),
    **dict.fromkeys(("pip", "pip3", "npm", "brew", "gem", "snap", "apt", "apt-get", "dpkg", "rpm", "pacman", "dnf", "yum", "conda", "pipx", "uv"), _UNINSTALLS),
    **dict.fromkeys(("redis-cli", "valkey-cli"), (_all_at_once("del|DEL|unlink|UNLINK", Harm.DATABASE, "deletes keys"),)),
    "systemctl": (_all_at_once("stop|disable|mask|kill", Harm.SYSTEM, "stops services"),), "helm": (_all_at_once("uninstall|delete", Harm.INFRASTRUCTURE, "takes applications out of a cluster"),),
    **dict.fromkeys(("kubectl", "oc"), (_all_at_once("delete", Harm.INFRASTRUCTURE, "deletes what runs in a cluster"),)),
    **dict.fromkeys(("virsh", "lxc", "multipass"), (_all_at_once("destroy|delete|undefine|stop", Harm.INFRASTRUCTURE, "takes machines away"),)),
    "dropdb": (_all_at_once("", Harm.DATABASE, "drops databases"),),
}  # fmt: skip
