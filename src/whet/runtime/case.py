"""An example that a tool must hold: what goes in, and what must come out of it."""

from whet.errors import UsageError

_NOTHING: object = object()


class Case:
    """`Case({"a": 1, "b": 2}, 3)` or `Case((1, 0), error=ZeroDivisionError, description="nothing divides by zero")`.

    A mapping as input is keyword arguments, a tuple positional ones, anything else the only argument. Exactly one of
    `expected` and `error` is given; an error is a class or its name, and a subclass of it will do.
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
        if isinstance(self.input, dict):
            return (), self.input
        return (self.input if isinstance(self.input, tuple) else (self.input,)), {}

    def __repr__(self) -> str:
        wanted = f"error={self.error!r}" if self.error is not None else repr(self.expected)
        return f"Case({self.input!r}, {wanted}, description={self.description!r})"
