"""A shell command that is put together while the program runs: whoever gives a part of it gives the command."""

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
    for call, name in passage.calls():
        is_shell = name in _ALWAYS_A_SHELL or any(
            keyword.arg == "shell" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
            for keyword in call.keywords
        )
        if not is_shell or not passage.is_new(call):
            continue
        given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg in ("args", "cmd"))]
        if any(isinstance(one, ast.JoinedStr | ast.BinOp | ast.Call) for one in given):
            yield Remark(call.lineno, "block", CODE, f"puts a shell command together ({name or 'shell=True'})")
        elif any(not isinstance(one, ast.Constant) for one in given):
            yield Remark(
                call.lineno, "raise", CODE, f"runs a shell command that is not written down ({name or 'shell=True'})"
            )
