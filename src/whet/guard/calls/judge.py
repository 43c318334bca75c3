"""The entry: may this caller make this call?"""

import shlex
from collections.abc import Iterator

from whet.domain.call_policy import CallPolicy
from whet.domain.tool import Caller, ToolCall, catches
from whet.guard.answer import Allow, GuardAnswer, Refuse, strictest
from whet.guard.calls.place import Resolve
from whet.guard.calls.tool_kinds import MOST_STRINGS, ToolKind, commands_in, kind_of, paths_in, strings_in
from whet.guard.tool_access import check_access, check_names

_LONGEST_PATH = 4096


def judge_call(
    call: ToolCall, caller: Caller, policy: CallPolicy, resolve: Resolve, *, free_without_rules: bool = False
) -> GuardAnswer:
    """Return Allow, Raise or Refuse for a call, before it runs.

    A tool must be allowed to its caller by `guard.tools`. With `free_without_rules`, for an agent that whet did not
    start, a policy without any such rule does not limit the tools. Then the commands and the files of the call are
    judged, and the strictest answer holds. A call that cannot be judged is refused.
    """
    if free_without_rules and not policy.rules:
        access: Allow | Refuse = check_names(call, caller, policy) or Allow()
    else:
        access = check_access(call, caller, policy)
    if isinstance(access, Refuse):
        return access
    try:
        return strictest(_answers(call, policy, resolve), access)
    except (ValueError, RecursionError) as problem:
        return Refuse(f"{call.tool} cannot be judged: {problem}", "call_unreadable")


def _answers(call: ToolCall, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    kind = kind_of(call.tool)
    yield from _shell_tool_answers(call, policy, resolve)
    if kind is ToolKind.SHELL:
        yield from _shell_answers(call, policy, resolve)
    elif kind is ToolKind.PATCH:
        yield from _patch_answers(call, policy, resolve)
    elif kind is ToolKind.OTHER:
        yield from _unknown_answers(call, policy, resolve)
    yield from _file_answers(call, kind, policy, resolve)


def _shell_tool_answers(call: ToolCall, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Judge the arguments that `guard.shell_tools` calls commands. A tool that lacks its command is refused."""
    arguments = [shell.argument for shell in policy.shell_tools if catches(shell.tool, call.tool)]
    for argument in dict.fromkeys(arguments):
        command = call.arguments.get(argument)
        if type(command) is not str:
            yield Refuse(f"{call.tool} is a shell tool, and its {argument!r} is not a command", "command_missing")
        else:
            yield _command(command, policy, resolve)


def _shell_answers(call: ToolCall, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    commands = tuple(commands_in(call.arguments))
    if not commands:
        yield Refuse(f"{call.tool} is a shell tool, and none of its arguments is a command", "command_missing")
    yield from (_command(command, policy, resolve) for command in commands)


def _command(command: object, policy: CallPolicy, resolve: Resolve) -> GuardAnswer:
    """Judge a command, which may also be a list of words."""
    from whet.guard.calls.commands import judge_shell  # the grammar takes a while to load

    if isinstance(command, list | tuple) and command and all(type(word) is str for word in command):
        command = shlex.join(command)
    if type(command) is not str:
        return Refuse("its command is not a text", "command_missing")
    return judge_shell(command, policy, resolve)


def _patch_answers(call: ToolCall, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Judge the files of a patch. A patch in which no file is found is refused."""
    from whet.guard.calls.patches import patched_paths
    from whet.guard.calls.path_rules import judge_write

    paths = [path for _, text in strings_in(call.arguments) for path in patched_paths(text)]
    if not paths:
        yield Refuse(f"{call.tool} has no patch that names a file", "path_missing")
    yield from (judge_write(place, policy) for path in paths for place in resolve(path))


def _unknown_answers(call: ToolCall, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Judge the commands of a tool that is not known, and refuse it any file of whet, whatever the argument's name is."""
    for command in commands_in(call.arguments):
        if isinstance(command, str | list) and command:
            yield _command(command, policy, resolve)
    from whet.guard.calls.path_rules import judge_read

    for _, text in strings_in(call.arguments):
        if ("/" in text or text.startswith(".")) and _may_be_path(text):
            yield from (judge_read(place) for place in resolve(text))


def _file_answers(call: ToolCall, kind: ToolKind, policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    from whet.guard.calls.path_rules import covers_state, judge_read, judge_write

    if sum(1 for _ in strings_in(call.arguments)) > MOST_STRINGS:
        raise ValueError(f"it has more than {MOST_STRINGS} texts")
    paths = [path for path in paths_in(call.arguments) if path and (kind is ToolKind.WRITE or _may_be_path(path))]
    if kind is ToolKind.WRITE and not paths and not _is_a_patch(call):
        yield Refuse(f"{call.tool} writes a file, and none of its arguments names one", "path_missing")
    if any(covers_state(path) for path in paths):
        yield Refuse(f"{call.tool} is given a pattern for whet's record", "path_protected")
    for place in (place for path in paths for place in resolve(path)):
        answer = judge_read(place) if kind in (ToolKind.READ, ToolKind.SHELL) else judge_write(place, policy)
        # An argument of a tool that is not known may be no path at all.
        if not (kind is ToolKind.OTHER and isinstance(answer, Refuse) and answer.code == "path_unsafe"):
            yield answer
    if kind is ToolKind.WRITE and _is_a_patch(call):
        yield from _patch_answers(call, policy, resolve)


def _is_a_patch(call: ToolCall) -> bool:
    from whet.guard.calls.patches import is_patch

    return any(is_patch(text) for name, text in strings_in(call.arguments) if name in ("", "patch", "input", "command"))


def _may_be_path(text: str) -> bool:
    """True unless a text is too long for a path, has several lines or is an address of the web."""
    scheme, is_address, _ = text.partition("://")
    return len(text) <= _LONGEST_PATH and "\n" not in text and (not is_address or scheme.lower() == "file")
