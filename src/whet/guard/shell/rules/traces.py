"""What somebody would look at afterwards."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import RuleHit, phrase

_WIPES = "wipes what was done before"


def history(call: Call) -> Iterator[RuleHit]:
    if call.options.has("cd"):
        yield Harm.TRACES, _WIPES


def switch_off(call: Call) -> Iterator[RuleHit]:
    if call.args[:2] == ["+o", "history"] or call.args[:1] == ["+H"]:
        yield Harm.TRACES, "keeps what is done from being remembered"


def unset(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("HIST") for word in call.args):
        yield Harm.TRACES, "keeps what is done from being remembered"


def journal(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("--vacuum") for word in call.args):
        yield Harm.TRACES, _WIPES


def link(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if operands[:1] == ["/dev/null"] and any("history" in word or "log" in word for word in operands[1:]):
        yield Harm.TRACES, "keeps what is done from being remembered"


RULES = {
    "history": (history,), "fc": (phrase("-p", Harm.TRACES, _WIPES),), "set": (switch_off,), "unset": (unset,), "journalctl": (journal,), "ln": (link,),
    "dmesg": (phrase("-C|-c|--clear|--read-clear", Harm.TRACES, _WIPES),), "wevtutil": (phrase("cl", Harm.TRACES, _WIPES),),
    "utmpdump": (phrase("-r", Harm.TRACES, _WIPES),), "logrotate": (phrase("-f", Harm.TRACES, _WIPES),), "lastlog": (phrase("-C", Harm.TRACES, _WIPES),),
}  # fmt: skip
