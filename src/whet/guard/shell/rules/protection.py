"""Commands that weaken the protection of a machine: firewall, SELinux, AppArmor, virus scanners, audit logs."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import RuleHit, always, phrase

PROTECTIVE_SERVICES = frozenset({
    "firewalld", "ufw", "iptables", "ip6tables", "nftables", "apparmor", "auditd", "fail2ban", "rsyslog",
    "syslog", "syslog-ng", "systemd-journald", "clamav-daemon", "falcon-sensor", "crowdstrike", "osqueryd",
    "ossec", "wazuh-agent", "selinux-autorelabel", "snort", "suricata", "auditbeat", "mdatp", "sentinelone",
})  # fmt: skip
_MACOS_PROTECTION = re.compile(
    r"crowdstrike|falcon|sentinel|osquery|jamf|mdatp|defender|santa|littlesnitch|carbonblack|sophos|malware|alf\b"
    r"|auditd|xprotect|wazuh|firewall"
)
_STOPPING_VERBS = ("unload", "bootout", "disable", "remove", "stop", "kill")
_TRUSTS = "makes the machine trust another certificate authority"
_SWITCHED_OFF = "switches off a protection of the machine"
_ANY_ADDRESS = frozenset({"0.0.0.0/0", "::/0", "0/0"})
_MANY_PORTS = 1000  # a range of at least as many ports counts as opening the firewall


def launchctl(call: Call) -> Iterator[RuleHit]:
    stops = call.options.operands[:1] and call.options.operands[0] in _STOPPING_VERBS
    arguments = " ".join(call.args).lower()
    if stops and ("/system/library/" in arguments or _MACOS_PROTECTION.search(arguments)):
        yield Harm.FIREWALL, _SWITCHED_OFF


def iptables(call: Call) -> Iterator[RuleHit]:
    words = call.args
    # `-P CHAIN POLICY`
    policies = [words[index + 2 : index + 3] for index, word in enumerate(words) if word in ("-P", "--policy")]
    if call.options.has("FXD", "flush", "delete-chain", "delete") or ["ACCEPT"] in policies:
        yield Harm.FIREWALL, "removes rules of the firewall"
    elif (
        {"-A", "-I", "--append", "--insert"} & set(words)
        and "ACCEPT" in words
        and not {"--dport", "--sport", "-p", "-i", "-m"} & set(words)
        and ("-s" not in words or not _ANY_ADDRESS.isdisjoint(words))
    ):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def iptables_restore(call: Call) -> Iterator[RuleHit]:
    if not call.options.has("nth", "noflush", "test", "help"):
        yield Harm.FIREWALL, "replaces the rules of the firewall"


def _is_wide_range(ports: str, separator: str) -> bool:
    first, _, last = ports.partition(separator)
    return first.isdigit() and last.isdigit() and int(last[:6]) - int(first[:6]) >= _MANY_PORTS


def firewall_cmd(call: Call) -> Iterator[RuleHit]:
    for value in call.options.value("", "add-port"):
        if _is_wide_range(value.partition("/")[0], "-"):
            yield Harm.FIREWALL, "opens the firewall"
    if "0.0.0.0/0" in call.options.value("", "add-source"):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def ufw(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[:1] == ["allow"] and any(_is_wide_range(word.partition("/")[0], ":") for word in words):
        yield Harm.FIREWALL, "opens the firewall"
    elif words[:1] == ["allow"] and "any" in words and not {"port", "proto", "app", "on"} & set(words):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def setenforce(call: Call) -> Iterator[RuleHit]:
    if not {"0", "Permissive", "permissive"}.isdisjoint(call.args):
        yield Harm.FIREWALL, _SWITCHED_OFF


RULES = {
    "launchctl": (launchctl,),
    **dict.fromkeys(
        (
            "Set-MpPreference", "Add-MpPreference", "Disable-WindowsOptionalFeature", "Set-NetFirewallProfile",
            "kextunload", "tccutil",
        ),
        (always(Harm.FIREWALL, _SWITCHED_OFF),),
    ),
    "fdesetup": (phrase("disable|removerecovery", Harm.FIREWALL, "switches off the encryption of a disk"),),
    "fail2ban-client": (phrase("stop|unban|reload", Harm.FIREWALL, _SWITCHED_OFF),),
    "manage-bde": (phrase("-off|-disable", Harm.FIREWALL, "switches off the encryption of a disk"),),
    **dict.fromkeys(
        ("ipset", "arptables"),
        (
            phrase("flush|destroy", Harm.FIREWALL, "removes rules of the firewall"),
            phrase("-F|-X|-D", Harm.FIREWALL, "removes rules of the firewall"),
        ),
    ),
    "setsebool": (always(Harm.FIREWALL, "weakens a protection of the machine"),),
    "semanage": (
        phrase(
            "permissive|fcontext|port|boolean -a|-m|-d|--add",
            Harm.FIREWALL,
            "weakens a protection of the machine",
        ),
    ),
    "semodule": (phrase("-i|-r|-d", Harm.FIREWALL, "weakens a protection of the machine"),),
    **dict.fromkeys(("iptables", "ip6tables", "ebtables"), (iptables,)),
    "nft": (phrase("flush|delete", Harm.FIREWALL, "removes rules of the firewall"),),
    "ufw": (
        phrase("disable|reset|delete", Harm.FIREWALL, "switches off the firewall"),
        phrase("--force", Harm.FIREWALL, "switches off the firewall"),
        phrase("default allow", Harm.FIREWALL, "opens the firewall"),
        ufw,
    ),
    **dict.fromkeys(("iptables-restore", "ip6tables-restore"), (iptables_restore,)),
    "pfctl": (phrase("-d|-F", Harm.FIREWALL, "switches off the firewall"),),
    "firewall-cmd": (
        phrase(
            "--panic-off|--remove-service|--remove-port|--set-default-zone|--add-rich-rule",
            Harm.FIREWALL,
            "opens the firewall",
        ),
        firewall_cmd,
    ),
    "setenforce": (setenforce,),
    "auditctl": (phrase("-D|-e", Harm.TRACES, "switches off the audit log"),),
    "aa-disable": (always(Harm.FIREWALL, "switches off the protection of a program"),),
    "aa-teardown": (always(Harm.FIREWALL, _SWITCHED_OFF),),
    "aa-complain": (always(Harm.FIREWALL, "switches off the protection of a program"),),
    "spctl": (phrase("--master-disable|--global-disable", Harm.FIREWALL, _SWITCHED_OFF),),
    "csrutil": (phrase("disable", Harm.FIREWALL, _SWITCHED_OFF),),
    "trust": (phrase("anchor", Harm.FIREWALL, _TRUSTS),),
    "security": (phrase("add-trusted-cert", Harm.FIREWALL, _TRUSTS),),
    "certutil": (phrase("-A|-addstore", Harm.FIREWALL, _TRUSTS),),
    "mkcert": (phrase("-install", Harm.FIREWALL, _TRUSTS),),
    "apt-key": (phrase("add|adv", Harm.PACKAGES, "trusts every package that another key signs"),),
    "netsh": (always(Harm.FIREWALL, "changes the firewall"),),
}  # fmt: skip
