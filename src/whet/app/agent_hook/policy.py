"""The policy of a hook: the checkout's whet.toml, parsed once and remembered in the state folder.

Parsing with all of `whet.config` takes a quarter of a second. The remembered policy names the text that it came from and
the version of whet, so that an edited file is parsed again.
"""

import json
import os
from typing import Any

from whet import __version__, state_folder
from whet.app.agent_hook.places import first_checkout, repository_of
from whet.domain.call_policy import AccessRule, CallPolicy, CommandArgument
from whet.domain.own_files import FILE_NAME, STATE_FOLDER
from whet.errors import BadConfig, StateUnusable
from whet.files import MB, read_file

REMEMBERED = "call-policy.json"


def policy_at(folder: str) -> tuple[CallPolicy, str | None]:
    """Return the policy for calls in a folder, and the checkout that holds its state.

    A repository without whet.toml has the default policy and no state. Raise BadConfig if whet.toml cannot be read.
    """
    root = repository_of(os.path.realpath(folder))
    if root is None:
        return CallPolicy(), None
    checkout = first_checkout(root)
    try:
        raw = read_file(os.path.join(checkout, FILE_NAME), MB)
    except FileNotFoundError:
        return CallPolicy(), None
    except OSError as problem:
        raise BadConfig(
            f"{checkout}/{FILE_NAME} cannot be read: {problem.strerror}", "make it a regular file that you may read"
        ) from problem
    return _parsed(raw, checkout), checkout


def _parsed(raw: bytes, checkout: str) -> CallPolicy:
    source = [__version__, raw.decode(errors="backslashreplace")]
    state = os.path.join(checkout, STATE_FOLDER)
    remembered = _remembered(state, source)
    if remembered is not None:
        return remembered
    from whet.config import parse

    policy = parse(raw, os.path.join(checkout, FILE_NAME)).call_policy
    _remember(state, source, policy)
    return policy


def _remembered(state: str, source: list[str]) -> CallPolicy | None:
    try:
        known = json.loads(state_folder.read(state, REMEMBERED, most_bytes=4 * MB))
        return _decoded(known["policy"]) if known["source"] == source else None
    except (OSError, StateUnusable, ValueError, KeyError, TypeError):
        return None


def _remember(state: str, source: list[str], policy: CallPolicy) -> None:
    """Write the policy into the state folder, if there is one. The next call parses whet.toml if that fails."""
    from dataclasses import asdict

    try:
        content = json.dumps({"source": source, "policy": asdict(policy)}).encode()
        state_folder.replace(state, REMEMBERED, content, flush=False)
    except (OSError, StateUnusable):
        return


def _decoded(plain: dict[str, Any]) -> CallPolicy:
    lists = {name: tuple(plain[name]) for name in ("protected", "open", "sensitive", "tests")}
    return CallPolicy(
        **lists,
        changes_whet=plain["changes_whet"] is True,
        rules=tuple(AccessRule(row["scope"], tuple(row["allow"]), tuple(row["deny"])) for row in plain["rules"]),
        shell_tools=tuple(CommandArgument(row["tool"], row["argument"]) for row in plain["shell_tools"]),
    )
