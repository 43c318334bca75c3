"""The quick way to `whet guard hook`, without the command line parser: it runs before every call of a tool.

Agents make the call if their hook fails in most ways, and block it if the hook exits with 2. So every end of this process
is an exit with 0 or 2.
"""

import os
import signal
import sys
from types import FrameType

_BLOCK = 2
_FAILED = "whet: the guard hook failed, so the call is blocked"


def is_hook(arguments: list[str]) -> bool:
    """True for `guard hook`, with or without `--agent NAME`; its other commands go to the parser."""
    return arguments[:2] == ["guard", "hook"] and (
        len(arguments) == 2
        or (len(arguments) == 4 and arguments[2] == "--agent")
        or (len(arguments) == 3 and arguments[2].startswith("--agent="))
    )


def run_hook(arguments: list[str]) -> None:
    """Read an event from standard input, answer it and end the process."""
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, _block)
    agent = arguments[-1].removeprefix("--agent=") if len(arguments) > 2 else None
    try:
        code = _answer(agent)
    except BaseException as problem:  # noqa: BLE001 - the last boundary: any other end would let the call through
        code = _refuse(problem)
    os._exit(code)


def _answer(agent: str | None) -> int:
    from whet.app.agent_hook.event import MOST_BYTES
    from whet.app.agent_hook.hook import DEADLINE_SECONDS, answer_event

    signal.alarm(DEADLINE_SECONDS)
    answer = answer_event(sys.stdin.buffer.read(MOST_BYTES + 1), agent)
    sys.stdout.write(f"{answer.output}\n" if answer.output else "")
    sys.stdout.flush()
    sys.stderr.write(answer.error)
    sys.stderr.flush()
    return answer.exit_code


def _refuse(problem: BaseException) -> int:
    from whet.errors import WhetError

    message = f"{_FAILED}: {type(problem).__name__}: {problem}"
    if isinstance(problem, WhetError):
        message = f"whet: {problem.message}\n      {problem.remedy}"
    try:
        from whet.app.agent_hook.reply import shown

        message = shown(message)
    except BaseException:  # noqa: BLE001 - the reason is shortened, the call stays blocked
        message = _FAILED
    os.write(2, f"{message}\n".encode(errors="replace"))
    return _BLOCK


def _block(number: int, _: FrameType | None) -> None:
    os.write(2, f"{_FAILED}: {signal.Signals(number).name}\n".encode())
    os._exit(_BLOCK)
