"""Commands that write or link files. Known content is remembered, because a later command may run or send it."""

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.placeholders import FROM_NETWORK, UNKNOWN
from whet.guard.shell.model.protected import owner_of


def tee(call: Call, follower: Follower) -> None:
    for path in call.options.operands:
        follower.state.files[path] = call.stdin or UNKNOWN


def copy(call: Call, follower: Follower) -> None:
    files, operands = follower.state.files, call.options.operands
    if len(operands) == 2 and operands[0] in files:
        files[operands[1]] = files[operands[0]]


def link(call: Call, follower: Follower) -> None:
    """Remember the target of a link that leads out of the project: a write through the link changes the target."""
    copy(call, follower)
    if not call.options.operands:
        return
    target, *rest = call.options.operands
    name = rest[-1] if rest else "."
    if name.endswith(("/", ".")):
        name = f"{name.rstrip('/')}/{_file_name(target)}"
    if target.startswith(("/", "~", "..")) or owner_of(target) is not None:
        follower.state.links[name.removeprefix("./")] = target


def curl(call: Call, follower: Follower) -> None:
    options = call.options
    if "o" in options.shorts or options.has("", "output"):
        paths = options.value("o", "output", "output-document") or [_file_name(word) for word in options.operands]
    elif "O" in options.shorts or options.has("", "remote-name"):
        paths = [_file_name(word) for word in options.operands]
    else:
        return
    follower.state.files.update(dict.fromkeys(paths, FROM_NETWORK))


def wget(call: Call, follower: Follower) -> None:
    options = call.options
    paths = options.value("oO", "output", "output-document") or [_file_name(word) for word in options.operands]
    follower.state.files.update(dict.fromkeys(paths, FROM_NETWORK))


def _file_name(address: str) -> str:
    return address.partition("?")[0].rstrip("/").rpartition("/")[2]


LAUNCHERS = {
    "tee": tee,
    "cp": copy,
    "mv": copy,
    "install": copy,
    "ln": link,
    "curl": curl,
    "wget": wget,
}
