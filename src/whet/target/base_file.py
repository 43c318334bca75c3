"""A file with one run of the suite on a base, which a build server keeps between its jobs.

Anybody may have written the file. It is read as data, an entry that does not fit is left out, and the report is marked
`from_file`, so that the proof confirms it before anything in it counts (phases/validate/unverified_base.py).
"""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from whet.domain.canonical import canonical
from whet.domain.redact_noun import redact_noun
from whet.domain.suite import SuiteReport
from whet.errors import Corrupt, UsageError
from whet.files import MB, read_file
from whet.store.codec import decode

_FORMAT = 1
_LARGEST = 100 * MB


class BaseFile:
    """The cache file of `whet prove --cache`. `note` shows why a file is not used."""

    def __init__(self, path: Path, note: Callable[[str], None]) -> None:
        self._path, self._note = path, note

    def read(self, key: str, tree: str) -> SuiteReport | None:
        """Return the report of this tree under this key; None if the file has none."""
        report, why = None, "is of another base, environment or setting"
        try:
            content = json.loads(read_file(self._path, _LARGEST), parse_constant=_refuse_constant)
            report = _report(content, key, tree)
        except FileNotFoundError:
            return None
        except OSError as problem:
            why = f"cannot be read: {problem.strerror}"
        except (ValueError, TypeError, KeyError, RecursionError, Corrupt):
            why = "is not a cache that this version of whet wrote"
        if report is None:
            self._note(f"{self._path} {why}: the suite runs on the base")
        return report

    def write(self, key: str, report: SuiteReport) -> None:
        """Replace the content of the file by this report, without the texts of failures."""
        report = redact_noun(replace(report, failures={}, from_file=False))
        text = canonical({"format": _FORMAT, "key": key, "report": report})
        new = self._path.with_name(f".{self._path.name}.new")
        try:
            new.write_text(text)
            new.replace(self._path)
        except OSError as problem:
            raise UsageError(
                f"{self._path} cannot be written: {problem.strerror}", "name a file in a folder that you may write to"
            ) from problem


def _report(content: Any, key: str, tree: str) -> SuiteReport | None:
    """Return the report in the parsed file; None if it is about something else. Raise for a content of another form."""
    if content["format"] != _FORMAT:
        raise ValueError("another format")
    if content["key"] != key:
        return None
    report = decode(SuiteReport, content["report"])
    if not report.complete or report.problem or report.exit_only or not report.outcomes:
        raise ValueError("not a complete run of single tests")
    if not math.isfinite(report.seconds) or report.seconds < 0:
        raise ValueError("not a duration")
    return replace(report, from_file=True, failures={}, looks={}) if report.tree == tree else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
