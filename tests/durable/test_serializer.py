"""The durable engine stores JSON: reading it never runs code."""

import base64
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import dbos
import pytest
from dbos._serialization import deserialize_args, deserialize_exception, deserialize_value, serialize_value_as

from tests.domain.secret_samples import SAMPLES
from whet import errors
from whet.durable.serializer import Json


@pytest.mark.parametrize("value", ["", "p-1/propose/build", {"args": ["c-1"], "kwargs": {}}, None, "ünïcode \udce9"])
def test_strings_survive_serialization(value: object) -> None:
    assert Json().deserialize(Json().serialize(value)) == value


def test_an_error_of_whet_survives_serialization() -> None:
    back = Json().deserialize(Json().serialize(errors.BaseMoved("it moved", "prove again")))
    assert isinstance(back, errors.BaseMoved)
    assert (back.message, back.remedy, back.code) == ("it moved", "prove again", "base_moved")


def test_a_foreign_error_becomes_an_internal_error() -> None:
    back = Json().deserialize(Json().serialize(ZeroDivisionError("by zero")))
    assert isinstance(back, errors.Internal)
    assert "ZeroDivisionError: by zero" in back.message


@pytest.mark.parametrize("name", ["ClassVar", "os", "__builtins__", "nothing"])
def test_only_errors_of_whet_are_created_by_name(name: str) -> None:
    back = Json().deserialize(f'{{"error": "{name}", "message": "m", "remedy": ""}}')
    assert type(back) is errors.Internal


def test_other_objects_are_refused() -> None:
    with pytest.raises(TypeError):
        Json().serialize(Path("x"))


@pytest.mark.parametrize(
    "text",
    [
        '{"error": ["x"], "message": "m", "remedy": ""}',
        '{"error": "Refused", "message": {"a": 1}, "remedy": ""}',
        '{"error": "Refused"}',
        '{"error": "Refused", "message": "m", "remedy": "", "more": ""}',
    ],
)
def test_an_object_of_another_shape_stays_a_plain_object(text: str) -> None:
    assert Json().deserialize(text) == json.loads(text)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "1" * 5000, "gASVBAAAAAAAAABLAS4="])
def test_text_that_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(errors.StateUnusable, match="not whet's JSON"):
        Json().deserialize(text)


@pytest.mark.parametrize("read", [deserialize_value, deserialize_args, deserialize_exception])
def test_dbos_has_no_pickle_reader(read: Callable[..., object]) -> None:
    with pytest.raises(errors.StateUnusable, match="pickle"):
        read(base64.b64encode(pickle.dumps(None)).decode(), "py_pickle", Json())


def test_dbos_writes_no_pickle() -> None:
    with pytest.raises(errors.StateUnusable, match="pickle"):
        serialize_value_as("text", "py_pickle", Json())


def test_no_other_module_of_dbos_loads_pickles() -> None:
    """The removal knows one module. A new version of DBOS that reads pickles elsewhere fails here."""
    sources = {path.name: path.read_text() for path in Path(str(dbos.__file__)).parent.rglob("*.py")}
    readers = re.compile(
        r"\b(import|from) (_?pickle|cloudpickle|dill|marshal|jsonpickle|shelve)\b|\byaml\.(unsafe_)?load\("
    )
    assert [name for name, text in sources.items() if readers.search(text)] == ["_serialization.py"]


def test_an_error_is_stored_without_secrets() -> None:
    _, token = SAMPLES["GitHub, classic"]
    for problem in (errors.Refused(f"it said {token}", f"not {token}"), ValueError(f"password={token}")):
        assert token not in Json().serialize(problem)
