"""What guards a machine: its firewall, what is recorded, what keeps programs within bounds."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import RuleHit, always, phrase

GUARDS = frozenset({"firewalld", "ufw", "iptables", "ip6tables", "nftables", "apparmor", "auditd", "fail2ban", "rsyslog", "syslog", "syslog-ng",
                     "systemd-journald", "clamav-daemon", "falcon-sensor", "crowdstrike", "osqueryd", "ossec", "wazuh-agent", "selinux-autorelabel",
                     "snort", "suricata", "auditbeat", "mdatp", "sentinelone"})  # fmt: skip
_GUARDING = r"crowdstrike|falcon|sentinel|osquery|jamf|mdatp|defender|santa|littlesnitch|carbonblack|sophos|malware|alf\b|auditd|xprotect|wazuh|firewall"
_FROM_ANYWHERE = frozenset({"0.0.0.0/0", "::/0", "0/0"})
_MANY_PORTS = 1000


def unloaded(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] and call.options.operands[0] in (
        "unload",
        "bootout",
        "disable",
        "remove",
        "stop",
        "kill",
    ):
        said = " ".join(call.args).lower()
        if "/system/library/" in said or re.search(_GUARDING, said):
            yield Harm.FIREWALL, "switches off a protection of the machine"


def packet_filter(call: Call) -> Iterator[RuleHit]:
    words = call.args
    policies = [words[place + 2 : place + 3] for place, word in enumerate(words) if word in ("-P", "--policy")]
    if call.options.has("FX", "flush", "delete-chain") or ["ACCEPT"] in policies or call.options.has("D", "delete"):
        yield Harm.FIREWALL, "removes rules of the firewall"
    elif (
        {"-A", "-I", "--append", "--insert"} & set(words)
        and "ACCEPT" in words
        and not {"--dport", "--sport", "-p", "-i", "-m"} & set(words)
        and ("-s" not in words or not _FROM_ANYWHERE.isdisjoint(words))
    ):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def restored(call: Call) -> Iterator[RuleHit]:
    if not call.options.has("nth", "noflush", "test", "help"):
        yield Harm.FIREWALL, "replaces the rules of the firewall"


def _is_wide(ports: str, separator: str) -> bool:
    first, _, last = ports.partition(separator)
    return first.isdigit() and last.isdigit() and int(last[:6]) - int(first[:6]) >= _MANY_PORTS


def many_ports(call: Call) -> Iterator[RuleHit]:
    for value in call.options.value("", "add-port"):
        if _is_wide(value.partition("/")[0], "-"):
            yield Harm.FIREWALL, "opens the firewall"
    if "0.0.0.0/0" in call.options.value("", "add-source"):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def opened_to_all(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[:1] == ["allow"] and any(_is_wide(word.partition("/")[0], ":") for word in words):
        yield Harm.FIREWALL, "opens the firewall"
    elif words[:1] == ["allow"] and "any" in words and not {"port", "proto", "app", "on"} & set(words):
        yield Harm.FIREWALL, "opens the firewall to all traffic"


def secure_linux(call: Call) -> Iterator[RuleHit]:
    if not {"0", "Permissive", "permissive"}.isdisjoint(call.args):
        yield Harm.FIREWALL, "switches off a protection of the machine"


RULES = {
    "launchctl": (unloaded,), **dict.fromkeys(("Set-MpPreference", "Add-MpPreference", "Disable-WindowsOptionalFeature", "Set-NetFirewallProfile", "kextunload", "tccutil"), (always(Harm.FIREWALL, "switches off a protection of the machine"),)),
    "fdesetup": (phrase("disable|removerecovery", Harm.FIREWALL, "switches off the encryption of a disk"),), "fail2ban-client": (phrase("stop|unban|reload", Harm.FIREWALL, "switches off a protection of the machine"),), "manage-bde": (phrase("-off|-disable", Harm.FIREWALL, "switches off the encryption of a disk"),),
    **dict.fromkeys(("ipset", "arptables"), (phrase("flush|destroy", Harm.FIREWALL, "removes rules of the firewall"), phrase("-F|-X|-D", Harm.FIREWALL, "removes rules of the firewall"))),
    "setsebool": (always(Harm.FIREWALL, "weakens a protection of the machine"),), "semanage": (phrase("permissive|fcontext|port|boolean -a|-m|-d|--add", Harm.FIREWALL, "weakens a protection of the machine"),), "semodule": (phrase("-i|-r|-d", Harm.FIREWALL, "weakens a protection of the machine"),),
    **dict.fromkeys(("iptables", "ip6tables", "ebtables"), (packet_filter,)),
    "nft": (phrase("flush|delete", Harm.FIREWALL, "removes rules of the firewall"),),
    "ufw": (phrase("disable|reset|delete", Harm.FIREWALL, "switches off the firewall"), phrase("--force", Harm.FIREWALL, "switches off the firewall"),
            phrase("default allow", Harm.FIREWALL, "opens the firewall"), opened_to_all),
    **dict.fromkeys(("iptables-restore", "ip6tables-restore"), (restored,)),
    "pfctl": (phrase("-d|-F", Harm.FIREWALL, "switches off the firewall"),),
    "firewall-cmd": (phrase("--panic-off|--remove-service|--remove-port|--set-default-zone|--add-rich-rule", Harm.FIREWALL, "opens the firewall"), many_ports),
    "setenforce": (secure_linux,), "auditctl": (phrase("-D|-e", Harm.TRACES, "switches off the audit log"),),
    "aa-disable": (always(Harm.FIREWALL, "switches off the protection of a program"),), "aa-teardown": (always(Harm.FIREWALL, "switches off a protection of the machine"),),
    "aa-complain": (always(Harm.FIREWALL, "switches off the protection of a program"),), "spctl": (phrase("--master-disable|--global-disable", Harm.FIREWALL, "switches off a protection of the machine"),),
    "csrutil": (phrase("disable", Harm.FIREWALL, "switches off a protection of the machine"),), "netsh": (always(Harm.FIREWALL, "changes the firewall"),),
}  # fmt: skip
