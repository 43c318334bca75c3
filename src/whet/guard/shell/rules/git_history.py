"""Work that git cannot give back."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import Options
from whet.guard.shell.rules.rule import RuleHit

_VALUED = frozenset({"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})
_EVERYTHING = frozenset({".", "*", ":/", ":/*", "./", ":(top)"})


def git(call: Call) -> Iterator[RuleHit]:
    words, place = call.args, 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _VALUED else 1
    if place >= len(words):
        return
    verb = words[place]
    options = Options(words[place + 1 :], "mo" if verb == "push" else "e" if verb == "clean" else "")
    reason = _lost(verb, options, words[place + 1 :])
    if reason:
        yield Harm.GIT_HISTORY, reason


def _lost(verb: str, options: Options, words: list[str]) -> str:
    operands = options.operands
    match verb:
        case "push":
            return _pushed(options)
        case "reset" if options.has("", "hard"):
            return "discards uncommitted changes"
        case "clean" if options.has("f", "force") and not options.has("n", "dry-run"):
            return "deletes untracked files"
        case "lfs" if operands[:1] == ["migrate"] and operands[1:2] != ["info"]:
            return "rewrites the history"
        case "filter-branch" | "filter-repo" | "obliterate":
            return "rewrites the history"
        case "reflog" if operands[:1] in (["expire"], ["delete"]):
            return "deletes the reflog, which is needed to restore lost commits"
        case "branch" if options.has("D") or (options.has("d", "delete") and options.has("f", "force")):
            return "deletes a branch even if it is not merged"
        case "checkout" | "restore" if _all_of_it(verb, options):
            return "discards uncommitted changes"
        case "checkout" | "switch" if options.has("f", "force", "discard-changes"):
            return "discards uncommitted changes"
        case "stash" if operands[:1] == ["clear"]:
            return "discards stashed changes"
        case "update-ref" if options.has("d", "delete"):
            return "deletes a reference"
        case "gc" if any(re.fullmatch(r"--prune=(now|all)", word) for word in words):
            return "deletes unreachable commits"
        case "prune" if not options.has("n", "dry-run"):
            return "deletes unreachable commits"
        case "rm" if options.has("r") and options.has("f", "force") and not _EVERYTHING.isdisjoint(operands):
            return "deletes every file"
        case "replace" | "symbolic-ref" if options.has("df", "delete", "force"):
            return "changes the target of a reference"
        case "worktree" if operands[:1] == ["remove"] and options.has("f", "force"):
            return "discards uncommitted changes"
        case "submodule" if operands[:1] == ["deinit"] and options.has("f", "force"):
            return "discards uncommitted changes"
    return ""


def _pushed(options: Options) -> str:
    if (
        any(name == "force" or (name.startswith("fo") and "force".startswith(name)) for name, _ in options.longs)
        or "f" in options.shorts
    ):
        return "overwrites the history of a remote repository"
    if options.has("", "mirror") or any(word.startswith("+") for word in options.operands):
        return "overwrites the history of a remote repository"
    if options.has("d", "delete") or any(word.startswith(":") and len(word) > 1 for word in options.operands[1:]):
        return "deletes a branch of a remote repository"
    return ""


def _all_of_it(verb: str, options: Options) -> bool:
    if verb == "restore" and options.has("S", "staged") and not options.has("W", "worktree"):
        return False
    return not _EVERYTHING.isdisjoint(options.operands) and not options.has("bB")


def hub(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[:1] in (
        ["repo"],
        ["release"],
        ["secret"],
        ["gist"],
        ["cache"],
        ["variable"],
        ["run"],
        ["codespace"],
    ) and words[1:2] == ["delete"]:
        yield (
            (Harm.INFRASTRUCTURE, f"deletes a {words[0]}")
            if words[0] != "run"
            else (Harm.TRACES, "deletes the record of a run")
        )
    if words[:2] in (["workflow", "disable"], ["repo", "archive"], ["repo", "rename"]):
        yield Harm.INFRASTRUCTURE, f"disables a {words[0]}"
    if words[:2] == ["pr", "merge"] and call.options.has("", "admin"):
        yield Harm.PRIVILEGE, "merges without the required checks"
    if words[:1] == ["api"] and "DELETE" in call.args:
        yield Harm.INFRASTRUCTURE, "deletes something through the forge's API"


def rewritten(call: Call) -> Iterator[RuleHit]:
    if any(name.startswith(("delete", "strip", "replace")) for name, _ in call.options.longs):
        yield Harm.GIT_HISTORY, "rewrites the history"


RULES = {
    "bfg": (rewritten,),
    "git-filter-repo": (rewritten,),
    "git": (git,),
    "gh": (hub,),
    "glab": (hub,),
    "hub": (hub,),
}
