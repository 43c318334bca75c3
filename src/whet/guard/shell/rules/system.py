"""The machine itself: rights, processes, power, accounts, walls."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_secret, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import EVERY_ITEM, OWN_PROCESS
from whet.guard.shell.rules.protection import GUARDS
from whet.guard.shell.rules.rule import RuleHit, always, phrase

_WORLD = re.compile(r"0?[0-7]{0,2}[0-7]?[2367]|(?:[ugo]*[oa][ugo]*)[+=][rxXst]*w[rwxXst]*")
_SETUID = re.compile(r"0?[2467][0-7]{3}|[ugoa]*[+=][rwxX]*s[rwxXst]*")
_OPENED = re.compile(r"0*[0-7]{0,4}")
_TREES = frozenset({"", "~", "/home", "/var", "/root", "/opt", "/srv"})
_OPEN_TO_OTHERS = re.compile(r"0?[0-7](?:[4-7][0-7]|[0-7][4-7])|(?:[ugoa]*[go a][ugoa]*)[+=]r?w?x?X?r?")
_POWER_METHOD = re.compile(r"(^|\.)(PowerOff|Reboot|Suspend|Halt|Hibernate|Stop|Restart)$")
_REACHED_BY = frozenset({"sshd", "ssh", "NetworkManager", "networking", "systemd-networkd", "network"})


def mode(call: Call) -> Iterator[RuleHit]:
    words = [word for word in call.args if not re.fullmatch(r"-[RvfcHLP]+|--\w[\w-]*(=.*)?", word)]
    if not words:
        return
    for change in words[0].split(","):
        for_a_group = change.startswith(("2", "02", "g")) and not any(path.startswith("/") for path in words[1:])
        if _SETUID.fullmatch(change) and not for_a_group:
            yield Harm.PRIVILEGE, "makes a program run with the privileges of its owner (setuid)"
        if _WORLD.fullmatch(change) and (change[-1] in "2367" or not change.isdigit()):
            yield Harm.PERMISSIONS, "lets every user of the machine write a file"
    opens = bool(_OPEN_TO_OTHERS.fullmatch(words[0]))
    for path in words[1:]:
        seen = call.resolve(path)
        if opens and (is_secret(seen) or seen.rstrip("/").endswith((".ssh", ".gnupg", ".aws"))):
            yield Harm.PERMISSIONS, f"lets others read {seen}"
        if is_system_path(seen) or seen.rstrip("/*") in _TREES:
            yield Harm.PERMISSIONS, f"changes the permissions of {seen}"


def made_with(call: Call) -> Iterator[RuleHit]:
    for change in call.options.value("m", "mode"):
        if _SETUID.fullmatch(change) and not change.startswith(("1", "01", "2", "02")):
            yield Harm.PRIVILEGE, "makes a program run with the privileges of its owner (setuid)"


def owner(call: Call) -> Iterator[RuleHit]:
    for path in call.options.operands[1:]:
        seen = call.resolve(path)
        if is_system_path(seen) or seen.rstrip("/*") in ("", "/home", "/var", "/root"):
            yield Harm.PERMISSIONS, f"changes the owner of {seen}"
    if (
        call.options.operands[:1]
        and re.match(r"(root|0)(:|$)", call.options.operands[0])
        and call.options.has("R", "recursive")
    ):
        yield Harm.PERMISSIONS, "makes root the owner of a folder"


def access_list(call: Call) -> Iterator[RuleHit]:
    if any(
        is_system_path(call.resolve(path)) or call.resolve(path).rstrip("/*") in _TREES
        for path in call.options.operands
    ) or any("o::rwx" in word or "other::rwx" in word for word in call.args):
        yield Harm.PERMISSIONS, "changes the permissions of a system file"


def capability(call: Call) -> Iterator[RuleHit]:
    if call.args and "-v" not in call.args and not call.options.has("r"):
        yield Harm.PRIVILEGE, "gives a program a privilege of root"


def kill(call: Call) -> Iterator[RuleHit]:
    words = call.args
    targets = [word for place, word in enumerate(words) if not _is_signal(words, place)]
    if any(
        (target in ("-1", "1", "0") and (target != "0" or len(words) > 1))
        or EVERY_ITEM in target
        or target.startswith(("*", "[0-9]"))
        for target in targets
    ):
        yield Harm.PROCESSES, "ends every process, or the init process"
    signal = "".join(word.upper() for word in words if word not in targets)
    if (not signal or "9" in signal or "KILL" in signal) and any(OWN_PROCESS in target for target in targets):
        yield Harm.PROCESSES, "ends its own shell or the parent of that shell"


def _is_signal(words: list[str], place: int) -> bool:
    word = words[place]
    if place and words[place - 1] in ("-s", "-n", "--signal"):
        return True
    if word == "--":
        return True
    return word.startswith("-") and not (place and words[place - 1] == "--") and (place == 0 or word != "-1")


def kill_by_name(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    users = call.options.value("uU", "uid", "euid", "user")
    if (
        any(re.fullmatch(r"\.?[*+]?|\^?\.\*\$?|\.\+|\[a-z\][*+]?", word) for word in operands)
        or ((users or call.options.value("t", "terminal")) and not operands)
        or "root" in users
        or call.options.has("v", "inverse")
    ):
        yield Harm.PROCESSES, "ends every process, or all processes of a user"
    if not GUARDS.isdisjoint(operands):
        yield Harm.FIREWALL, "switches off a protection of the machine"
    if not {"systemd", "init", "sshd", "dockerd", "containerd", "kubelet"}.isdisjoint(operands):
        yield Harm.PROCESSES, "ends a system service"
    if call.name == "killall" and ("-u" in call.args or call.options.has("", "user")):
        yield Harm.PROCESSES, "ends every process of a user"


def kill_users_of(call: Call) -> Iterator[RuleHit]:
    """`fuser -k 3000/tcp` ends a server; `fuser -km /home` ends whoever has a file open there."""
    if call.options.has("k", "kill") and any(is_unsafe_to_delete(path) for path in call.options.operands):
        yield Harm.PROCESSES, "ends every process with an open file in a system or home folder"


def runlevel(call: Call) -> Iterator[RuleHit]:
    if not {"0", "6", "1", "S", "s"}.isdisjoint(call.args):
        yield Harm.POWER, "stops or restarts the machine"


def units(call: Call) -> Iterator[RuleHit]:
    verb, names = (
        (call.options.operands or [""])[0],
        [name.removesuffix(".service") for name in call.options.operands[1:]],
    )
    if verb in (
        "poweroff",
        "reboot",
        "halt",
        "kexec",
        "emergency",
        "rescue",
        "suspend",
        "hibernate",
        "soft-reboot",
        "exit",
    ):
        yield Harm.POWER, "stops or restarts the machine"
    elif verb == "isolate" or (verb == "default"):
        yield Harm.POWER, "switches the machine to another system state"
    elif verb in ("stop", "disable", "mask", "kill") and not GUARDS.isdisjoint(names):
        yield Harm.FIREWALL, "switches off a protection of the machine"
    elif verb in (
        "enable",
        "link",
        "edit",
        "reenable",
        "preset",
        "set-environment",
        "import-environment",
        "set-default",
        "revert",
    ):
        yield Harm.PERSISTENCE, "makes a service start by itself"
    elif verb in ("stop", "disable", "mask", "kill") and not _REACHED_BY.isdisjoint(names):
        yield Harm.SYSTEM, "disconnects the machine from the network"


def service(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if len(words) > 1 and words[0] in GUARDS and words[1] in ("stop", "disable"):
        yield Harm.FIREWALL, "switches off a protection of the machine"
    elif len(words) > 1 and words[0] in _REACHED_BY and words[1] == "stop":
        yield Harm.SYSTEM, "disconnects the machine from the network"


def asked_over_bus(call: Call) -> Iterator[RuleHit]:
    if any(_POWER_METHOD.search(word) for word in call.args):
        yield Harm.POWER, "stops or restarts the machine"


def asked_of_the_desktop(call: Call) -> Iterator[RuleHit]:
    said = " ".join(call.args)
    if "administrator" in said:
        yield Harm.PRIVILEGE, "asks for the privileges of an administrator"
    if re.search(r"to (shut down|restart|sleep|log out)", said):
        yield Harm.POWER, "stops or restarts the machine"


def windows_account(call: Call) -> Iterator[RuleHit]:
    if call.args[:1] in (["user"], ["localgroup"]) and {word.lower() for word in call.args} & {"/add", "/delete"}:
        yield Harm.ACCOUNTS, "changes who may use the machine"


def kernel_setting(call: Call) -> Iterator[RuleHit]:
    if call.options.has("w", "write", "system", "load") or any("=" in word for word in call.options.operands):
        yield Harm.SYSTEM, "changes a setting of the kernel"


def mount(call: Call) -> Iterator[RuleHit]:
    if (
        len(call.options.operands) > 1
        or call.options.has("oB", "bind", "options")
        or any("remount" in word for word in call.args)
    ):
        yield Harm.SYSTEM, "changes what is mounted"


def unmount(call: Call) -> Iterator[RuleHit]:
    if call.options.has("alf", "all", "lazy", "force") or any(
        is_system_path(path) or path.rstrip("/") in ("/home", "/var", "/opt", "/srv", "/root")
        for path in call.options.operands
    ):
        yield Harm.SYSTEM, "changes what is mounted"


def unpacked(call: Call) -> Iterator[RuleHit]:
    into = [value for option in ("-C", "--directory", "-d", "-D") for value in values_of(call.args, option)]
    extracts = call.name != "tar" or call.options.has("x", "extract", "get") or "x" in (call.args or [""])[0]
    for folder in into if extracts else ():
        if is_system_path(call.resolve(folder)) and folder.rstrip("/") != "/usr/local":
            yield Harm.SYSTEM, f"unpacks an archive over {folder}"


def created_for_all(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] and re.fullmatch(r"0{1,4}|00?[01]?0|000?1", call.options.operands[0]):
        yield Harm.PERMISSIONS, "lets every user write the files that are created from now on"


def granted(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"(Everyone|\*S-1-1-0|Users):", word, re.IGNORECASE) for word in call.args):
        yield Harm.PERMISSIONS, "lets every user of the machine write a file"


def forced(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("--force-") for word in call.args):
        yield Harm.PACKAGES, "installs a package in spite of conflicts"


def user_shell(call: Call) -> Iterator[RuleHit]:
    if call.options.has("d", "delete") or "root" in call.args:
        yield Harm.ACCOUNTS, "changes an account"


def named(call: Call) -> Iterator[RuleHit]:
    if call.options.operands:
        yield Harm.SYSTEM, "renames the machine"


_ACCOUNT = (always(Harm.ACCOUNTS, "changes who may use the machine"),)
_UNSAFE = (phrase("-U", Harm.SHELL_ESCAPE, "lets a document run commands"),)
_POWER = (always(Harm.POWER, "stops or restarts the machine"),)
_POISONS = (always(Harm.SYSTEM, "runs a network attack tool"),)
_CRACKS = (always(Harm.SECRETS, "runs a password cracker"),)
_NETWORK = "changes the network of the machine"
RULES = {
    "umask": (created_for_all,), "icacls": (granted,), "dpkg": (forced,), "tc": (phrase("qdisc|class|filter add|replace|change|del|delete", Harm.SYSTEM, _NETWORK),), "brctl": (phrase("delbr|delif|addif", Harm.SYSTEM, _NETWORK),),
    "arp": (phrase("-d|-s", Harm.SYSTEM, _NETWORK),), "ovs-vsctl": (phrase("del-br|del-port|emer-reset", Harm.SYSTEM, _NETWORK),), "networksetup": (phrase("-setdnsservers|-setwebproxy|-setairportpower|-setnetworkserviceenabled|-setsecurewebproxy", Harm.SYSTEM, _NETWORK),),
    **dict.fromkeys(("arpspoof", "ettercap", "bettercap", "macchanger", "dnsspoof", "dnschef", "mitmf", "responder", "Responder.py", "aireplay-ng", "airmon-ng", "mdk4", "hping3", "slowloris", "slowhttptest", "t50", "msfconsole", "msfvenom",
                     "setoolkit", "yersinia", "masscan", "evil-winrm", "psexec.py", "wmiexec.py", "crackmapexec", "netexec", "nxc", "impacket-psexec", "chisel", "ligolo-ng", "dnscat2", "iodine"), _POISONS),
    **dict.fromkeys(("hydra", "john", "hashcat", "medusa", "ncrack", "patator", "aircrack-ng", "fcrackzip", "pdfcrack", "ophcrack", "thc-hydra", "kerbrute"), _CRACKS),
    "rtcwake": (phrase("-m|--mode", Harm.POWER, "stops or restarts the machine"),), "ipmitool": (phrase("power|chassis|mc", Harm.POWER, "stops or restarts the machine"),), "pmset": (phrase("sleepnow|schedule|repeat", Harm.POWER, "stops or restarts the machine"),),
    "chmod": (mode,), "install": (made_with,), "umount": (unmount,), "tar": (unpacked,), "unzip": (unpacked,), "cpio": (unpacked,), "bsdtar": (unpacked,), "losetup": (phrase("-D|--detach-all", Harm.SYSTEM, "changes what is mounted"),), "chown": (owner,), "chgrp": (owner,), "setfacl": (access_list,), "setcap": (capability,),
    "chattr": (access_list,), "kill": (kill,), "pkill": (kill_by_name,), "killall": (kill_by_name,), "skill": (kill_by_name,),
    "fuser": (kill_users_of,), "xkill": (always(Harm.PROCESSES, "ends programs of other users"),), "slay": (kill_by_name,), "killall5": (always(Harm.PROCESSES, "ends every process"),), "init": (runlevel,), "telinit": (runlevel,),
    "systemctl": (units,), "service": (service,), "rc-service": (service,),
    "sysctl": (kernel_setting,), "mount": (mount,), "swapoff": (phrase("-a|--all", Harm.SYSTEM, "switches off the swap memory"),),
    "loginctl": (phrase("poweroff|reboot|halt|suspend|hibernate", Harm.POWER, "stops or restarts the machine"), phrase("terminate-user|kill-user", Harm.PROCESSES, "ends every process of a user")),
    **dict.fromkeys(("dbus-send", "gdbus", "busctl", "qdbus"), (asked_over_bus,)), "net": (windows_account,),
    "shutdown": _POWER, "reboot": _POWER, "halt": _POWER, "poweroff": _POWER, "kexec": _POWER, "pm-suspend": _POWER,
    **dict.fromkeys(("insmod", "modprobe", "rmmod", "depmod", "kmod"), (always(Harm.SYSTEM, "loads or unloads kernel modules"),)),
    **dict.fromkeys(("useradd", "adduser", "usermod", "userdel", "deluser", "groupadd", "groupdel", "groupmod", "addgroup", "delgroup", "chpasswd", "passwd", "gpasswd", "visudo", "vipw", "vigr",
                     "chage", "newusers", "pwconv", "dscl", "sysadminctl", "usermod.static", "faillock", "realm", "pw"), _ACCOUNT),
    "chsh": (user_shell,), "chfn": (user_shell,),
    "update-alternatives": (phrase("--install|--set|--remove", Harm.SYSTEM, "changes which program a command name runs"),),
    "ldconfig": (always(Harm.SYSTEM, "changes which libraries are loaded"),), "grub-install": (always(Harm.DEVICE, "overwrites the boot loader"),),
    "update-grub": (always(Harm.SYSTEM, "changes how the machine starts"),), "date": (phrase("-s|--set", Harm.SYSTEM, "sets the clock"),), "timedatectl": (phrase("set-time|set-ntp", Harm.SYSTEM, "sets the clock"),),
    "hwclock": (phrase("-w|--systohc|--set", Harm.SYSTEM, "sets the clock"),), "hostnamectl": (phrase("set-hostname", Harm.SYSTEM, "renames the machine"),),
    "nmcli": (phrase("networking off", Harm.SYSTEM, "disconnects the machine from the network"),), "ifdown": (always(Harm.SYSTEM, "disconnects the machine from the network"),),
    "ip": (phrase("link set", Harm.SYSTEM, "changes the network of the machine"), phrase("route del|flush|add|replace", Harm.SYSTEM, "changes the network of the machine"), phrase("addr flush|del", Harm.SYSTEM, "changes the network of the machine")),
    "nsenter": (phrase("-t|--target", Harm.PRIVILEGE, "enters the namespaces of another process"),),
    "chroot": (always(Harm.PRIVILEGE, "runs a command in another root"),), "capsh": (always(Harm.PRIVILEGE, "changes the privileges of a shell"),),
    "newgrp": (always(Harm.PRIVILEGE, "opens a shell with the permissions of another group"),), "setpriv": (always(Harm.PRIVILEGE, "runs a command with other privileges"),),
    "ifconfig": (phrase("* down", Harm.SYSTEM, "disconnects the machine from the network"),), "route": (phrase("add|change|del|delete|flush", Harm.SYSTEM, "changes the network of the machine"),),
    "hostname": (named,),
    "pic": _UNSAFE, "troff": _UNSAFE, "groff": _UNSAFE,
    "osascript": (asked_of_the_desktop,),
}  # fmt: skip
