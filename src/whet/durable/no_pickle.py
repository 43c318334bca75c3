"""The removal of pickle from DBOS, for the whole process.

DBOS reads each row in the format that the row names, and one of its formats is pickle, whatever serializer the
application gives it. A pickle runs code of its writer in the process that reads it. So anyone who can write a row could run
code in whet. Importing this module replaces DBOS's pickle reader and writer by a refusal.
"""

import base64
import contextlib
from collections.abc import Callable
from typing import Any, NoReturn

from dbos import Serializer
from dbos import _serialization as formats

from whet.errors import StateUnusable

_HARMLESS = base64.b64encode(b"N.").decode()  # the pickle of None


def _refuse(*_: Any) -> NoReturn:
    raise StateUnusable(
        "the durable engine has a row in the format pickle, which whet does not read",
        "find out who wrote it; `whet resume` names the row and says how to go on",
    )


def remove_pickle() -> None:
    """Replace DBOS's use of pickle by a refusal; raise StateUnusable if this version of DBOS still reads a pickle."""
    formats.pickle = None  # type: ignore[assignment, attr-defined]
    formats.DefaultSerializer.serialize = _refuse  # type: ignore[assignment]
    formats.DefaultSerializer.deserialize = _refuse  # type: ignore[assignment]
    for read in (formats.deserialize_value, formats.deserialize_args, formats.deserialize_exception):
        if _reads_pickle(read):
            raise StateUnusable(
                f"this version of DBOS reads pickles in a way that whet does not know ({read.__name__})",
                "install the version of DBOS that whet was tested with, see requirements/dev.txt",
            )


def _reads_pickle(read: Callable[[str, str, Serializer], Any]) -> bool:
    with contextlib.suppress(StateUnusable):
        read(_HARMLESS, "py_pickle", formats.DBOSPortableJSON)
        return True
    return False


remove_pickle()
