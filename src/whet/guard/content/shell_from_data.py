"""Shell commands assembled at run time: a person who controls a part of the text controls the command."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "shell_from_data"
_ALWAYS_A_SHELL = frozenset({
    "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell",
    "commands.getoutput",
})  # fmt: skip


def shell_from_data(passage: Passage) -> Iterator[Remark]:
    """Block commands that are assembled in the call; raise the tier for commands that are passed in by name."""
    for call, name in passage.calls():
        if not (name in _ALWAYS_A_SHELL or _asks_for_a_shell(call)) or not passage.is_new(call):
            continue
        shell = name or "shell=True"
        commands = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg in ("args", "cmd"))]
        if any(isinstance(command, ast.JoinedStr | ast.BinOp | ast.Call) for command in commands):
            yield Remark(call.lineno, "block", CODE, f"assembles a shell command: `{shell}`")
        elif any(not isinstance(command, ast.Constant) for command in commands):
            yield Remark(call.lineno, "raise", CODE, f"runs a shell command that is not a literal: `{shell}`")


def _asks_for_a_shell(call: ast.Call) -> bool:
    """True if the call has `shell=` with anything but a false constant."""
    for keyword in call.keywords:
        is_off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
        if keyword.arg == "shell" and not is_off:
            return True
    return False
