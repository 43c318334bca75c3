"""Commands of whet: those that only read are allowed, those that answer a gate or change its state are refused."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import is_known
from whet.guard.shell.model.program_names import canonical_names
from whet.guard.shell.rules.rule import RuleHit

# Commands that read, or that only add what is judged like any other input (a suggestion, a first policy).
READING_VERBS = frozenset({
    "audit", "budget", "demo", "diff", "doctor", "guard", "history", "init", "ledger", "list", "models", "prove", "repair", "scan",
    "show", "status", "verify", "version", "versions",
})  # fmt: skip
# Commands that change something only with, or only without, one option.
_READING_WITH = {"run": "--dry-run"}
_READING_WITHOUT = {
    "audit": "--accept",  # anchors a record that does not match
    "init": "--enrol",  # the first approver is trusted
    "prove": "--sign",
    "suggest": "--drop",  # a wish that somebody else may have
    "sync": "--merge",
}
CHANGING_VERBS = frozenset({
    "answer", "approve", "reply", "reject", "withdraw", "resume", "rollback", "start", "stop", "run", "worker", "approvers", "serve",
    "mcp",
})  # fmt: skip
_STARTED_WITH_INPUT = ("xargs", "parallel")
_TAKE_TEXT = frozenset({
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "git", "whet", "gh", "glab", "test", "[", "[[", "ls",
    "cat", "head", "tail", "man", "which", "type", "pip", "pip3", "mkdir", "cd", "export", "find", "fd",
})  # fmt: skip
_WHET_PROCESS = re.compile(r"\bwhet\b")


def whet(call: Call) -> Iterator[RuleHit]:
    """Allow the verbs that read, raise an unknown word, and refuse every other verb, also one that is not known."""
    verb = next((word for word in call.args if not word.startswith("-")), "")
    if not verb:
        if call.via[-1:] and call.via[-1].startswith(_STARTED_WITH_INPUT):
            yield Harm.WHET, "gives whet a command that is not known"
    elif not is_known(verb):
        yield Harm.WHET, "gives whet a command that is not known", True
    elif not _only_reads(verb, call.args):
        yield Harm.WHET, f"runs `whet {verb}`, which a person must run themselves"


def _only_reads(verb: str, args: list[str]) -> bool:
    after = args[args.index(verb) + 1 :]
    if after[:1] == ["--help"]:
        return True
    if verb == "guard" and after[:1] == ["hook"]:  # `install` and `uninstall` change the settings of a coding agent
        return all(is_known(word) and word not in ("install", "uninstall") for word in after)
    if verb == "approvers":
        return not after or (after[0] in ("list", "--json") and len(after) < 3)
    if verb in _READING_WITH:
        return _has_flag(after, _READING_WITH[verb])
    if verb in _READING_WITHOUT:
        option = _READING_WITHOUT[verb]
        return not any(word.partition("=")[0] == option or not is_known(word[:1]) for word in args)
    return verb in READING_VERBS


def _has_flag(args: list[str], flag: str) -> bool:
    """True if a flag is given, and not as the value of the option before it (`--reason --dry-run`)."""
    return any(
        word == flag and (index == 0 or args[index - 1] == "--json" or not args[index - 1].startswith("-"))
        for index, word in enumerate(args)
    )


def nested_whet_hits(call: Call) -> Iterator[RuleHit]:
    """Refuse `whet approve` among the arguments of another program, which may start it (`uv -q run whet approve`)."""
    if call.name in _TAKE_TEXT:
        return
    for index, word in enumerate(call.args[:-1]):
        name = word.rpartition("/")[2]
        if name in ("whet", "-mwhet") or "whet" in canonical_names(name):
            verb = next((later for later in call.args[index + 1 :] if not later.startswith("-")), "")
            if (verb in CHANGING_VERBS or verb in _READING_WITHOUT) and not _only_reads(verb, call.args):
                yield Harm.WHET, f"has {call.name} run `whet {verb}`, which a person must run themselves"


def workflow_engine(call: Call) -> Iterator[RuleHit]:
    """Refuse `dbos workflow resume` and other commands that change whet's workflows past whet."""
    operands = call.options.operands
    if operands[:1] == ["reset"] or (operands[:1] == ["workflow"] and operands[1:2] not in ([], ["list"], ["get"])):
        yield Harm.WHET, "changes the workflows of whet"


def end_whet(call: Call) -> Iterator[RuleHit]:
    if any(_WHET_PROCESS.search(word) for word in call.options.operands):
        yield Harm.WHET, "ends the processes of whet"


def copy_whet(call: Call) -> Iterator[RuleHit]:
    """Refuse a copy of the program under another name, by which its verbs would not be recognised."""
    sources = call.options.operands[:-1]
    is_folder = call.options.has("rRa", "recursive", "archive")
    if not is_folder and any(source == "whet" or source.endswith("bin/whet") for source in sources):
        yield Harm.WHET, "gives the program whet another name"
