"""`BaseTool`: a tool as a class, for those who prefer one."""

from __future__ import annotations

from whet.runtime.source import class_name
from whet.runtime.tool import Characteristics, checked_name, declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from whet.runtime.case import Case


class BaseTool:
    """Subclasses define `run` or `__call__`; its calls are recorded. The characteristics are class attributes. Every class
    that has one of the two is a tool of its own, also where it inherits it."""

    name: ClassVar[str | None] = None
    idempotent: ClassVar[bool] = False
    side_effects: ClassVar[bool] = True
    safe_for_shadow: ClassVar[bool | None] = None
    mocks: ClassVar[Sequence[str]] = ()
    requires: ClassVar[Sequence[str]] = ()
    cases: ClassVar[Sequence[Case]] = ()
    ignore: ClassVar[Sequence[str]] = ()
    tolerance: ClassVar[float] = 0.0

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        method = "__call__" if cls.__call__ is not BaseTool.__call__ else "run"
        function = getattr(cls, method, None)
        if function is None or getattr(function, "__isabstractmethod__", False):
            return
        inherited = method not in vars(cls)
        declared = declare(
            getattr(function, "__wrapped__", function) if inherited else function,
            checked_name(vars(cls).get("name")) or class_name(cls),
            Characteristics(
                idempotent=cls.idempotent,
                side_effects=cls.side_effects,
                safe_for_shadow=cls.safe_for_shadow,
                mocks=cls.mocks,
                requires=cls.requires,
                cases=cls.cases,
                ignore=cls.ignore,
                tolerance=cls.tolerance,
            ),
        )
        setattr(cls, method, declared)
        cls.__whet_tool__ = declared.__whet_tool__  # type: ignore[attr-defined] # the way back from what callers hold

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs)  # type: ignore[attr-defined] # a subclass has it, or this is its mistake to see
