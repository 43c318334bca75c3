"""`BaseTool`: a tool written as a class."""

from __future__ import annotations

from whet.errors import UsageError
from whet.runtime.characteristics import Characteristics, check_test_data, read_characteristics
from whet.runtime.source import class_name
from whet.runtime.tool import check_name, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from whet.runtime.case import Case


class BaseTool:
    """Base class of tools. A subclass defines `run` or `__call__`, whose calls are captured.

    The characteristics are class attributes. A subclass may also define `get_tool_characteristics()`, which returns some
    of them as a dict, and `get_test_cases()`, which returns further cases as dicts. Both are called once, when the class
    is defined and without running `__init__`, so they must not use instance attributes.

    Every subclass that has `run` or `__call__` is a tool of its own, even where it inherits the method.
    """

    name: ClassVar[str | None] = None
    idempotent: ClassVar[bool] = False
    side_effects: ClassVar[bool] = True
    safe_for_shadow: ClassVar[bool | None] = None
    mocks: ClassVar[Sequence[str]] = ()
    requires: ClassVar[Sequence[str]] = ()
    cases: ClassVar[Sequence[Case]] = ()
    ignore: ClassVar[Sequence[str]] = ()
    tolerance: ClassVar[float] = 0.0
    key: ClassVar[str] = ""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        method = "__call__" if cls.__call__ is not BaseTool.__call__ else "run"
        function = getattr(cls, method, None)
        if function is None or getattr(function, "__isabstractmethod__", False):
            return
        inherited = method not in vars(cls)
        declared = declare(
            getattr(function, "__wrapped__", function) if inherited else function,
            check_name(vars(cls).get("name")) or class_name(cls),
            _characteristics_of(cls),
        )
        setattr(cls, method, declared)
        cls.__whet_tool__ = declared.__whet_tool__  # type: ignore[attr-defined] # lets `declared_tool` find the tool

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)  # type: ignore[attr-defined] # without `run` the caller gets AttributeError


_ATTRIBUTES = ("idempotent", "side_effects", "safe_for_shadow", "mocks", "requires", "ignore", "tolerance", "key")


def _characteristics_of(cls: type[BaseTool]) -> Characteristics:
    """Return the characteristics of a class: its attributes, `get_tool_characteristics()` and `get_test_cases()`."""
    fields: dict[str, Any] = {name: getattr(cls, name) for name in _ATTRIBUTES}
    cases = [*cls.cases, *_test_cases_of(cls)]
    if hasattr(cls, "get_tool_characteristics"):
        where = f"{cls.__name__}.get_tool_characteristics()"
        declared = _call(cls, "get_tool_characteristics")
        for name, value in read_characteristics(declared, where).items():
            attribute = fields[name]
            if attribute not in (getattr(BaseTool, name), value):
                raise UsageError(
                    f"{cls.__name__}.{name} is {attribute!r} as a class attribute and {value!r} in {where}",
                    "declare it in one place",
                )
            fields[name] = value
        check_test_data(declared, cases, where)
    return Characteristics(cases=cases, **fields)


def _test_cases_of(cls: type[BaseTool]) -> list[Case]:
    if not hasattr(cls, "get_test_cases"):
        return []
    from whet.runtime.case import read_cases

    return read_cases(_call(cls, "get_test_cases"), f"{cls.__name__}.get_test_cases()")


def _call(cls: type[BaseTool], name: str) -> object:
    """Call the method `name` on an instance whose `__init__` did not run, and return its result.

    The class is still being defined: `__init__` could have any effect here, and may need arguments.
    """
    try:
        return getattr(object.__new__(cls), name)()
    except Exception as error:
        raise UsageError(
            f"{cls.__name__}.{name}() could not be called: {error!r}",
            "whet calls it when the class is defined, without running __init__; let it return constants",
        ) from error
