"""Commands that lose work in git: uncommitted changes, rewritten history, deleted branches."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import Options
from whet.guard.shell.rules.rule import RuleHit

_VALUED_OPTIONS = frozenset({"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"})
_EVERYTHING = frozenset({".", "*", ":/", ":/*", "./", ":(top)"})
_REPLACED_COMMITS = re.compile(r"(^|:)refs/replace(/|$)")
_DELETABLE_ITEMS = frozenset({"repo", "release", "secret", "gist", "variable", "codespace"})


def git(call: Call) -> Iterator[RuleHit]:
    words, index = call.args, 0
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in _VALUED_OPTIONS else 1
    if index >= len(words):
        return
    verb, rest = words[index], words[index + 1 :]
    valued = {"push": "mo", "clean": "e"}.get(verb, "")
    reason = _reason(verb, Options(rest, valued), rest)
    if reason:
        yield Harm.GIT_HISTORY, reason


def _reason(verb: str, options: Options, words: list[str]) -> str:
    """Return why a git subcommand loses work, or ""."""
    operands = options.operands
    match verb:
        case "push":
            return _reason_of_push(options)
        case "reset" if options.has("", "hard"):
            return "discards uncommitted changes"
        case "apply" if options.has("", "unsafe-paths"):
            return "applies a patch to files outside of the working folder"
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
        case "checkout" | "restore" if _discards_everything(verb, options):
            return "discards uncommitted changes"
        case "checkout" | "switch" if options.has("f", "force", "discard-changes"):
            return "discards uncommitted changes"
        case "stash" if operands[:1] == ["clear"]:
            return "discards stashed changes"
        case "update-ref" if options.has("d", "delete", "stdin"):
            return "deletes or moves references"
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


def _reason_of_push(options: Options) -> str:
    # `--force` or an abbreviation of it; not `--force-with-lease`, which does not overwrite commits of others.
    is_forced = "f" in options.shorts or any(
        name.startswith("fo") and "force".startswith(name) for name, _ in options.longs
    )
    if is_forced or options.has("", "mirror") or any(word.startswith("+") for word in options.operands):
        return "overwrites the history of a remote repository"
    if any(_REPLACED_COMMITS.search(word) for word in options.operands):
        return "makes git show other commits in place of the real ones, also to others"
    if options.has("d", "delete", "prune") or any(
        word.startswith(":") and len(word) > 1 for word in options.operands[1:]
    ):
        return "deletes a branch of a remote repository"
    return ""


def _discards_everything(verb: str, options: Options) -> bool:
    """True for `git checkout .` and `git restore .`, except for restoring the index only."""
    if verb == "restore" and options.has("S", "staged") and not options.has("W", "worktree"):
        return False
    return not _EVERYTHING.isdisjoint(options.operands) and not options.has("bB")


def forge_client(call: Call) -> Iterator[RuleHit]:
    """Refuse deletions and disabled checks through `gh` and `glab`."""
    words = call.options.operands
    item, verb = "".join(words[:1]), "".join(words[1:2])
    if item == "run" and verb == "delete":
        yield Harm.TRACES, "deletes the log of a run"
    elif item in _DELETABLE_ITEMS and verb == "delete":
        yield Harm.INFRASTRUCTURE, f"deletes a {item}"
    if words[:2] in (["workflow", "disable"], ["repo", "archive"], ["repo", "rename"]):
        yield Harm.INFRASTRUCTURE, f"disables, archives or renames a {item}"
    if words[:2] == ["pr", "merge"] and call.options.has("", "admin"):
        yield Harm.PRIVILEGE, "merges without the required checks"
    if item == "api" and "DELETE" in call.args:
        yield Harm.INFRASTRUCTURE, "deletes something through the forge's API"


def rewrite_history(call: Call) -> Iterator[RuleHit]:
    if any(name.startswith(("delete", "strip", "replace")) for name, _ in call.options.longs):
        yield Harm.GIT_HISTORY, "rewrites the history"


def subversion(call: Call) -> Iterator[RuleHit]:
    """Refuse `svn delete https://...`, which deletes on the server at once."""
    words = call.options.operands
    if words[:1] in (["delete"], ["del"], ["remove"], ["rm"]) and any("://" in word for word in words[1:]):
        yield Harm.GIT_HISTORY, "deletes a folder of a remote repository"


RULES = {
    "svn": (subversion,),
    "bfg": (rewrite_history,),
    "git-filter-repo": (rewrite_history,),
    "git": (git,),
    "gh": (forge_client,),
    "glab": (forge_client,),
    "hub": (forge_client,),
}
