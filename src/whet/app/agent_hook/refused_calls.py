"""The log of calls that were refused or raised: a bounded file of JSON lines, one per call.

It is a file of its own and not the ledger: a hook must answer in a fraction of a second, also while a workflow holds the
ledger's lock, and an agent that is refused in a loop must not fill the ledger (ADR 28).
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from whet import state_folder
from whet.app.agent_hook.event import Event
from whet.app.agent_hook.places import user_record
from whet.app.agent_hook.reply import shown
from whet.domain.clock import now
from whet.domain.own_files import STATE_FOLDER
from whet.domain.redact_noun import redact_named
from whet.files import MB
from whet.guard.answer import Raise, Refuse
from whet.guard.calls.tool_kinds import strings_in

FILE = "tool-calls.jsonl"
MOST_BYTES = MB
_LONGEST_ARGUMENT = 300
_MOST_ARGUMENTS = 12


def folder_for(checkout: str | None) -> str:
    """Return the folder that holds the log of a checkout."""
    return os.path.join(user_record(), "hook") if checkout is None else os.path.join(checkout, STATE_FOLDER)


def log_call(folder: str, event: Event, answer: Raise | Refuse) -> None:
    """Append a call. Secrets in its arguments are redacted, long ones are cut. Raise OSError or StateUnusable."""
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    state_folder.make_folder(folder)
    line = json.dumps(_entry(event, answer)).encode() + b"\n"
    handle = state_folder.open_file(folder, FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(handle, line)  # one write: lines of two hooks do not mix
        is_full = os.fstat(handle).st_size > MOST_BYTES
    finally:
        os.close(handle)
    if is_full:
        _keep_newer_half(folder)


def entries(folder: str) -> Iterator[dict[str, Any]]:
    """Yield the logged calls, oldest first. A line that was cut off by a crash is skipped."""
    try:
        lines = state_folder.read(folder, FILE).splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry


def _entry(event: Event, answer: Raise | Refuse) -> dict[str, Any]:
    caller = event.caller
    return {
        "at": now().isoformat(timespec="seconds"),
        "agent": caller.agent,
        "model": caller.model,
        "tool": shown(event.call.tool),
        "answer": "raised" if isinstance(answer, Raise) else "refused",
        "code": answer.code,
        "reason": shown(answer.reason),
        "folder": shown(event.folder),
        "arguments": _arguments(event),
    }


def _arguments(event: Event) -> dict[str, str]:
    try:
        texts = list(strings_in(event.call.arguments))[:_MOST_ARGUMENTS]
    except ValueError:
        return {}
    redacted = [(name, redact_named(name, text[: 16 * _LONGEST_ARGUMENT])) for name, text in texts]
    return {shown(name)[:40]: shown(text)[:_LONGEST_ARGUMENT] for name, text in redacted}


def _keep_newer_half(folder: str) -> None:
    """Drop the older half of the log. The lock keeps two hooks from doing so at once."""
    with state_folder.locked(folder, f"{FILE}.lock"):
        content = state_folder.read(folder, FILE)
        if len(content) > MOST_BYTES:
            newer = content[len(content) // 2 :]
            state_folder.replace(folder, FILE, newer[newer.index(b"\n") + 1 :], flush=False)
