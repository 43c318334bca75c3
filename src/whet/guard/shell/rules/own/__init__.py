"""Rules that keep commands from acting for whet: its gates, its files, its references, the keys of its approvers."""

from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.protected import may_be_protected
from whet.guard.shell.rules.own.files import own_file_hits
from whet.guard.shell.rules.own.git import git
from whet.guard.shell.rules.own.signing import load_key, sign
from whet.guard.shell.rules.own.verbs import copy_whet, end_whet, nested_whet_hits, whet, workflow_engine
from whet.guard.shell.rules.rule import Rule, RuleHit

RULES: dict[str, tuple[Rule, ...]] = {
    "whet": (whet,),
    "dbos": (workflow_engine,),
    **dict.fromkeys(("pkill", "killall", "skill", "slay"), (end_whet,)),
    **dict.fromkeys(("cp", "ln", "mv", "install"), (copy_whet,)),
    "git": (git,),
    "ssh-keygen": (sign,),
    "ssh-add": (load_key,),
}


def own_hits(call: Call, *, is_wrapper: bool, is_launcher: bool) -> Iterator[RuleHit]:
    """Yield the harm that a command does to the files of whet and git, whatever the command's name is.

    A command that a wrapper or a launcher starts is judged separately.
    """
    if not (call.cwd or call.links or may_be_protected(f"{' '.join(call.args)} {call.stdin or ''}")):
        return  # most commands name nothing of whet or git
    yield from own_file_hits(call, is_wrapper=is_wrapper, is_launcher=is_launcher)
    yield from nested_whet_hits(call)
