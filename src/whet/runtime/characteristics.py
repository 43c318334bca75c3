"""`Characteristics`: what the author of a tool declares about it, and how they are read from a mapping."""

from __future__ import annotations

from whet.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from whet.runtime.case import Case

_FLAGS = ("idempotent", "safe_for_shadow")
_KEY = "key"
_NAME_LISTS = ("mocks", "requires", "ignore")
_ALIASES = {"safe_for_shadow_testing": "safe_for_shadow", "requires_mocking": "requires"}
"""Other names that a mapping may use. `requires_mocking` lists services such as `database`, not the dotted names that
`mocks` needs, so that replaying the tool's calls does not become safe by it."""

_KEYS = ("idempotent", "side_effects", "safe_for_shadow", "mocks", "requires", "ignore", "tolerance", _KEY, *_ALIASES)


class Characteristics:
    """The author's declarations about a tool. They alone decide whether it may be replayed, shadowed or retried."""

    __slots__ = (
        "cases", "idempotent", "ignore", "key", "mocks", "requires", "safe_for_shadow", "side_effects", "tolerance",
    )  # fmt: skip

    def __init__(
        self,
        *,
        idempotent: bool = False,
        side_effects: bool = True,
        safe_for_shadow: bool | None = None,
        mocks: Sequence[str] = (),
        requires: Sequence[str] = (),
        cases: Sequence[Case] = (),
        ignore: Sequence[str] = (),
        tolerance: float = 0.0,
        key: str = "",
    ) -> None:
        self.idempotent = idempotent
        self.side_effects = side_effects
        self.safe_for_shadow = (not side_effects) if safe_for_shadow is None else safe_for_shadow
        """Undeclared, this is True exactly for tools without side effects."""
        self.mocks = tuple(mocks)
        """Dotted names of the functions with effects outside the tool. With mocks in their place its calls may be
        replayed."""
        self.requires = tuple(requires)
        self.cases = tuple(cases)
        self.ignore = tuple(ignore)
        self.tolerance = tolerance
        self.key = key
        """The parameter by whose value calls are divided in a trial; `*` means all of them, empty each call by itself."""


def read_characteristics(declared: object, where: str) -> dict[str, object]:
    """Return a mapping's characteristics as keyword arguments of `Characteristics`; raise UsageError if malformed.

    `where` names the mapping in messages. `side_effects` may be a list of effects instead of a bool. The key
    `test_data_available` is left out: see `check_test_data`.
    """
    mapping = _as_mapping(declared, where)
    fields: dict[str, object] = {}
    for key, value in mapping.items():
        if key == "test_data_available":
            continue
        if key not in _KEYS:
            keys = ", ".join((*_KEYS, "test_data_available"))
            raise UsageError(f"{where} returns an unknown characteristic {key!r}", f"known characteristics: {keys}")
        name = _ALIASES.get(key, key)
        field = _read_field(name, key, value, where)
        if fields.setdefault(name, field) != field:
            raise UsageError(f"{where} declares {name} twice, with different values", f"return {name} once")
    return fields


def check_test_data(declared: object, cases: Sequence[Case], where: str) -> None:
    """Raise UsageError if `test_data_available` is malformed or contradicts the declared cases."""
    available = _as_mapping(declared, where).get("test_data_available")
    if available is None:
        return
    if not isinstance(available, bool):
        raise UsageError(f"{where}: test_data_available must be True or False, not {available!r}")
    if available != bool(cases):
        noun = "case" if len(cases) == 1 else "cases"
        raise UsageError(
            f"{where}: test_data_available is {available}, but the tool declares {len(cases)} {noun}",
            "return the cases from get_test_cases(), or leave test_data_available out",
        )


def _as_mapping(declared: object, where: str) -> Mapping[str, object]:
    if not isinstance(declared, dict) or not all(isinstance(key, str) for key in declared):
        raise UsageError(f"{where} must return a dict of characteristics by name, not {declared!r}")
    return declared


def _read_field(name: str, key: str, value: object, where: str) -> object:
    """Return the value of one characteristic after checking its type."""
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise UsageError(f"{where}: {key} must be True or False, not {value!r}")
        return value
    if name == "side_effects":
        if isinstance(value, bool):
            return value
        return bool(_read_names(key, value, where, expected="True, False or a list of effects"))
    if name == _KEY:
        if not isinstance(value, str):
            raise UsageError(f"{where}: key must be the name of a parameter, not {value!r}")
        return value
    if name in _NAME_LISTS:
        return _read_names(key, value, where, expected="a list of names")
    if not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0:
        raise UsageError(f"{where}: {key} must be a number that is not negative, not {value!r}")
    return float(value)


def _read_names(key: str, value: object, where: str, *, expected: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) and name for name in value):
        raise UsageError(f"{where}: {key} must be {expected}, not {value!r}")
    return tuple(value)
