"""Redact all text in a noun or in plain data, as the ledger's last check."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from whet.domain.redact import redact, redact_diff, redact_tokens, secrets_in_context

Noun = TypeVar("Noun")
# Text that is applied or run later, and therefore stays as it is except for tokens: the patch and the case of a suggestion,
# the test file that replays a call, the data that an engine builds a proposal from, the edits that a model wrote.
_PROGRAM_TEXT = frozenset({"patch", "case", "replay", "recipe", "edits"})
_MOST_PASSES = 4
_SHORTEST = 8  # shorter texts hold no secret that has a context
_SECRET_NAME = re.compile(r"pass|pwd|secret|token|key|auth|cookie|cred", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[\w.-]+")  # two texts in a row are a name and its value only if the first could be a name
_OF_WHET = frozenset({"credential", "public_key"})  # of a passkey's proof; both are public
_WHOLE = re.compile(r'.*: "(\[redacted: [^\]\n]*\])"\}', re.DOTALL)


def redact_noun(noun: Noun) -> Noun:
    """Return the noun with every secret in its texts replaced, also where a text repeats a secret without its context.

    Keys that become equal get a number, so that nothing is lost.
    """
    for _ in range(_MOST_PASSES):
        echoed: dict[str, str] = {}
        for text in _texts(noun):
            echoed.update(secrets_in_context(text))
        redacted: Noun = _redacted(noun, echoed)
        if redacted == noun:
            break
        noun = redacted
    return noun


def redact_named(name: object, value: str, echoed: dict[str, str] | None = None) -> str:
    """Return the value of a member of foreign data, or its mark if the member's name shows that all of it is a secret.

    The name shows that if it does so in JSON text.
    """
    if _names_a_secret(name):
        shown = _WHOLE.fullmatch(redact(_as_text(name, value), echoed))
        if shown:
            return shown[1]
    return redact(value, echoed) if len(value) >= _SHORTEST else value


def _names_a_secret(name: object) -> bool:
    return type(name) is str and name not in _OF_WHET and len(name) <= 200 and _SECRET_NAME.search(name) is not None


def _as_text(name: object, value: str) -> str:
    """Return a member as JSON text. Quotes and backslashes in the value are left out, because forms of text end there."""
    return json.dumps({str(name): value.replace('"', "").replace("'", "").replace("\\", "")}, ensure_ascii=False)


def _named(value: dict[Any, Any] | list[Any] | tuple[Any, ...]) -> tuple[Any, str, str] | None:
    """Return the place of a value, its name and the value, if the data is a pair such as `{"name": ..., "value": ...}` or
    `("password", ...)`."""
    place, name, item = 1, None, None  # type: tuple[Any, Any, Any]
    if isinstance(value, dict):
        place, name, item = "value", value.get("name", value.get("key")), value.get("value")
    elif len(value) == 2 and type(value) in (list, tuple) and type(value[0]) is str and _PLAIN_NAME.fullmatch(value[0]):
        name, item = value
    return (place, name, item) if type(item) is str and _names_a_secret(name) else None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list | tuple) and (pair := _named(value)):
        yield _as_text(pair[1], pair[2])
    if type(value) is str:
        if len(value) >= _SHORTEST:
            yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name not in _PROGRAM_TEXT or not isinstance(getattr(value, field.name), str):
                yield from _texts(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            if key not in _PROGRAM_TEXT or isinstance(item, dict):
                yield from _texts(item)
                if type(item) is str and _names_a_secret(key):
                    yield _as_text(key, item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _texts(item)


def _redacted(value: Any, echoed: dict[str, str]) -> Any:
    if type(value) is str:
        return redact(value, echoed) if len(value) >= _SHORTEST else value
    if is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for field in fields(value):
            before = getattr(value, field.name)
            after = _redacted_member(field.name, before, echoed)
            if after is not before and after != before:
                changed[field.name] = after
        return replace(value, **changed) if changed else value
    if isinstance(value, dict):
        return _redacted_dict(value, echoed)
    if isinstance(value, list | tuple | set | frozenset):
        items = [_redacted(item, echoed) for item in value]
        if isinstance(value, list | tuple) and (pair := _named(value)):
            items[1] = redact_named(pair[1], pair[2], echoed)
        return type(value)(items)
    return value


def _redacted_dict(value: dict[Any, Any], echoed: dict[str, str]) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, item in value.items():
        name = redact(key, echoed) if type(key) is str and len(key) >= _SHORTEST else key
        while name in result:
            name = f"{name} (another)"
        result[name] = _redacted_member(key, item, echoed)
        if type(item) is str and key not in _PROGRAM_TEXT and key != "diff" and _names_a_secret(key):
            result[name] = redact_named(key, item, echoed)
    if pair := _named(value):
        result[pair[0]] = redact_named(pair[1], pair[2], echoed)
    return result


def _redacted_member(name: object, value: Any, echoed: dict[str, str]) -> Any:
    if name in _PROGRAM_TEXT and not is_dataclass(value):
        return _without_tokens(value)
    if name == "diff" and type(value) is str:
        return redact_diff(value)
    return _redacted(value, echoed)


def _without_tokens(value: Any) -> Any:
    if type(value) is str:
        return redact_tokens(value)
    if isinstance(value, dict):
        return {key: _without_tokens(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_without_tokens, value))
    return value
