"""What goes on after the command has ended."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.rules.rule import RuleHit, always, phrase


def crontab(call: Call) -> Iterator[RuleHit]:
    if not call.options.has("lr") and (call.args or call.stdin is not None):
        yield Harm.PERSISTENCE, "schedules jobs"


def at(call: Call) -> Iterator[RuleHit]:
    if call.options.operands and not call.options.has("lrdc"):
        yield Harm.PERSISTENCE, "schedules a job"


def left_running(call: Call) -> Iterator[RuleHit]:
    if any(is_temporary(word) for word in call.options.operands[:1]):
        yield Harm.PERSISTENCE, "leaves a program of a folder for everybody running"


def at_login(call: Call) -> Iterator[RuleHit]:
    said = " ".join(call.args)
    if re.search(r"LoginHook|LogoutHook|login item|CurrentVersion\\?Run|AutoLaunchedApplicationDictionary", said):
        yield Harm.PERSISTENCE, "starts something at every login"


RULES = {
    **dict.fromkeys(("nohup", "setsid", "daemonize", "daemon", "disown"), (left_running,)), **dict.fromkeys(("defaults", "osascript", "reg", "reg.exe"), (at_login,)),
    "crontab": (crontab,), "at": (at,), "batch": (always(Harm.PERSISTENCE, "schedules a job"),),
    "systemd-run": (phrase("--on-calendar|--on-active|--on-boot|--on-startup|--on-unit-active|--timer-property", Harm.PERSISTENCE, "schedules a job"),),
    "launchctl": (phrase("load|bootstrap|submit|enable|kickstart", Harm.PERSISTENCE, "makes a service start by itself"),),
    "update-rc.d": (always(Harm.PERSISTENCE, "makes a service start by itself"),), "chkconfig": (always(Harm.PERSISTENCE, "makes a service start by itself"),),
    "rc-update": (phrase("add", Harm.PERSISTENCE, "makes a service start by itself"),), "schtasks": (always(Harm.PERSISTENCE, "schedules a job"),),
    "loginctl": (phrase("enable-linger", Harm.PERSISTENCE, "lets processes outlive their session"),), "ssh-copy-id": (), "incrontab": (crontab,),
    "systemd-tmpfiles": (phrase("--create", Harm.PERSISTENCE, "lets the system make files"),), "authselect": (always(Harm.ACCOUNTS, "changes how users prove who they are"),),
}  # fmt: skip
RULES.pop("ssh-copy-id")
