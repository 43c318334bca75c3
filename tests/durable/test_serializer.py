"""The durable engine stores JSON: reading it never runs code."""

import base64
import pickle
import sqlite3
from pathlib import Path

import pytest

from tests.support import Repo
from whet import errors
from whet.durable.serializer import Json, foreign_rows


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


class _Trap:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return open, (str(self.path), "w")  # type: ignore[return-value]


def test_a_planted_pickle_is_refused_and_not_loaded(sample: Repo, tmp_path: Path) -> None:
    assert sample.whet("run", "--json").code in (0, 5)
    database, marker = sample.root / ".whet" / "durable.sqlite", tmp_path / "marker"
    assert foreign_rows(database) == []
    poison = base64.b64encode(pickle.dumps({"args": (_Trap(marker),), "kwargs": {}})).decode()
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE workflow_status SET inputs = ?, serialization = 'py_pickle', status = 'PENDING'", (poison,)
        )
    connection.close()
    result = sample.whet("resume")
    assert result.code == 4
    assert "was not written by this whet" in result.err
    assert not marker.exists()
