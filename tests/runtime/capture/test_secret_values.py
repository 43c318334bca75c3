"""Secrets that only the name of a value shows, and their repetitions, are not captured."""

from typing import NamedTuple

import pytest

from tests.runtime.capture.test_values import encoded, only
from whet import runtime, tool
from whet.store.executions import Executions


class Login(NamedTuple):
    """A data object whose field names only its class has."""

    user: str
    password: str


@pytest.mark.parametrize(
    "value",
    [
        Login("ann", "geheim"),
        [("password", "geheim")],
        {"headers": [["Authorization", "geheim"]]},
        {"name": "DB_PASSWORD", "value": "geheim"},
        {b"password": "geheim"},
        ["mysql", "-u", "root", "-pgeheim"],
        ("redis-cli", "-a", "geheim"),
        ["geheim is it", {"password": "geheim"}],
    ],
)
def test_a_name_anywhere_in_a_value_shows_a_secret(value: object) -> None:
    for text, faithful in (encoded(value), encoded(named=value)):
        assert "geheim" not in text
        assert "redacted" in text
        assert not faithful


def test_a_call_does_not_repeat_a_secret_of_its_arguments(executions: Executions) -> None:
    @tool(name="values.connect")
    def connect(address: str, password: str, *, fail: bool) -> dict[str, str]:
        if fail:
            raise ValueError(f"cannot use {password} at {address}")
        return {"address": f"{address}?{password}", "again": password}

    connect("db/ge-heim-1", "ge-heim-1", fail=False)
    assert runtime.flush()
    [answered] = executions.calls("values.connect")
    assert "ge-heim-1" not in f"{answered.inputs}{answered.output}"
    with pytest.raises(ValueError, match="cannot use"):
        connect("db", "ge-heim-2", fail=True)
    assert connect("other", "x", fail=False)["address"] == "other?x"
    assert runtime.flush()
    calls = executions.calls("values.connect")
    assert [call.message for call in calls if call.message] == ["cannot use [redacted] at db"]
    assert "ge-heim" not in str(calls)
    assert "other?x" in str(calls)  # too short to be looked for in other texts


def test_a_tool_whose_name_says_so_answers_with_a_secret(executions: Executions) -> None:
    @tool(name="vault.read_db_password")
    def read_db_password(name: str) -> str:
        return f"ge-{name}"

    @tool(name="lexer.next_token")
    def next_token(name: str) -> str:
        return f"ge-{name}"

    read_db_password("heim")
    next_token("heim")
    assert only(executions, "vault.read_db_password").output == '{"$redacted":true}'
    assert only(executions, "lexer.next_token").output == '"ge-heim"'
