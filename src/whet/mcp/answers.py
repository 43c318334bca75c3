"""Turn nouns and errors into what an MCP client gets."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from whet.domain.canonical import to_plain
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.domain.sanitize import sanitize
from whet.errors import WhetError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def plain(data: Any) -> Any:
    """Return a noun as JSON data, with secrets redacted and invisible characters written as escapes.

    Test names, messages and diffs come from the repository and may address the model that reads them; hidden characters
    must not help them.
    """
    return _visible(to_plain(redact_noun(data)))


def _visible(data: Any) -> Any:
    if isinstance(data, str):
        return sanitize(data)
    if isinstance(data, dict):
        return {sanitize(str(key)): _visible(value) for key, value in data.items()}
    return [_visible(item) for item in data] if isinstance(data, list) else data


def tool_errors(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a tool raise whet's errors as tool errors: code, message and remedy in one text."""
    return _raising(function, ToolError)


def resource_errors(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a resource raise whet's errors as resource errors."""
    return _raising(function, ResourceError)


def _raising(function: Callable[Parameters, Result], error: type[Exception]) -> Callable[Parameters, Result]:
    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except WhetError as problem:
            remedy = f" ({problem.remedy})" if problem.remedy else ""
            raise error(sanitize(redact(f"{problem.code}: {problem.message}{remedy}"))) from problem

    return call
