"""Commands that delete files for good."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import (
    harm_of_writing,
    is_source_folder,
    is_temporary,
    is_unknown_place,
    is_unsafe_to_delete,
)
from whet.guard.shell.rules.rule import RuleHit, always, phrase

_EVERY_LINE = re.compile(r":?(%|,|1,\$)\s*d(elete)?|d")


def remove(call: Call) -> Iterator[RuleHit]:
    """Allow deleting files that a build creates again; refuse other trees, and everything in a folder at once."""
    options = call.options
    is_recursive = options.has("rR", "recursive") or call.name in (
        "trash",
        "srm",
        "rimraf",
        "del-cli",
        "trash-put",
    )
    if options.has("i") and not options.has("f", "force") and call.stdin is None:
        yield from _remove_after_question(call)
        return
    if options.has("", "no-preserve-root"):
        yield Harm.DELETION, "deletes even the root of the machine"
    for operand in options.operands:
        path = call.resolve(operand)
        if is_recursive and is_unknown_place(path):
            yield Harm.UNRESOLVED, "the folder that is deleted with everything below is not known", True
        elif is_recursive and is_unsafe_to_delete(path):
            yield Harm.DELETION, f"deletes {path} with everything below"
        elif not is_recursive and path.rpartition("/")[2] in ("*", ".*", "*.*") and is_unsafe_to_delete(path):
            yield Harm.DELETION, f"deletes every file that matches {path}"
        elif (harm := harm_of_writing(path)) is not None:
            yield (Harm.TRACES if harm is Harm.TRACES else Harm.DELETION), f"deletes {path}"


def _remove_after_question(call: Call) -> Iterator[RuleHit]:
    """Refuse `rm -i`, which asks a person about each file, and `rmdir` only for single files that others need."""
    for operand in call.options.operands:
        path = call.resolve(operand)
        if (harm := harm_of_writing(path)) is not None:
            yield (Harm.TRACES if harm is Harm.TRACES else Harm.DELETION), f"deletes {path}"


def move(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if len(operands) > 1 and operands[-1].rstrip("/") == "/dev/null":
        yield Harm.DELETION, "moves files to /dev/null, which deletes them"
    for operand in operands[:-1]:
        path = call.resolve(operand)
        is_near_root = path.startswith(("/", "~")) and path.count("/") < (3 if path[0] == "/" else 2)
        if is_near_root and is_unsafe_to_delete(path):
            yield Harm.DELETION, f"moves {path} away"
        elif is_source_folder(path) and is_temporary(f"{call.resolve(operands[-1])}/x"):
            yield Harm.DELETION, f"moves {path} to a temporary folder", True
        elif (harm := harm_of_writing(path)) is not None:
            yield harm, f"moves {path} away"


def truncate(call: Call) -> Iterator[RuleHit]:
    empties = any(size.lstrip("=") in ("0", "0K", "0M") for size in call.options.value("s", "size"))
    for path in call.options.operands:
        resolved = call.resolve(path)
        is_own_log = path.endswith(".log") and not path.startswith(("/", "~"))
        if empties and not is_own_log and not resolved.startswith("/tmp/"):
            yield (harm_of_writing(resolved) or Harm.DELETION), f"empties {path}"


def rsync(call: Call) -> Iterator[RuleHit]:
    target = call.resolve((call.options.operands or [""])[-1])
    deletes = call.options.has("", "delete", "delete-after", "delete-before", "delete-excluded", "del")
    is_mirror = target[:1] not in ("/", "~", ".")  # `rsync --delete src/ backup/` is how backups are made
    if deletes and (is_source_folder(target) if is_mirror else is_unsafe_to_delete(target)):
        yield Harm.DELETION, f"deletes files in {target} that the source does not have"


def dd_output(call: Call) -> Iterator[RuleHit]:
    for word in call.args:
        name, _, path = word.partition("=")
        if (
            name == "of"
            and path.startswith("/")
            and not path.startswith(("/tmp/", "/dev/null", "/mnt/", "/home/", "/var/tmp/"))
        ):
            harm = harm_of_writing(path)
            if harm is not None:
                yield harm, f"overwrites {path}"


def empty_with_editor(call: Call) -> Iterator[RuleHit]:
    """Raise scripts of editors that delete every line of a file: `sed -i d x.py`, `vim +%d +wq x.py`, `ed` with `,d`."""
    if call.name == "ed":
        scripts = (call.stdin or "").split("\n")
    elif call.name == "sed":
        scripts = call.args if call.options.has("i", "in-place") else []
    else:
        scripts = [word.lstrip("+") for word in call.args]
    if any(_EVERY_LINE.fullmatch(script) for script in scripts):
        yield Harm.DELETION, "deletes every line of a file", True


def pack_and_delete(call: Call) -> Iterator[RuleHit]:
    """Refuse `tar --remove-files` and `zip -m` for files that must not be deleted."""
    options = call.options
    if options.has("", "remove-files", "move") or (call.name == "zip" and options.has("m")):
        for path in options.operands:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} after packing it"


def trash(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] in (["trash"], ["remove"]):
        for path in call.options.operands[1:]:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} with everything below"


def robocopy(call: Call) -> Iterator[RuleHit]:
    if not {"/MIR", "/PURGE", "/MOVE"}.isdisjoint(word.upper() for word in call.args):
        yield Harm.DELETION, "deletes files that the source does not have"


def powershell_remove(call: Call) -> Iterator[RuleHit]:
    """Refuse `Remove-Item -Recurse`, under each of its names."""
    words = [word.lower() for word in call.args]
    if any(len(word) > 1 and "-recurse".startswith(word) for word in words):
        for path in call.args:
            if is_unsafe_to_delete(call.resolve(path)):
                yield Harm.DELETION, f"deletes {path} with everything below"


def windows_remove(call: Call) -> Iterator[RuleHit]:
    if "/s" in (word.lower() for word in call.args):
        yield Harm.DELETION, "deletes a folder with everything below"


RULES = {
    **dict.fromkeys(("sed", "ed", "vim", "vi", "nvim", "ex"), (empty_with_editor,)),
    "rm": (remove, powershell_remove),
    **dict.fromkeys(("Remove-Item", "remove-item", "ri"), (powershell_remove,)),
    **dict.fromkeys(("del", "erase", "rd", "deltree"), (windows_remove,)),
    **dict.fromkeys(("tar", "bsdtar", "zip", "7z"), (pack_and_delete,)),
    "robocopy": (robocopy,),
    "gio": (trash,),
    "kioclient5": (trash,),
    "unlink": (remove,),
    "rmdir": (_remove_after_question,),
    "grm": (remove,),
    "srm": (remove,),
    "trash": (remove,),
    "rimraf": (remove,),
    "del-cli": (remove,),
    "trash-put": (remove,),
    "mv": (move,),
    "truncate": (truncate,),
    "rsync": (rsync,),
    "dd": (dd_output,),
    "dcfldd": (dd_output,),
    "shred": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "wipe": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "scrub": (always(Harm.DELETION, "destroys files so that they cannot be restored"),),
    "crontab": (phrase("-r", Harm.DELETION, "deletes every scheduled job"),),
}  # fmt: skip
