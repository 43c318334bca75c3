"""`Case`: an example call that a tool must answer as declared, and how cases are read from dicts."""

from whet.errors import UsageError

_NOTHING: object = object()
_KEYS = ("input", "expected_output", "expected", "should_raise", "error", "description")


class Case:
    """An example call: `Case({"a": 1, "b": 2}, 3)` or `Case((1, 0), error=ZeroDivisionError, description="by zero")`.

    A dict as input is keyword arguments, a tuple positional arguments, anything else the only argument. Exactly one of
    `expected` and `error` is given. An error is an exception class or its name; a subclass of it is accepted too.
    """

    __slots__ = ("description", "error", "expected", "input")

    def __init__(
        self,
        input: object,
        expected: object = _NOTHING,
        *,
        error: type[BaseException] | str | None = None,
        description: str = "",
    ) -> None:
        if (expected is _NOTHING) == (error is None):
            raise UsageError("a case expects either an output or an error", "give one of `expected` and `error`")
        self.input = input
        self.expected = None if expected is _NOTHING else expected
        self.error = error if error is None or isinstance(error, str) else error.__name__
        self.description = description

    def arguments(self) -> tuple[tuple[object, ...], dict[str, object]]:
        """Return the positional and the keyword arguments of the call."""
        if isinstance(self.input, dict):
            return (), self.input
        return (self.input if isinstance(self.input, tuple) else (self.input,)), {}

    def __repr__(self) -> str:
        expectation = f"error={self.error!r}" if self.error is not None else repr(self.expected)
        return f"Case({self.input!r}, {expectation}, description={self.description!r})"


def read_cases(declared: object, where: str) -> list[Case]:
    """Return cases from a list of dicts (or of `Case` objects); raise UsageError naming the malformed one.

    A dict has the keys `input`, one of `expected_output` (or `expected`) and `should_raise` (or `error`), and optionally
    `description`. `where` names the list in messages.
    """
    if not isinstance(declared, list | tuple):
        raise UsageError(f"{where} must return a list of cases, not {declared!r}")
    return [_read_case(case, f"case {number} of {where}") for number, case in enumerate(declared, start=1)]


def _read_case(declared: object, where: str) -> Case:
    if isinstance(declared, Case):
        return declared
    if not isinstance(declared, dict):
        raise UsageError(f"{where} must be a dict, not {declared!r}", f"keys of a case: {', '.join(_KEYS)}")
    unknown = [key for key in declared if key not in _KEYS]
    if unknown:
        raise UsageError(f"{where} has an unknown key {unknown[0]!r}", f"keys of a case: {', '.join(_KEYS)}")
    if "input" not in declared:
        raise UsageError(f"{where} has no input", "give the arguments of the call as `input`")
    expected = _only_value(declared, ("expected_output", "expected"), where)
    error = _read_error(_only_value(declared, ("should_raise", "error"), where), where)
    if error is not None and expected is None:
        expected = _NOTHING  # a dict may spell out `"expected_output": None` beside the error
    if (expected is _NOTHING) == (error is None):
        raise UsageError(
            f"{where} must expect either an output or an error", "give one of `expected_output` and `should_raise`"
        )
    description = declared.get("description", "")
    if not isinstance(description, str):
        raise UsageError(f"{where}: description must be text, not {description!r}")
    return Case(declared["input"], expected, error=error, description=description)


def _only_value(declared: dict[object, object], keys: tuple[str, str], where: str) -> object:
    """Return the value under either of two keys of the same meaning, `_NOTHING` if neither is there."""
    if all(key in declared for key in keys):
        raise UsageError(f"{where} has both {keys[0]} and {keys[1]}", "give one of them")
    return next((declared[key] for key in keys if key in declared), _NOTHING)


def _read_error(value: object, where: str) -> type[BaseException] | str | None:
    if value is _NOTHING or value is None:
        return None
    if isinstance(value, type) and issubclass(value, BaseException):
        return value
    if isinstance(value, str) and value.isidentifier():
        return value
    raise UsageError(f"{where}: should_raise must be an exception class or its name, not {value!r}")
