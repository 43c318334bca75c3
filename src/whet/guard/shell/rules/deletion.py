"""What is deleted for good."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_unknown_place, is_unsafe_to_delete
from whet.guard.shell.rules.rule import RuleHit, always, phrase


def remove(call: Call) -> Iterator[RuleHit]:
    """Files that a build makes again may go; the rest of the machine may not, nor everything here at once."""
    options = call.options
    recursive = options.has("rR", "recursive") or call.name in (
        "rmdir",
        "trash",
        "srm",
        "rimraf",
        "del-cli",
        "trash-put",
    )
    if options.has("", "no-preserve-root"):
        yield Harm.DELETION, "deletes even the root of the machine"
    for written in options.operands:
        path = call.resolve(written)
        if recursive and is_unknown_place(path):
            yield Harm.UNRESOLVED, "what is deleted with everything below is not known", True
        elif recursive and is_unsafe_to_delete(path):
            yield Harm.DELETION, f"deletes {path} with everything below"
        elif not recursive and path.rpartition("/")[2] in ("*", ".*", "*.*") and is_unsafe_to_delete(path):
            yield Harm.DELETION, f"deletes every file that {path} names"
        elif (harm := harm_of_writing(path)) is not None:
            yield (Harm.TRACES if harm is Harm.TRACES else Harm.DELETION), f"deletes {path}"


def move(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if len(operands) > 1 and operands[-1].rstrip("/") == "/dev/null":
        yield Harm.DELETION, "moves files to where nothing comes back from"
    for written in operands[:-1]:
        path = call.resolve(written)
        if is_unsafe_to_delete(path) and path.startswith(("/", "~")) and path.count("/") < (3 if path[0] == "/" else 2):
            yield Harm.DELETION, f"moves {path} away"
        elif (harm := harm_of_writing(path)) is not None:
            yield harm, f"moves {path} away"


def truncate(call: Call) -> Iterator[RuleHit]:
    empties = any(size.lstrip("=") in ("0", "0K", "0M") for size in call.options.value("s", "size"))
    for path in call.options.operands:
        seen = call.resolve(path)
        if empties and not (path.endswith(".log") and not path.startswith(("/", "~"))) and not seen.startswith("/tmp/"):
            harm = harm_of_writing(seen)
            yield (harm or Harm.DELETION), f"empties {path}"


def rsync(call: Call) -> Iterator[RuleHit]:
    target = call.resolve((call.options.operands or [""])[-1])
    deletes = call.options.has("", "delete", "delete-after", "delete-before", "delete-excluded", "del")
    if deletes and target[:1] in ("/", "~", ".") and is_unsafe_to_delete(target):
        yield Harm.DELETION, f"deletes whatever is missing elsewhere from {target}"


def disk(call: Call) -> Iterator[RuleHit]:
    for word in call.args:
        name, _, path = word.partition("=")
        if (
            name == "of"
            and path.startswith("/")
            and not path.startswith(("/tmp/", "/dev/null", "/mnt/", "/home/", "/var/tmp/"))
        ):
            harm = harm_of_writing(path)
            if harm is not None:
                yield harm, f"writes over {path}"


def packed_away(call: Call) -> Iterator[RuleHit]:
    """`tar --remove-files`, `zip -m`: what is packed is deleted."""
    options = call.options
    if options.has("", "remove-files", "move") or (call.name == "zip" and options.has("m")):
        for path in options.operands:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} once it is packed"


def to_the_bin(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] in (["trash"], ["remove"]):
        for path in call.options.operands[1:]:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} with everything below"


def mirrored(call: Call) -> Iterator[RuleHit]:
    if not {"/MIR", "/PURGE", "/MOVE"}.isdisjoint(word.upper() for word in call.args):
        yield Harm.DELETION, "deletes whatever is missing elsewhere"


def remove_item(call: Call) -> Iterator[RuleHit]:
    """PowerShell's own, under each of its names."""
    words = [word.lower() for word in call.args]
    if any(len(word) > 1 and "-recurse".startswith(word) for word in words):
        for path in call.args:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} with everything below"


def windows_remove(call: Call) -> Iterator[RuleHit]:
    if "/s" in (word.lower() for word in call.args):
        yield Harm.DELETION, "deletes a folder with everything below"


RULES = {
    "rm": (remove, remove_item), **dict.fromkeys(("Remove-Item", "remove-item", "ri"), (remove_item,)), **dict.fromkeys(("del", "erase", "rd", "deltree"), (windows_remove,)),
    **dict.fromkeys(("tar", "bsdtar", "zip", "7z"), (packed_away,)), "robocopy": (mirrored,), "gio": (to_the_bin,), "kioclient5": (to_the_bin,), "unlink": (remove,), "rmdir": (remove,), "grm": (remove,), "srm": (remove,), "trash": (remove,), "rimraf": (remove,), "del-cli": (remove,), "trash-put": (remove,),
    "mv": (move,), "truncate": (truncate,), "rsync": (rsync,), "dd": (disk,), "dcfldd": (disk,),
    "shred": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "wipe": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "scrub": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "crontab": (phrase("-r", Harm.DELETION, "deletes every scheduled job"),),
}  # fmt: skip
