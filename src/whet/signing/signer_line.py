"""One line of an OpenSSH allowed-signers file: names, options, public key."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from whet.errors import BadSignature, BadSigners
from whet.signing.keys import PublicKey
from whet.signing.patterns import list_matches

_FIRST_OPTION = re.compile(r"[^ \t]*=|[^ \t]*,|cert-authority\b", re.IGNORECASE)  # no key type looks like this
_OPTION = re.compile(r'([A-Za-z-]+)(?:="([^"\\]*)")?(,|[ \t]+)')
_OPTION_FORM = 'options are namespaces="...", valid-after="..." and valid-before="...", separated by commas'
_NAME = re.compile(r"""!?(?!!)[^"\\\x00-\x20\x7f-\U0010ffff]{1,255}""")  # visible ASCII without quote and backslash
_TIMES = {9: "%Y%m%dZ", 13: "%Y%m%d%H%MZ", 15: "%Y%m%d%H%M%SZ"}  # by length
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Signer:
    """A key and the people it signs for. `names` are patterns; `namespaces` is None if every namespace is allowed."""

    names: tuple[str, ...]
    key: PublicKey
    namespaces: tuple[str, ...] | None = None
    valid_after: datetime | None = None
    valid_before: datetime | None = None

    def allows(self, namespace: str) -> bool:
        """True if the key may be used in this namespace, at whatever time."""
        return self.namespaces is None or list_matches(self.namespaces, namespace)

    def signs_in(self, namespace: str, at: datetime) -> bool:
        """True if the key may be used in this namespace at this time, to the second; both ends are included."""
        second = at.replace(microsecond=0)
        return (
            self.allows(namespace)
            and (self.valid_after is None or second >= self.valid_after)
            and (self.valid_before is None or second <= self.valid_before)
        )

    @property
    def text(self) -> str:
        """Return the line in its one canonical form, without a comment."""
        options = [f'namespaces="{",".join(self.namespaces)}"'] if self.namespaces is not None else []
        times = (("valid-after", self.valid_after), ("valid-before", self.valid_before))
        options += [f'{name}="{time.astimezone(UTC):%Y%m%d%H%M%S}Z"' for name, time in times if time]
        return " ".join([",".join(self.names), *([",".join(options)] if options else []), self.key.text])


def read(line: str) -> Signer:
    """Read a line that is neither empty nor a comment. Raise BadSigners if any part of it is not understood."""
    names, *rest = re.split(r"[ \t]+", line.strip(" \t"), maxsplit=1)
    options, key = _split_options("".join(rest))
    try:
        return Signer(names=_names(names, "name"), key=PublicKey.from_text(key), **_read_options(options))
    except BadSignature as problem:
        raise BadSigners(problem.message, problem.remedy) from problem


def _split_options(text: str) -> tuple[dict[str, str | None], str]:
    """Return (options by name, the rest of the line, which is the key)."""
    options: dict[str, str | None] = {}
    if not _FIRST_OPTION.match(text):
        return options, text
    while option := _OPTION.match(text):
        name, value, separator = option[1].lower(), option[2], option[3]
        if name in options:
            raise BadSigners(f"the option {name} is given twice")
        options[name] = value
        text = text[option.end() :]
        if separator != ",":
            return options, text
    raise BadSigners(f"the options end in {text[:20]!r}", _OPTION_FORM)


def _read_options(options: dict[str, str | None]) -> dict[str, Any]:
    """Return the options as fields of a Signer."""
    if "cert-authority" in options:
        raise BadSigners("certificates are not supported", "list the key of each person instead of cert-authority")
    for name, value in options.items():
        if name not in ("namespaces", "valid-after", "valid-before"):
            raise BadSigners(f"the option {name!r} is not known", _OPTION_FORM)
        if value is None:
            raise BadSigners(f"the option {name} has no value", _OPTION_FORM)
    namespaces, after, before = (options.get(name) for name in ("namespaces", "valid-after", "valid-before"))
    fields: dict[str, Any] = {} if namespaces is None else {"namespaces": _names(namespaces, "namespace")}
    fields |= {} if after is None else {"valid_after": _time(after)}
    fields |= {} if before is None else {"valid_before": _time(before)}
    if after and before and fields["valid_before"] <= fields["valid_after"]:
        raise BadSigners("valid-before is not later than valid-after")
    return fields


def _names(text: str, what: str) -> tuple[str, ...]:
    """Return the patterns of a list. Refuse characters that look like others or are not visible."""
    names = tuple(text.split(","))
    for name in names:
        if not _NAME.fullmatch(name):
            raise BadSigners(
                f"{name!r} is not a {what}", "use up to 255 visible ASCII characters, no quotes and no backslash"
            )
    return names


def _time(text: str) -> datetime:
    """Return the time. Refuse one without Z: it would mean another moment on a machine in another time zone."""
    digits = text.isascii() and text[:-1].isdigit()  # strptime also takes spaces and signs
    try:
        time = datetime.strptime(text, _TIMES[len(text)]).replace(tzinfo=UTC) if digits else _EPOCH
    except (KeyError, ValueError):
        time = _EPOCH
    if time <= _EPOCH:
        raise BadSigners(f"{text!r} is not a time", "write it in UTC as YYYYMMDDZ, YYYYMMDDHHMMZ or YYYYMMDDHHMMSSZ")
    return time
