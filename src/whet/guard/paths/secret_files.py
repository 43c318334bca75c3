"""Files for secrets, recognised by their names. No policy can open them.

`credentials.py` and `secrets.py` are code: they are left to the protected defaults, which a policy may open.
"""

from typing import TYPE_CHECKING

from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.paths.patterns import patterns
from whet.path_lists import NEVER_OPENED, lines

if TYPE_CHECKING:
    from whet.config import Config


def secret_file(path: str, _: "Config") -> GuardAnswer:
    pattern = patterns(lines(NEVER_OPENED)).catches(path)
    if pattern is not None:
        return Refuse(f"{path} is a file for secrets ({pattern!r})", "secret_file", pattern=pattern)
    return Allow()
