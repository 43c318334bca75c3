"""Commands that change the machine itself: processes, power, services, accounts, mounts, network."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_system_path, is_temporary, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import EVERY_ITEM, OWN_PROCESS
from whet.guard.shell.rules.protection import PROTECTIVE_SERVICES
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

_EVERY_NAME = re.compile(r"\.?[*+]?|\^?\.\*\$?|\.\+|\[a-z\][*+]?")
_SYSTEM_PROCESSES = frozenset({"systemd", "init", "sshd", "dockerd", "containerd", "kubelet"})
_POWER_METHOD = re.compile(r"(^|\.)(PowerOff|Reboot|Suspend|Halt|Hibernate|Stop|Restart)$")
_POWER_VERBS = frozenset(
    {"poweroff", "reboot", "halt", "kexec", "emergency", "rescue", "suspend", "hibernate", "soft-reboot", "exit", },
)  # fmt: skip
_PERSISTENT_VERBS = frozenset({
    "enable", "link", "edit", "reenable", "preset", "set-environment", "import-environment", "set-default",
    "revert",
})  # fmt: skip
_STOPPING_VERBS = ("stop", "disable", "mask", "kill")
_NETWORK_SERVICES = frozenset({"sshd", "ssh", "NetworkManager", "networking", "systemd-networkd", "network"})
_STOPS_MACHINE = "stops or restarts the machine"
_UNPROTECTED = "switches off a protection of the machine"
_DISCONNECTS = "disconnects the machine from the network"
_CHANGES_MOUNTS = "changes what is mounted"
_FOLDER_FOR_MOUNTS = re.compile(r"(?:/mnt|/media|/run/media)(?:/[\w.@+-]+)*/?", re.ASCII)
_SHARES_AND_MEMORY = frozenset(
    {"tmpfs", "ramfs", "cifs", "smbfs", "smb3", "nfs", "nfs4", "sshfs", "vboxsf", "9p", "virtiofs"}
)
_CHANGES_NETWORK = "changes the network of the machine"


def kill(call: Call) -> Iterator[RuleHit]:
    words = call.args
    if words[:1] == ["-0"] or words[:2] in (["-s", "0"], ["-n", "0"]):
        return  # signal 0 only asks whether the process exists
    targets = [word for index, word in enumerate(words) if not _is_signal(words, index)]
    if any(_is_every_process(target, words) for target in targets):
        yield Harm.PROCESSES, "ends every process, or the init process"
    signal = "".join(word.upper() for word in words if word not in targets)
    is_forced = not signal or "9" in signal or "KILL" in signal
    if is_forced and any(OWN_PROCESS in target for target in targets):
        yield Harm.PROCESSES, "ends its own shell or the parent of that shell"


def _is_every_process(target: str, words: list[str]) -> bool:
    """True for -1 (every process), 1 (init), 0 (the process group) and lists of all processes."""
    if target in ("-1", "1") or (target == "0" and len(words) > 1):
        return True
    return EVERY_ITEM in target or target.startswith(("*", "[0-9]"))


def _is_signal(words: list[str], index: int) -> bool:
    """True if a word of `kill` is an option or a signal: `-9`, `-s TERM`. The `-1` of `kill -9 -1` is a target."""
    word = words[index]
    before = words[index - 1] if index else ""
    if word == "--" or before in ("-s", "-n", "--signal"):
        return True
    return word.startswith("-") and before != "--" and (index == 0 or word != "-1")


def kill_by_name(call: Call) -> Iterator[RuleHit]:
    options, operands = call.options, call.options.operands
    users = options.value("uU", "uid", "euid", "user")
    matches_all = any(_EVERY_NAME.fullmatch(word) for word in operands)
    by_user_only = (users or options.value("t", "terminal")) and not operands
    if matches_all or by_user_only or "root" in users or options.has("v", "inverse"):
        yield Harm.PROCESSES, "ends every process, or all processes of a user"
    if not PROTECTIVE_SERVICES.isdisjoint(operands):
        yield Harm.FIREWALL, _UNPROTECTED
    if not _SYSTEM_PROCESSES.isdisjoint(operands):
        yield Harm.PROCESSES, "ends a system service"
    if call.name == "killall" and ("-u" in call.args or options.has("", "user")):
        yield Harm.PROCESSES, "ends every process of a user"


def fuser(call: Call) -> Iterator[RuleHit]:
    """Refuse `fuser -km /home`, which ends every process with an open file there. `fuser -k 3000/tcp` is fine."""
    if call.options.has("k", "kill") and any(is_unsafe_to_delete(path) for path in call.options.operands):
        yield Harm.PROCESSES, "ends every process with an open file in a system or home folder"


def runlevel(call: Call) -> Iterator[RuleHit]:
    if not {"0", "6", "1", "S", "s"}.isdisjoint(call.args):
        yield Harm.POWER, _STOPS_MACHINE


def systemctl(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands or [""]
    verb, units = operands[0], [name.removesuffix(".service") for name in operands[1:]]
    if verb in _POWER_VERBS:
        yield Harm.POWER, _STOPS_MACHINE
    elif verb in ("isolate", "default"):
        yield Harm.POWER, "switches the machine to another system state"
    elif verb in _STOPPING_VERBS and not PROTECTIVE_SERVICES.isdisjoint(units):
        yield Harm.FIREWALL, _UNPROTECTED
    elif verb in _PERSISTENT_VERBS:
        yield Harm.PERSISTENCE, "makes a service start by itself"
    elif verb in _STOPPING_VERBS and not _NETWORK_SERVICES.isdisjoint(units):
        yield Harm.SYSTEM, _DISCONNECTS


def service(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if len(words) < 2:
        return
    name, verb = words[0], words[1]
    if name in PROTECTIVE_SERVICES and verb in ("stop", "disable"):
        yield Harm.FIREWALL, _UNPROTECTED
    elif name in _NETWORK_SERVICES and verb == "stop":
        yield Harm.SYSTEM, _DISCONNECTS


def dbus_power(call: Call) -> Iterator[RuleHit]:
    if any(_POWER_METHOD.search(word) for word in call.args):
        yield Harm.POWER, _STOPS_MACHINE


def osascript(call: Call) -> Iterator[RuleHit]:
    arguments = " ".join(call.args)
    if "administrator" in arguments:
        yield Harm.PRIVILEGE, "asks for the privileges of an administrator"
    if re.search(r"to (shut down|restart|sleep|log out)", arguments):
        yield Harm.POWER, _STOPS_MACHINE


def windows_account(call: Call) -> Iterator[RuleHit]:
    if call.args[:1] in (["user"], ["localgroup"]) and {word.lower() for word in call.args} & {"/add", "/delete"}:
        yield Harm.ACCOUNTS, "changes who may use the machine"


def sysctl(call: Call) -> Iterator[RuleHit]:
    if call.options.has("w", "write", "system", "load") or any("=" in word for word in call.options.operands):
        yield Harm.SYSTEM, "changes a setting of the kernel"


def mount(call: Call) -> Iterator[RuleHit]:
    """Refuse a mount over a system folder, of a disk, of a folder under another name, or by another table of mounts."""
    options = call.options
    targets = [*options.operands[-1:], *options.value("", "target")]
    named = len(options.operands) + options.has("LU", "label", "uuid") + options.has("", "source", "target")
    remounts = any("remount" in word for word in call.args)
    if not remounts and not options.has("T", "fstab") and targets:
        if _reads_only(call) and not _binds(call) and not any(map(is_system_path, targets)):
            return
        if _mounts_no_disk(call) and all(_FOLDER_FOR_MOUNTS.fullmatch(path) and ".." not in path for path in targets):
            return
    if named > 1 or remounts or options.has("oBT", "bind", "options", "fstab", "source"):
        yield Harm.SYSTEM, _CHANGES_MOUNTS


def _mounts_no_disk(call: Call) -> bool:
    """True if a new file system or one of another machine is mounted: memory, or a network share.

    A folder (`--bind`) or a disk under another name would be a way round the rules about paths.
    """
    kinds = [value for option in ("-t", "--types") for value in values_of(call.args, option)]
    return bool(kinds) and all(kind in _SHARES_AND_MEMORY for kind in kinds) and not _binds(call)


def _binds(call: Call) -> bool:
    settings = [value for option in ("-o", "--options") for value in values_of(call.args, option)]
    return call.options.has("BRM", "bind", "rbind", "move") or any("bind" in value for value in settings)


def _reads_only(call: Call) -> bool:
    """True if a file system is mounted read-only: `-r`, `-o loop,ro`."""
    settings = [value for option in ("-o", "--options") for value in values_of(call.args, option)]
    return "-r" in call.args or "--read-only" in call.args or any("ro" in value.split(",") for value in settings)


def unmount(call: Call) -> Iterator[RuleHit]:
    is_needed = any(
        is_system_path(path) or path.rstrip("/") in ("/home", "/var", "/opt", "/srv", "/root")
        for path in call.options.operands
    )
    if is_needed or call.options.has("alf", "all", "lazy", "force"):
        yield Harm.SYSTEM, _CHANGES_MOUNTS


def unpack_archive(call: Call) -> Iterator[RuleHit]:
    folders = [value for option in ("-C", "--directory", "-d", "-D") for value in values_of(call.args, option)]
    extracts = call.name != "tar" or call.options.has("x", "extract", "get") or "x" in (call.args or [""])[0]
    for folder in folders if extracts else ():
        if is_system_path(call.resolve(folder)) and folder.rstrip("/") != "/usr/local":
            yield Harm.SYSTEM, f"unpacks an archive over {folder}"


def force_install(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("--force-") for word in call.args):
        yield Harm.PACKAGES, "installs a package in spite of conflicts"


def chsh(call: Call) -> Iterator[RuleHit]:
    if call.options.has("d", "delete") or "root" in call.args:
        yield Harm.ACCOUNTS, "changes an account"


def set_clock(call: Call) -> Iterator[RuleHit]:
    if any(re.fullmatch(r"-[uR]*s.*|--set(=.*)?|--s|--se", word) for word in call.args):
        yield Harm.SYSTEM, "sets the clock"


def hostname(call: Call) -> Iterator[RuleHit]:
    if call.options.operands:
        yield Harm.SYSTEM, "renames the machine"


def run_temporary_scripts(call: Call) -> Iterator[RuleHit]:
    if any(is_temporary(path) for path in call.options.operands):
        yield Harm.SHELL_ESCAPE, f"makes {call.name} run scripts from a temporary folder"


_CHANGES_ACCOUNTS = (always(Harm.ACCOUNTS, "changes who may use the machine"),)
_UNSAFE_DOCUMENT = (phrase("-U", Harm.SHELL_ESCAPE, "lets a document run commands"),)
_POWER = (always(Harm.POWER, _STOPS_MACHINE),)
_NETWORK_ATTACK = (always(Harm.SYSTEM, "runs a network attack tool"),)
_PASSWORD_CRACKER = (always(Harm.SECRETS, "runs a password cracker"),)
RULES: dict[str, tuple[Rule, ...]] = {
    "dpkg": (force_install,),
    "tc": (phrase("qdisc|class|filter add|replace|change|del|delete", Harm.SYSTEM, _CHANGES_NETWORK),),
    "brctl": (phrase("delbr|delif|addif", Harm.SYSTEM, _CHANGES_NETWORK),),
    "arp": (phrase("-d|-s", Harm.SYSTEM, _CHANGES_NETWORK),),
    "ovs-vsctl": (phrase("del-br|del-port|emer-reset", Harm.SYSTEM, _CHANGES_NETWORK),),
    "networksetup": (
        phrase(
            "-setdnsservers|-setwebproxy|-setairportpower|-setnetworkserviceenabled|-setsecurewebproxy",
            Harm.SYSTEM,
            _CHANGES_NETWORK,
        ),
    ),
    **dict.fromkeys(
        (
            "arpspoof", "ettercap", "bettercap", "macchanger", "dnsspoof", "dnschef", "mitmf", "responder",
            "Responder.py", "aireplay-ng", "airmon-ng", "mdk4", "hping3", "slowloris", "slowhttptest", "t50",
            "msfconsole", "msfvenom", "setoolkit", "yersinia", "masscan", "evil-winrm", "psexec.py", "wmiexec.py",
            "crackmapexec", "netexec", "nxc", "impacket-psexec", "chisel", "ligolo-ng", "dnscat2", "iodine",
        ),
        _NETWORK_ATTACK,
    ),
    **dict.fromkeys(
        (
            "hydra", "john", "hashcat", "medusa", "ncrack", "patator", "aircrack-ng", "fcrackzip", "pdfcrack",
            "ophcrack", "thc-hydra", "kerbrute",
        ),
        _PASSWORD_CRACKER,
    ),
    "rtcwake": (phrase("-m|--mode", Harm.POWER, _STOPS_MACHINE),),
    "ipmitool": (phrase("power|chassis|mc", Harm.POWER, _STOPS_MACHINE),),
    "pmset": (phrase("sleepnow|schedule|repeat", Harm.POWER, _STOPS_MACHINE),),
    "umount": (unmount,),
    "tar": (unpack_archive,),
    "unzip": (unpack_archive,),
    "cpio": (unpack_archive,),
    "bsdtar": (unpack_archive,),
    "losetup": (phrase("-D|--detach-all", Harm.SYSTEM, _CHANGES_MOUNTS),),
    "kill": (kill,),
    "pkill": (kill_by_name,),
    "killall": (kill_by_name,),
    "skill": (kill_by_name,),
    "fuser": (fuser,),
    "xkill": (phrase("-all", Harm.PROCESSES, "ends every program on the screen"),),
    "slay": (kill_by_name,),
    "killall5": (always(Harm.PROCESSES, "ends every process"),),
    "init": (runlevel,),
    "telinit": (runlevel,),
    "systemctl": (systemctl,),
    "service": (service,),
    "rc-service": (service,),
    "sysctl": (sysctl,),
    "mount": (mount,),
    "swapoff": (phrase("-a|--all", Harm.SYSTEM, "switches off the swap memory"),),
    "loginctl": (
        phrase("poweroff|reboot|halt|suspend|hibernate", Harm.POWER, _STOPS_MACHINE),
        phrase("terminate-user|kill-user", Harm.PROCESSES, "ends every process of a user"),
    ),
    **dict.fromkeys(("dbus-send", "gdbus", "busctl", "qdbus"), (dbus_power,)),
    "net": (windows_account,),
    "shutdown": _POWER,
    "reboot": _POWER,
    "halt": _POWER,
    "poweroff": _POWER,
    "kexec": _POWER,
    "pm-suspend": _POWER,
    **dict.fromkeys(
        ("insmod", "modprobe", "rmmod", "depmod", "kmod"),
        (always(Harm.SYSTEM, "loads or unloads kernel modules"),),
    ),
    **dict.fromkeys(
        (
            "useradd", "adduser", "usermod", "userdel", "deluser", "groupadd", "groupdel", "groupmod", "addgroup",
            "delgroup", "chpasswd", "passwd", "gpasswd", "visudo", "vipw", "vigr", "chage", "newusers", "pwconv",
            "dscl", "sysadminctl", "usermod.static", "faillock", "realm", "pw",
        ),
        _CHANGES_ACCOUNTS,
    ),
    "chsh": (chsh,),
    "chfn": (chsh,),
    "update-alternatives": (
        phrase("--install|--set|--remove", Harm.SYSTEM, "changes which program a command name runs"),
    ),
    "ldconfig": (always(Harm.SYSTEM, "changes which libraries are loaded"),),
    "grub-install": (always(Harm.DEVICE, "overwrites the boot loader"),),
    "update-grub": (always(Harm.SYSTEM, "changes how the machine starts"),),
    "date": (set_clock,),
    "timedatectl": (phrase("set-time|set-ntp", Harm.SYSTEM, "sets the clock"),),
    "hwclock": (phrase("-w|--systohc|--set", Harm.SYSTEM, "sets the clock"),),
    "hostnamectl": (phrase("set-hostname", Harm.SYSTEM, "renames the machine"),),
    "nmcli": (phrase("networking off", Harm.SYSTEM, _DISCONNECTS),),
    "ifdown": (always(Harm.SYSTEM, _DISCONNECTS),),
    "ip": (
        phrase("link set", Harm.SYSTEM, _CHANGES_NETWORK),
        phrase("route del|flush|add|replace", Harm.SYSTEM, _CHANGES_NETWORK),
        phrase("addr flush|del", Harm.SYSTEM, _CHANGES_NETWORK),
    ),
    "ifconfig": (phrase("* down", Harm.SYSTEM, _DISCONNECTS),),
    "route": (phrase("add|change|del|delete|flush", Harm.SYSTEM, _CHANGES_NETWORK),),
    "hostname": (hostname,),
    **dict.fromkeys(("run-parts", "logrotate"), (run_temporary_scripts,)),
    "dvips": (phrase("-R0", Harm.SHELL_ESCAPE, "lets a document run commands"),),
    "pic": _UNSAFE_DOCUMENT,
    "troff": _UNSAFE_DOCUMENT,
    "groff": _UNSAFE_DOCUMENT,
    "osascript": (osascript,),
}  # fmt: skip
