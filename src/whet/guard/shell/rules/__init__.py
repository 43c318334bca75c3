"""Rules that decide what is dangerous, by the name of the command; one file for each kind of harm."""

from collections import defaultdict

from whet.guard.shell.rules import (
    databases,
    deletion,
    devices,
    exfiltration,
    exhaustion,
    git_history,
    infrastructure,
    network,
    own,
    packages,
    permissions,
    persistence,
    protection,
    remote_clients,
    secrets,
    system,
    traces,
    transfers,
    whole_lists,
)
from whet.guard.shell.rules.any_command import any_command_hits
from whet.guard.shell.rules.environment import effects_of_assignment
from whet.guard.shell.rules.own import own_hits
from whet.guard.shell.rules.rule import Rule

__all__ = ["RULES", "any_command_hits", "effects_of_assignment", "own_hits"]


def _merged() -> dict[str, tuple[Rule, ...]]:
    """Return the rules of all files, by the name of the command."""
    rules: defaultdict[str, tuple[Rule, ...]] = defaultdict(tuple)
    for module in (
        deletion,
        devices,
        exhaustion,
        system,
        permissions,
        protection,
        traces,
        git_history,
        infrastructure,
        remote_clients,
        databases,
        packages,
        persistence,
        network,
        exfiltration,
        secrets,
        transfers,
        whole_lists,
        own,
    ):
        for name, rules_of_name in module.RULES.items():
            rules[name] += rules_of_name
    return dict(rules)


RULES = _merged()
