"""Addresses of shared databases: clear errors, and the password in none of them."""

import builtins
from pathlib import Path
from typing import Any

import pytest

from tests.support import Repo
from whet.errors import StateUnusable
from whet.store.address import Address, parse
from whet.store.location import ANCHOR, NAME, schema_of
from whet.store.store import FILE_NAME, open_store

SECRET = "s3cr3t-w0rd"
BAD = {
    "no URL": (SECRET, 2, "not a URL that can be read"),
    "another database": (f"mysql://ann:{SECRET}@host/db", 2, "whet supports only PostgreSQL"),
    "SQLite": (f"sqlite:////tmp/{SECRET}.db", 2, "whet supports only PostgreSQL"),
    "another driver": (f"postgresql+asyncpg://ann:{SECRET}@host/db", 2, "whet supports only PostgreSQL"),
    "an @ in the password": (f"postgresql://ann:x@{SECRET}@host/db", 2, "has an @ in its password"),
    "a colon behind it": (f"postgresql://ann:x@y:{SECRET}@host/db", 2, "not a URL that can be read"),
    "no database": (f"postgresql://ann:{SECRET}@host", 2, "names no database"),
    "nobody there": (f"postgresql://ann:{SECRET}@127.0.0.1:1/db", 4, "Connection refused"),
    "no such host": (f"postgresql://ann:{SECRET}@nowhere.invalid/db", 4, "failed to resolve host"),
    "no such option": (f"postgresql://ann:{SECRET}@127.0.0.1:1/db?frobs={SECRET}", 4, "invalid connection option"),
}


@pytest.mark.parametrize("what", BAD)
def test_an_unusable_address_is_one_sentence_and_a_remedy(sample: Repo, what: str) -> None:
    url, code, words = BAD[what]
    said = sample.whet("list", env={"WHET_STORE_URL": url})
    sentence, remedy = said.err.splitlines()
    assert (said.code, words in sentence, bool(remedy.strip())) == (code, True, True), said.err
    assert SECRET not in said.err + said.out
    as_json = sample.whet("list", "--json", env={"WHET_STORE_URL": url})
    assert as_json.json["error"]["code"] == {2: "bad_config", 4: "state_unusable"}[code]
    assert SECRET not in as_json.out + as_json.err


@pytest.mark.parametrize("what", ["no such user", "no such database"])
def test_an_unknown_user_or_database_is_reported(sample: Repo, postgres: str, what: str) -> None:
    user, database = ("nobody", "postgres") if what == "no such user" else ("postgres", "nothing")
    url = parse(postgres).set(username=user, password=SECRET, database=database)
    said = sample.whet("list", env={"WHET_STORE_URL": url.render_as_string(hide_password=False)})
    assert said.code == 4
    assert "does not exist" in said.err
    assert "create the database and the user first" in said.err
    assert SECRET not in said.err


def test_a_missing_driver_is_named_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.partition(".")[0] == "psycopg":
            raise ImportError(name)
        return original(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(StateUnusable, match="psycopg, is not installed") as problem:
        Address(parse("postgresql://host/db"), "whet_0").engine()
    assert problem.value.remedy == "pip install 'whet[postgres]'"


def test_no_message_of_an_address_shows_the_password() -> None:
    address = Address(parse(f"postgresql://ann:{SECRET}@host/db?password={SECRET}"), "whet_0")
    assert SECRET not in address.where
    assert SECRET not in address.describe_error(ValueError(f"cannot use {SECRET}\nat all"))
    assert SECRET not in repr(address).replace(f"password={SECRET}", "")


@pytest.mark.parametrize("content", ["", "public\n", 'whet_0"; DROP SCHEMA public; --\n', "whet_" + "0" * 16])
def test_a_schema_name_in_another_form_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    with pytest.raises(StateUnusable, match="does not name a record"):
        schema_of(tmp_path)


def test_a_checkout_keeps_its_schema_name(tmp_path: Path) -> None:
    names = {schema_of(tmp_path) for _ in range(3)}
    assert len(names) == 1
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_a_state_folder_has_one_record(tmp_path: Path, postgres: str) -> None:
    """After the first entry the record stays in its place; before that, either place may be chosen."""
    folder = tmp_path / ".whet"
    for url in ("", postgres, "", postgres):
        open_store(folder, url).close()
    (folder / ANCHOR).write_text("1:x\n")
    open_store(folder, postgres).close()
    with pytest.raises(StateUnusable, match="is in a database, but WHET_STORE_URL is not set"):
        open_store(folder)
    (folder / NAME).unlink()
    with pytest.raises(StateUnusable, match=rf"is in \.whet/{FILE_NAME}"):
        open_store(folder, postgres)
    open_store(folder).close()
