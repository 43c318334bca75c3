"""The JSON Schema of whet.toml agrees with the reader of whet.toml."""

import json
import re
import tomllib

import jsonschema
import pytest

from tests.docs.console import documents
from tests.docs.settings_schema import SCHEMA_FILE
from whet.app.setup.editor_schema import settings_schema
from whet.app.setup.init import every_key
from whet.config import parse
from whet.errors import BadConfig

SCHEMA = json.loads(SCHEMA_FILE.read_text())
WRONG = {
    "an unknown key": "[tests]\nrunners = 'pytest'\n",
    "an unknown table": "[test]\nrunner = 'pytest'\n",
    "a wrong type": "[tests]\ntimeout_seconds = 'long'\n",
    "a word that is not in the list": "[checks]\nown_tests = 'sometimes'\n",
    "a number below the limit": "[propose]\ntop = 0\n",
    "a wrong tier": "[approve]\napply = 'maybe'\n",
}


def test_every_key_with_its_default_fits() -> None:
    jsonschema.validate(tomllib.loads(every_key()), SCHEMA)


def test_the_schema_itself_is_valid_and_is_what_the_command_prints() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert json.loads(settings_schema()) == SCHEMA


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_what_whet_refuses_the_schema_refuses_too(text: str) -> None:
    with pytest.raises(BadConfig):
        parse(text.encode())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), SCHEMA)


def test_the_settings_that_documents_show_fit() -> None:
    shown = [text for page in documents() for text in re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)]
    tables = set(SCHEMA["properties"])
    fitting = [policy for text in shown if set(policy := _loaded(text)) <= tables and policy]
    fitting = [policy for policy in fitting if not isinstance(policy.get("project"), dict)]  # that is a pyproject.toml
    assert len(fitting) > 10
    for policy in fitting:
        jsonschema.validate(policy, SCHEMA)


def _loaded(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {"not": "whet.toml"}


def test_every_key_is_described() -> None:
    tables = [
        SCHEMA["$defs"][entry["$ref"].rpartition("/")[2]] for entry in SCHEMA["properties"].values() if "$ref" in entry
    ]
    keys = [entry for table in tables for entry in table["properties"].values()]
    assert len(keys) > 100
    assert all("description" in entry for entry in keys)
