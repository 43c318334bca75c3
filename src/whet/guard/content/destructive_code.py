"""Code and commands that delete the root, the home folder or a disk."""

import ast
import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "destroys"
_DELETES = frozenset({"shutil.rmtree", "os.removedirs", "os.rmdir", "os.remove", "os.unlink"})
_ROOTS = re.compile(
    r"['\"](/|~|/home|/etc|/usr|/var|/root|[A-Za-z]:\\\\?|\$HOME)/?['\"]|expanduser\(['\"]~/?['\"]\)|Path\.home\(\)\)?$"
)
_COMMANDS = re.compile(
    r"\brm\s+(-\w+\s+)*-\w*[rR]\w*\s+(-\w+\s+)*(--no-preserve-root\s+)?[\"']?(/|~|\$HOME)(\s|/?\*|[\"']|$)|\bmkfs(\.\w+)?\s|\bdd\s+[^|;]*of=/dev/"
    r"|:\(\)\s*\{\s*:\|:|>\s*/dev/sd[a-z]|\bformat\s+c:", re.IGNORECASE,
)  # fmt: skip


def destructive_code(passage: Passage) -> Iterator[Remark]:
    """Block calls that delete such a folder and, outside of tests, lines that contain such a command."""
    for call, name in passage.calls():
        if name in _DELETES and call.args and _ROOTS.search(ast.unparse(call.args[0])) and passage.is_new(call):
            yield Remark(call.lineno, "block", CODE, f"deletes files that are not its own: `{ast.unparse(call)[:60]}`")
    for number, line in passage.added_text:
        command = destructive_command(line)
        if command and not passage.is_test:
            yield Remark(number, "block", CODE, f"deletes files that are not its own: `{command[:60]}`")


def destructive_command(text: str) -> str:
    """Return the first command in `text` that would destroy a machine; empty if there is none."""
    match = _COMMANDS.search(text)
    return match[0].strip() if match else ""
