"""Commands that keep something running after they end, or start it again later: schedules, services, logins."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.programs import is_foreign_program
from whet.guard.shell.rules.rule import RuleHit, always, phrase


def edit_crontab(call: Call) -> Iterator[RuleHit]:
    if not call.options.has("lr") and (call.args or call.stdin is not None):
        yield Harm.PERSISTENCE, "schedules jobs"


def schedule_job(call: Call) -> Iterator[RuleHit]:
    if call.options.operands and not call.options.has("lrdc"):
        yield Harm.PERSISTENCE, "schedules a job"


def run_temporary_program_in_background(call: Call) -> Iterator[RuleHit]:
    """Refuse a program from a temporary folder; raise other programs that no package manager installed."""
    for path in call.options.operands[:1]:
        if is_temporary(path):
            yield Harm.PERSISTENCE, "leaves a program from a temporary folder running"
        elif is_foreign_program(path):
            yield Harm.PERSISTENCE, f"leaves {path} running, which no package manager installed", True


def start_at_login(call: Call) -> Iterator[RuleHit]:
    arguments = " ".join(call.args)
    if re.search(r"LoginHook|LogoutHook|login item|CurrentVersion\\?Run|AutoLaunchedApplicationDictionary", arguments):
        yield Harm.PERSISTENCE, "starts something at every login"


RULES = {
    **dict.fromkeys(("nohup", "setsid", "daemonize", "daemon", "disown", "openvt"), (run_temporary_program_in_background,)),
    **dict.fromkeys(("defaults", "osascript", "reg", "reg.exe"), (start_at_login,)),
    "crontab": (edit_crontab,),
    "at": (schedule_job,),
    "batch": (always(Harm.PERSISTENCE, "schedules a job"),),
    "systemd-run": (
        phrase(
            "--on-calendar|--on-active|--on-boot|--on-startup|--on-unit-active|--timer-property",
            Harm.PERSISTENCE,
            "schedules a job",
        ),
        run_temporary_program_in_background,
    ),
    "launchctl": (
        phrase("load|bootstrap|submit|enable|kickstart", Harm.PERSISTENCE, "makes a service start by itself"),
    ),
    "update-rc.d": (always(Harm.PERSISTENCE, "makes a service start by itself"),),
    "chkconfig": (always(Harm.PERSISTENCE, "makes a service start by itself"),),
    "rc-update": (phrase("add", Harm.PERSISTENCE, "makes a service start by itself"),),
    "schtasks": (always(Harm.PERSISTENCE, "schedules a job"),),
    "loginctl": (phrase("enable-linger", Harm.PERSISTENCE, "lets processes keep running after logout"),),
    "incrontab": (edit_crontab,),
    "systemd-tmpfiles": (phrase("--create", Harm.PERSISTENCE, "makes the system create files"),),
    "authselect": (always(Harm.ACCOUNTS, "changes how users log in"),),
}  # fmt: skip
