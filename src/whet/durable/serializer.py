"""The JSON format of the durable engine's rows.

DBOS uses pickle by default, and a pickle runs code of its writer in the process that reads it.
"""

import json
from typing import Any

from dbos import Serializer

from whet import errors
from whet.domain.redact import redact
from whet.durable import no_pickle as no_pickle  # rows in DBOS's own format are refused from here on

NAME = "whet_json"


class Json(Serializer):
    """A serializer for strings and for whet's errors (by class name). Workflows and steps carry nothing else."""

    def name(self) -> str:
        return NAME

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=_error_to_plain)

    def deserialize(self, serialized_data: str) -> Any:
        """Return the value; raise StateUnusable if the text is not JSON or nested too deeply."""
        try:
            return json.loads(serialized_data, object_hook=_error_from_plain)
        except (ValueError, TypeError, RecursionError) as problem:
            raise errors.StateUnusable(f"the durable engine has a row that is not whet's JSON: {problem}") from problem


def _error_to_plain(value: object) -> dict[str, str]:
    if isinstance(value, errors.WhetError):
        return {"error": type(value).__name__, "message": redact(value.message), "remedy": redact(value.remedy)}
    if isinstance(value, BaseException):
        return {"error": "Internal", "message": redact(f"{type(value).__name__}: {value}"), "remedy": ""}
    raise TypeError(f"the durable engine carries strings, not {type(value).__name__}")


def _error_from_plain(data: dict[str, Any]) -> Any:
    """Return the error that `data` describes; other objects unchanged. Only subclasses of WhetError are created."""
    if set(data) != {"error", "message", "remedy"} or not all(isinstance(value, str) for value in data.values()):
        return data
    kind = vars(errors).get(data["error"])
    if not (isinstance(kind, type) and issubclass(kind, errors.WhetError)):
        kind = errors.Internal
    return kind(data["message"], data["remedy"])
