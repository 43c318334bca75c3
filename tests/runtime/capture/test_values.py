"""Capturing, encoding, decoding and redacting inputs and outputs."""

import enum
import math
import time
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import pydantic
import pytest

from tests.domain.secret_samples import SAMPLES
from whet import runtime, tool
from whet.domain.captured import CapturedCall
from whet.errors import UsageError
from whet.runtime.capture import decode
from whet.runtime.capture.encode import LONGEST, Encoder
from whet.runtime.capture.redact import is_secret_name, redacted
from whet.runtime.capture.values import capture
from whet.runtime.registry import declared_tool
from whet.store.executions import Executions

Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


@dataclass
class Order:
    number: int
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slotted:
    number: int


class Model(pydantic.BaseModel):
    name: str
    tags: list[str] = []


class Unknown:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __reduce__(self) -> str:
        raise RuntimeError("no pickle")


def encoded(*args: Any, **kwargs: Any) -> tuple[str, bool]:
    encoder = Encoder()
    positional, named, weight, _ = capture(args, kwargs)
    return encoder.inputs(positional, named, frozenset(), plain=weight == 0), encoder.faithful


FAITHFUL = [
    None, True, 0, -5, 2**62, 10**5000, 1.5, -0.0, 1e308, "", "text", "\ud800 lone", "Straße\n\x00", b"\x00\xff", bytearray(b"ab"),
    2 + 3j, [], [1, [2]], (), (1, (2,)), {"a": {"b": 1}}, {1: 2, (1, 2): "x"}, {"$tuple": [1]}, {"$a": 1, "b": 2},
    {1, 2}, frozenset({"a"}), date(2024, 2, 29), datetime(2024, 1, 1, 12, tzinfo=UTC),
    datetime(2024, 1, 1, 12, tzinfo=timezone(timedelta(hours=2))), timedelta(days=-1, microseconds=3), Decimal("1.10"),
    Fraction(1, 3), UUID(int=5), Path("a/b"), Point(1, [2]), Colour.RED, Order(1, ["a"]), Slotted(3), Model(name="n", tags=["t"]),
    int, Order, [Order(1), {"colour": Colour.RED}],
]  # fmt: skip


@pytest.mark.parametrize("value", FAITHFUL, ids=lambda value: type(value).__name__)
def test_a_replayable_value_is_decoded_to_an_equal_value(value: Any) -> None:
    text, faithful = encoded(value, named=value)
    assert faithful
    (back,), named = decode.inputs(text)
    assert back == value
    assert type(back) is type(value)
    assert named == {"named": value}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_infinite_and_nan_floats_are_decoded_again(value: float) -> None:
    text, faithful = encoded(value)
    (back,), _ = decode.inputs(text)
    assert faithful
    assert str(back) == str(value)


def cyclic() -> list[Any]:
    circle: list[Any] = []
    circle.append(circle)
    return circle


def deep() -> list[Any]:
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    return nest


class Zone(timezone.__base__):  # type: ignore[name-defined,misc] # datetime.tzinfo
    def utcoffset(self, _: object) -> timedelta:
        raise RuntimeError("called by the capturer")


UNFAITHFUL: list[tuple[Callable[[], Any], str]] = [
    (Unknown, "opaque"),
    (lambda: [Unknown()], "opaque"),
    (lambda: open, "opaque"),
    (lambda: iter([1]), "opaque"),
    (cyclic, "cycle"),
    (deep, "cut"),
    (lambda: "x" * 10_000_000, "cut"),
    (lambda: b"x" * 10_000_000, "cut"),
    (lambda: list(range(1_000_000)), "cut"),
    (lambda: 1 << 1_000_000, "cut"),
    (lambda: ["y" * 1000] * 40, "cut"),
    (lambda: {"password": "hunter2"}, "redacted"),
    (lambda: datetime(2024, 1, 1, tzinfo=Zone()), "opaque"),
]


@pytest.mark.parametrize(("make", "tag"), UNFAITHFUL)
def test_a_value_that_cannot_be_restored_is_tagged_and_small(make: Callable[[], Any], tag: str) -> None:
    value = make()
    began = time.thread_time()
    text, faithful = encoded(value)
    assert time.thread_time() - began < 2
    assert not faithful
    assert f'"${tag}"' in text
    assert len(text) <= LONGEST + 500
    with pytest.raises(UsageError, match="cannot be restored"):
        decode.inputs(text if text.startswith("[[") else f"[[{text}],{{}}]")


@tool(name="values.grow")
def grow(items: list[int]) -> list[int]:
    items.append(len(items))
    return items


def only(executions: Executions, name: str) -> CapturedCall:
    assert runtime.flush()
    (call,) = executions.calls(name)
    return call


def test_inputs_are_captured_as_they_were_before_the_tool_changed_them(executions: Executions) -> None:
    output = grow([7])
    output.append(99)
    call = only(executions, "values.grow")
    assert (call.inputs, call.output, call.replayable) == ("[[[7]],{}]", "[7,1]", True)


def test_a_failure_captured_after_the_call_is_not_replayable(executions: Executions) -> None:
    @tool(name="values.pop")
    def pop(items: list[int]) -> int:
        return items.pop()

    @tool(name="values.divide")
    def divide(a: int, b: int) -> float:
        return a / b

    assert (pop([5]), divide(4, 2)) == (5, 2)
    declared_tool(pop).implementation.due = declared_tool(divide).implementation.due = 1 << 40
    with pytest.raises(IndexError):
        pop([])
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)
    assert runtime.flush()
    (popped,) = executions.calls("values.pop", failed=True)
    (divided,) = executions.calls("values.divide", failed=True)
    assert (popped.replayable, divided.replayable) == (False, True)
    assert divided.duration_ns is None


SECRET_NAMES = [
    "password",
    "userPassword",
    "API_KEY",
    "apiKey",
    "X-Auth-Token",
    "db_passwd",
    "AWS_SECRET",
    "pin",
    "session_id",
    "dbpassword",
    "accesstoken",
    "smtp_pass",
    "pw",
]
HARMLESS_NAMES = [
    "max_tokens",
    "author",
    "key",
    "passenger",
    "spinner",
    "secretary",
    "authority",
    "name",
    "a",
    "first_pass",
]


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_values_under_a_secret_name_are_redacted(name: str) -> None:
    assert is_secret_name(name)
    for value in ({name: "geheim"}, {"deep": [{name: {"x": "geheim"}}]}):
        text, faithful = encoded(value)
        assert "geheim" not in text
        assert not faithful
    assert "geheim" not in encoded(**{name: "geheim"})[0]


@pytest.mark.parametrize("name", HARMLESS_NAMES)
def test_values_under_a_name_that_only_resembles_a_secret_are_captured(name: str) -> None:
    assert not is_secret_name(name)
    assert encoded(**{name: "value"}) == (f'[[],{{"{name}":"value"}}]', True)


SECRETS = [
    "AKIA" + "ABCDEFGHIJKLMNOP",
    "ghp_" + "a1" * 18,
    "xoxb-" + "1234567890-abcdef",
    "sk-" + "abcdefghijklmnop1234",
    "eyJhbGciOiJI" + ".eyJzdWIiOiIx." + "c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    "Bearer " + "abcdefghijklmnop",
    "hunter2:swordfish",
    "4111 1111 1111 1111",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_text_that_looks_like_a_secret_is_redacted_anywhere_in_a_value(secret: str) -> None:
    text = f"see https://{secret}@host/" if secret.startswith("hunter2") else f"it is {secret} there"
    for value in (text, [text], {"note": text}, {text: 1}, (text, Order(1, [text]))):
        written, faithful = encoded(value)
        assert secret not in written
        assert not faithful
    assert secret not in redacted(text)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "private key, beginning missing"])
def test_every_known_form_is_redacted_in_inputs_outputs_and_messages(name: str, tmp_path: Path) -> None:
    text, secret = SAMPLES[name]
    runtime.configure(state=tmp_path / "state")

    @tool(name="values.secrets")
    def repeat(note: str, box: dict[str, list[str]], *, fail: bool) -> list[str]:
        if fail:
            raise ValueError(f"{note} is wrong")
        return [note, *box["notes"]]

    repeat(text, {"notes": [text]}, fail=False)
    with pytest.raises(ValueError, match="is wrong"):
        repeat(f"it is {text}", {"notes": []}, fail=True)
    assert runtime.flush()
    runtime.configure()
    written = b"".join(path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file())
    assert b"values.secrets" in written
    spellings = {secret, repr(secret)[1:-1], secret.replace("\\", "\\\\"), secret.encode("unicode_escape").decode()}
    assert not [spelling for spelling in spellings if spelling.encode() in written]


HARMLESS = [
    "1700000000000000",
    "order 1234567890123",
    "https://host/path?x=1",
    "the task-list of the api",
    "sk-short",
    "basically fine",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_is_not_redacted(text: str) -> None:
    assert redacted(text) == text
    assert encoded(text)[1]


def test_a_positional_secret_is_recognised_by_its_parameter_name(executions: Executions) -> None:
    @tool(name="values.log_in")
    def log_in(user: str, password: str) -> str:
        raise ValueError(f"api_key={password}xyz is wrong")

    with pytest.raises(ValueError, match="wrong"):
        log_in("ada", "geheim")
    call = only(executions, "values.log_in")
    assert call.inputs == '[["ada",{"$redacted":true}],{}]'
    assert call.message == "api_key=[redacted: secret] is wrong"


def test_further_names_can_be_redacted(tmp_path: Path) -> None:
    runtime.configure(state=tmp_path / "state", redact=["Patient"])
    try:

        @tool(name="values.admit")
        def admit(patient: str) -> str:
            return patient

        admit("Ada")
        call = only(Executions(tmp_path / "state"), "values.admit")
    finally:
        runtime.configure()
    assert call.inputs == '[[{"$redacted":true}],{}]'


def test_no_repr_or_pickle_of_an_object_runs(executions: Executions) -> None:
    @tool(name="values.echo")
    def echo(value: object) -> object:
        return value

    unknown = Unknown()
    assert echo(unknown) is unknown
    call = only(executions, "values.echo")
    assert (call.replayable, call.inputs) == (False, f'[[{{"$opaque":"{__name__}:Unknown"}}],{{}}]')


def test_a_property_that_calls_a_tool_does_not_recurse_for_ever(executions: Executions) -> None:
    @dataclass
    class Computed:
        number: int

        def __getattribute__(self, name: str) -> Any:
            return measure(self) if name == "number" else object.__getattribute__(self, name)

    @tool(name="values.measure")
    def measure(what: Any) -> int:
        return 3

    assert measure(Computed(1)) == 3
    assert runtime.flush()
    assert executions.opportunity_rows()[0].calls == 2


def test_a_property_that_raises_does_not_break_the_call(executions: Executions) -> None:
    @dataclass
    class Broken:
        number: int

        def __getattribute__(self, name: str) -> Any:
            raise LookupError(name)

    @tool(name="values.broken")
    def take(value: object) -> int:
        return 1

    assert take(Broken(1)) == 1
    assert not only(executions, "values.broken").replayable


def test_an_error_whose_str_raises_is_captured(executions: Executions) -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    @tool(name="values.odd")
    def odd() -> None:
        raise Odd

    with pytest.raises(Odd):
        odd()
    assert only(executions, "values.odd").message == "(its __str__ raised RuntimeError)"
