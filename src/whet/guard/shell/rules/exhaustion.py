"""Commands that use up the disk, the memory or the processor: endless streams, huge files, stress tests."""

import re
from collections.abc import Iterator
from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import ENDLESS, is_known
from whet.guard.shell.model.programs import ENDLESS_FILES
from whet.guard.shell.rules.rule import RuleHit

_SIZE = re.compile(r"\+?(\d{1,18})\s*([KMGTPEZY]?)i?B?", re.IGNORECASE)
_UNITS = {unit: 1024**power for power, unit in enumerate(" KMGTPEZY")}
_TOO_LARGE = 100 * 1024**3  # bytes
_FILLS = (Harm.EXHAUSTION, "fills the disk or the memory without end")


def _writes_file(call: Call) -> bool:
    return any(is_known(path) and not path.startswith("/dev/") for path in call.writes)


def endless_output(call: Call) -> Iterator[RuleHit]:
    if _writes_file(call):
        yield _FILLS
    elif "/dev/null" in call.writes and not any(label.startswith("timeout") for label in call.via):
        yield Harm.EXHAUSTION, "loads the machine without end"


def copy_endless_file(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    copies = call.name == "cp" and len(operands) > 1 and not operands[-1].startswith("/dev/")
    sources = call.args[:-1] if copies else call.args
    reads_endless_file = not ENDLESS_FILES.isdisjoint((*sources, *call.reads))
    reads_endless_stdin = ENDLESS in (call.stdin or "")
    writes_file = _writes_file(call)
    if (reads_endless_file and (copies or writes_file)) or (reads_endless_stdin and writes_file):
        yield _FILLS


def read_to_end(call: Call) -> Iterator[RuleHit]:
    """Refuse `sort /dev/zero` and similar calls: the tool keeps all input in memory until it ends."""
    if not ENDLESS_FILES.isdisjoint((*call.options.operands, *call.reads)) and not call.options.has(
        "c", "bytes", "random-source"
    ):
        yield _FILLS


def dd_blocks(call: Call) -> Iterator[RuleHit]:
    settings = dict(word.partition("=")[::2] for word in call.args)
    if settings.get("if") not in ENDLESS_FILES or settings.get("of", "/dev/").startswith("/dev/"):
        return
    if "count" not in settings or _bytes(settings.get("bs", "512")) * _bytes(settings["count"]) >= _TOO_LARGE:
        yield _FILLS


def huge_file(call: Call) -> Iterator[RuleHit]:
    sizes = call.options.value("lsc", "length", "size", "bytes")
    sizes += [value for option, value in pairwise(call.args) if option in ("-l", "-s", "-c")]
    if any(_bytes(size.lstrip("=+")) >= _TOO_LARGE for size in sizes):
        yield Harm.EXHAUSTION, "creates a file that is too large"


def stress_test(call: Call) -> Iterator[RuleHit]:
    if call.args and not call.options.has("tnV?h", "timeout", "dry-run", "version", "help"):
        yield Harm.EXHAUSTION, "loads the machine without end"


def _bytes(size: str) -> int:
    shape = _SIZE.fullmatch(size)
    return int(shape[1]) * _UNITS[shape[2].upper() or " "] if shape else 0


RULES = {
    "yes": (endless_output,),
    **dict.fromkeys(("cat", "cp", "pv", "base64", "xxd", "od", "tr"), (copy_endless_file,)),
    **dict.fromkeys(("tail", "sort", "tac", "wc", "rev", "gzip"), (read_to_end,)),
    "dd": (dd_blocks,),
    "dcfldd": (dd_blocks,),
    **dict.fromkeys(("fallocate", "truncate", "head", "xfs_mkfile", "mkfile"), (huge_file,)),
    "stress": (stress_test,),
    "stress-ng": (stress_test,),
}  # fmt: skip
