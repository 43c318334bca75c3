"""Signatures that would count as a person's approval."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import is_known
from whet.guard.shell.rules.rule import RuleHit


def load_key(call: Call) -> Iterator[RuleHit]:
    """Refuse `ssh-add` of a key for approvals: every process of the user could then sign with it."""
    if any(re.search(r"whet|approv", path.rpartition("/")[2], re.IGNORECASE) for path in call.options.operands):
        yield Harm.WHET, "loads a key for approvals into ssh-agent, where every process can use it"


def sign(call: Call) -> Iterator[RuleHit]:
    """Refuse `ssh-keygen -Y sign` in a namespace of whet, and raise a namespace that is not known."""
    if "sign" not in values_of(call.args, "-Y"):
        return
    for namespace in values_of(call.args, "-n"):
        if "whet" in namespace.lower():
            yield Harm.WHET, "signs an approval, which a person must do themselves"
        elif not is_known(namespace):
            yield Harm.WHET, "signs in a namespace that is not known", True
