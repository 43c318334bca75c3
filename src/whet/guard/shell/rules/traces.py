"""Commands that delete logs or the command history, or switch the history off."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import RuleHit, phrase

_DELETES_TRACES = "deletes logs or the command history"


def delete_history(call: Call) -> Iterator[RuleHit]:
    if call.options.has("cd"):
        yield Harm.TRACES, _DELETES_TRACES


def disable_history(call: Call) -> Iterator[RuleHit]:
    if call.args[:2] == ["+o", "history"] or call.args[:1] == ["+H"]:
        yield Harm.TRACES, "switches off the command history"


def unset_history_variable(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("HIST") for word in call.args):
        yield Harm.TRACES, "switches off the command history"


def delete_journal(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("--vacuum") for word in call.args):
        yield Harm.TRACES, _DELETES_TRACES


def link_log_to_null(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if operands[:1] == ["/dev/null"] and any("history" in word or "log" in word for word in operands[1:]):
        yield Harm.TRACES, "switches off the command history"


RULES = {
    "history": (delete_history,),
    "fc": (phrase("-p", Harm.TRACES, _DELETES_TRACES),),
    "set": (disable_history,),
    "unset": (unset_history_variable,),
    "journalctl": (delete_journal,),
    "ln": (link_log_to_null,),
    "dmesg": (phrase("-C|-c|--clear|--read-clear", Harm.TRACES, _DELETES_TRACES),),
    "wevtutil": (phrase("cl", Harm.TRACES, _DELETES_TRACES),),
    "utmpdump": (phrase("-r", Harm.TRACES, _DELETES_TRACES),),
    "logrotate": (phrase("-f", Harm.TRACES, _DELETES_TRACES),),
    "lastlog": (phrase("-C", Harm.TRACES, _DELETES_TRACES),),
}  # fmt: skip
