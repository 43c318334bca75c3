"""Redact all text in a noun or in plain data, as the ledger's last check."""

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


def _texts(value: Any) -> Iterator[str]:
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
        return type(value)(_redacted(item, echoed) for item in value)
    return value


def _redacted_dict(value: dict[Any, Any], echoed: dict[str, str]) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key, item in value.items():
        name = redact(key, echoed) if type(key) is str and len(key) >= _SHORTEST else key
        while name in result:
            name = f"{name} (another)"
        result[name] = _redacted_member(key, item, echoed)
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
