"""What is dangerous, by the name of the command; one file for each kind of harm."""

from collections import defaultdict

from whet.guard.shell.dangers import (
    databases,
    deletion,
    devices,
    everything,
    exhaustion,
    git_history,
    guards,
    infrastructure,
    network,
    packages,
    persistence,
    secrets,
    system,
    traces,
    verbs,
)
from whet.guard.shell.dangers.environment import from_assignment
from whet.guard.shell.dangers.everywhere import every_call
from whet.guard.shell.dangers.rule import Rule

__all__ = ["RULES", "every_call", "from_assignment"]


def _all() -> dict[str, tuple[Rule, ...]]:
    rules: defaultdict[str, tuple[Rule, ...]] = defaultdict(tuple)
    for kind in (
        deletion,
        devices,
        exhaustion,
        system,
        guards,
        traces,
        git_history,
        infrastructure,
        verbs,
        databases,
        packages,
        persistence,
        network,
        secrets,
        everything,
    ):
        for name, of_name in kind.RULES.items():
            rules[name] += of_name
    return dict(rules)


RULES = _all()
