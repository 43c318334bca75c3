"""Commands that change permissions, owners or privileges."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_secret, is_system_path, is_temporary
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

_WORLD_WRITABLE = re.compile(r"0?[0-7]{0,2}[0-7]?[2367]|(?:[ugo]*[oa][ugo]*)[+=][rxXst]*w[rwxXst]*")
_SETUID = re.compile(r"0?[2467][0-7]{3}|[ugoa]*[+=][rwxX]*s[rwxXst]*")
_READABLE_BY_OTHERS = re.compile(r"0?[0-7](?:[4-7][0-7]|[0-7][4-7])|(?:[ugoa]*[go a][ugoa]*)[+=]r?w?x?X?r?")
_TOP_FOLDERS = frozenset({"", "~", "/home", "/var", "/root", "/opt", "/srv"})
_SETS_SETUID = "makes a program run with the privileges of its owner (setuid)"
_WRITABLE_BY_ALL = "lets every user of the machine write a file"


def _is_top_folder(path: str) -> bool:
    """True for the root, a home folder or another top-level folder, also with `/*`. A plain `*` is the project."""
    return path[:1] in ("/", "~") and path.rstrip("/*") in _TOP_FOLDERS


def chmod(call: Call) -> Iterator[RuleHit]:
    words = [word for word in call.args if not re.fullmatch(r"-[RvfcHLP]+|--\w[\w-]*(=.*)?", word)]
    if not words:
        return
    mode, paths = words[0], words[1:]
    for change in mode.split(","):
        is_setgid_in_project = change.startswith(("2", "02", "g")) and not any(path.startswith("/") for path in paths)
        if _SETUID.fullmatch(change) and not is_setgid_in_project:
            yield Harm.PRIVILEGE, _SETS_SETUID
        if _WORLD_WRITABLE.fullmatch(change) and (change[-1] in "2367" or not change.isdigit()):
            yield Harm.PERMISSIONS, _WRITABLE_BY_ALL
    opens = _READABLE_BY_OTHERS.fullmatch(mode) is not None
    for path in paths:
        resolved = call.resolve(path)
        is_secret_path = is_secret(resolved) or resolved.rstrip("/").endswith((".ssh", ".gnupg", ".aws"))
        if opens and is_secret_path:
            yield Harm.PERMISSIONS, f"lets others read {resolved}"
        if is_system_path(resolved) or _is_top_folder(resolved):
            yield Harm.PERMISSIONS, f"changes the permissions of {resolved}"


def install_mode(call: Call) -> Iterator[RuleHit]:
    for change in call.options.value("m", "mode"):
        if _SETUID.fullmatch(change) and not change.startswith(("1", "01", "2", "02")):
            yield Harm.PRIVILEGE, _SETS_SETUID


def chown(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    for path in operands[1:]:
        resolved = call.resolve(path)
        if is_system_path(resolved) or (resolved[:1] == "/" and _is_top_folder(resolved)):
            yield Harm.PERMISSIONS, f"changes the owner of {resolved}"
    gives_to_root = operands[:1] and re.match(r"(root|0)(:|$)", operands[0])
    if gives_to_root and call.options.has("R", "recursive"):
        yield Harm.PERMISSIONS, "makes root the owner of a folder"


def change_access_list(call: Call) -> Iterator[RuleHit]:
    """Refuse `setfacl` and `chattr` on system folders, and access for everybody."""
    paths = [call.resolve(path) for path in call.options.operands]
    changes_system = any(is_system_path(path) or _is_top_folder(path) for path in paths)
    opens_to_all = any("o::rwx" in word or "other::rwx" in word for word in call.args)
    if changes_system or opens_to_all:
        yield Harm.PERMISSIONS, "changes the permissions of a system file"
    elif any(path.startswith("/") and not is_temporary(path) for path in paths) and _CHANGES_ACCESS.intersection(
        call.args
    ):
        yield Harm.PERMISSIONS, "changes the access to a file outside of the project", True


def setcap(call: Call) -> Iterator[RuleHit]:
    if call.args and "-v" not in call.args and not call.options.has("r"):
        yield Harm.PRIVILEGE, "gives a program a privilege of root"


def umask(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] and re.fullmatch(r"0{1,4}|00?[01]?0|000?1", call.options.operands[0]):
        yield Harm.PERMISSIONS, "lets every user write the files that are created from now on"


def icacls(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"(Everyone|\*S-1-1-0|Users):", word, re.IGNORECASE) for word in call.args):
        yield Harm.PERMISSIONS, _WRITABLE_BY_ALL


_CHANGES_ACCESS = frozenset({"-m", "--modify", "-M", "-s", "--set", "+i", "-i", "+a", "-a"})

RULES: dict[str, tuple[Rule, ...]] = {
    "umask": (umask,),
    "icacls": (icacls,),
    "chmod": (chmod,),
    "install": (install_mode,),
    "chown": (chown,),
    "chgrp": (chown,),
    "setfacl": (change_access_list,),
    "setcap": (setcap,),
    "chattr": (change_access_list,),
    "nsenter": (phrase("-t|--target", Harm.PRIVILEGE, "enters the namespaces of another process"),),
    "chroot": (always(Harm.PRIVILEGE, "runs a command in another root"),),
    "capsh": (always(Harm.PRIVILEGE, "changes the privileges of a shell"),),
    "newgrp": (always(Harm.PRIVILEGE, "opens a shell with the permissions of another group"),),
    "setpriv": (always(Harm.PRIVILEGE, "runs a command with other privileges"),),
}  # fmt: skip
