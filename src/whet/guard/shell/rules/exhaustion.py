"""What takes all that a machine has: streams without an end, files as large as its disks."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import ENDLESS, is_known
from whet.guard.shell.model.programs import ENDLESS_FILES
from whet.guard.shell.rules.rule import RuleHit

_SIZE = re.compile(r"\+?(\d{1,18})\s*([KMGTPEZY]?)i?B?", re.IGNORECASE)
_UNITS = {unit: 1024**power for power, unit in enumerate(" KMGTPEZY")}
_TOO_LARGE = 100 * 1024**3  # bytes
_FILLS = (Harm.EXHAUSTION, "fills the disk or the memory without end")


def _goes_to_a_file(call: Call) -> bool:
    return any(is_known(path) and not path.startswith("/dev/") for path in call.writes)


def repeated(call: Call) -> Iterator[RuleHit]:
    if _goes_to_a_file(call):
        yield _FILLS
    elif "/dev/null" in call.writes and not any(label.startswith("timeout") for label in call.via):
        yield Harm.EXHAUSTION, "strains the machine without an end"


def copied(call: Call) -> Iterator[RuleHit]:
    into = call.name == "cp" and len(call.options.operands) > 1 and not call.options.operands[-1].startswith("/dev/")
    if (
        not ENDLESS_FILES.isdisjoint((*call.args[: -1 if into else None], *call.reads))
        and (into or _goes_to_a_file(call))
    ) or (ENDLESS in (call.stdin or "") and _goes_to_a_file(call)):
        yield _FILLS


def kept_whole(call: Call) -> Iterator[RuleHit]:
    """`tail`, `sort` and their like show nothing before the end has come."""
    if not ENDLESS_FILES.isdisjoint((*call.options.operands, *call.reads)) and not call.options.has(
        "c", "bytes", "random-source"
    ):
        yield _FILLS


def blocks(call: Call) -> Iterator[RuleHit]:
    given = dict(word.partition("=")[::2] for word in call.args)
    if given.get("if") not in ENDLESS_FILES or given.get("of", "/dev/").startswith("/dev/"):
        return
    if "count" not in given or _bytes(given.get("bs", "512")) * _bytes(given["count"]) >= _TOO_LARGE:
        yield _FILLS


def reserved(call: Call) -> Iterator[RuleHit]:
    sizes = call.options.value("lsc", "length", "size", "bytes")
    sizes += [call.args[place + 1] for place, word in enumerate(call.args[:-1]) if word in ("-l", "-s", "-c")]
    if any(_bytes(size.lstrip("=+")) >= _TOO_LARGE for size in sizes):
        yield Harm.EXHAUSTION, "takes more of the disk than a file should have"


def strained(call: Call) -> Iterator[RuleHit]:
    if call.args and not call.options.has("tnV?h", "timeout", "dry-run", "version", "help"):
        yield Harm.EXHAUSTION, "strains the machine without an end"


def _bytes(size: str) -> int:
    shape = _SIZE.fullmatch(size)
    return int(shape[1]) * _UNITS[shape[2].upper() or " "] if shape else 0


RULES = {
    "yes": (repeated,), **dict.fromkeys(("cat", "cp", "pv", "base64", "xxd", "od", "tr"), (copied,)), **dict.fromkeys(("tail", "sort", "tac", "wc", "rev", "gzip"), (kept_whole,)),
    "dd": (blocks,), "dcfldd": (blocks,), **dict.fromkeys(("fallocate", "truncate", "head", "xfs_mkfile", "mkfile"), (reserved,)),
    "stress": (strained,), "stress-ng": (strained,),
}  # fmt: skip
