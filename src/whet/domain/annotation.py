"""The annotations of a proof: what speaks against a change or stays open, each with its place in the change."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from whet.domain.canonical import digest
from whet.domain.evidence import Evidence
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict

_LINE = re.compile(r"\bline (\d{1,7})\b")


class Level(StrEnum):
    """The weight of an annotation: `error` fails the proof, `warning` keeps it from passing, `note` only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """One annotation. `path` is empty if it is about no single file, `line` is 0 if it is about no single line."""

    rule: str
    level: Level
    text: str
    path: str = ""
    line: int = 0

    @property
    def fingerprint(self) -> str:
        """Return a value that stays the same while the annotation does, wherever its line moves."""
        return digest([self.rule, self.path, _LINE.sub("line", self.text)])


_LEVELS = {Verdict.FAILED: Level.ERROR, Verdict.INCONCLUSIVE: Level.WARNING}


def annotations_of(evidence: Evidence, paths: tuple[str, ...]) -> list[Annotation]:
    """Return the annotations of a proof, the heaviest first, each once; `paths` are the files that the change touches."""
    every = dict.fromkeys(_all(evidence, paths))
    return sorted(every, key=lambda annotation: list(Level).index(annotation.level))


def fingerprints(every: Sequence[Annotation]) -> list[str]:
    """Return the fingerprint of each annotation. Those that differ in their line alone are numbered: readers drop a repeated one."""
    used: Counter[str] = Counter()
    result = []
    for name in (annotation.fingerprint for annotation in every):
        result.append(digest([name, used[name]]) if used[name] else name)
        used[name] += 1
    return result


def _all(evidence: Evidence, paths: tuple[str, ...]) -> Iterator[Annotation]:
    if evidence.verdict is not Verdict.PASSED:
        yield _annotate("verdict", _LEVELS[evidence.verdict], "; ".join(evidence.reasons), paths)
    for check in evidence.checks:
        yield from _of_check(check, paths)
    for finding in evidence.guard:
        level = Level.ERROR if finding.severity == "block" else _guard_level(evidence, finding.severity)
        line = _line_in(finding.reason) if finding.path else 0
        yield Annotation(
            rule=f"guard.{finding.rule}", level=level, text=_clean(finding.reason), path=finding.path, line=line
        )


def _guard_level(evidence: Evidence, severity: str) -> Level:
    """Return the level of an annotation that does not block: a passed proof shows that it did not decide."""
    return Level.NOTE if severity == "note" or evidence.verdict is Verdict.PASSED else Level.WARNING


def _of_check(check: CheckResult, paths: tuple[str, ...]) -> Iterator[Annotation]:
    if check.check != "tests":
        for text in check.regressed:
            yield _annotate(check.check, _LEVELS.get(check.verdict, Level.NOTE), text, paths)
        return
    rows = (("regressed", check.regressed, "worse with the change"), ("missing", check.missing, "gone with the change"))
    for rule, tests, words in rows:
        for test in tests:
            yield _annotate(f"{check.check}.{rule}", Level.ERROR, f"{test} is {words}", paths)
    for safeguard in check.safeguards:
        rule = _rule(check, safeguard)
        if safeguard.verdict in _LEVELS:
            yield _annotate(rule, _LEVELS[safeguard.verdict], f"{safeguard.name}: {safeguard.words}", paths)
        for note in safeguard.notes:
            yield _annotate(rule, Level.NOTE, note, paths)


def _rule(check: CheckResult, safeguard: SafeguardResult) -> str:
    return f"{check.check}.{safeguard.name.replace(' ', '_')}"


def _annotate(rule: str, level: Level, text: str, paths: tuple[str, ...]) -> Annotation:
    path = _path_in(text, paths)
    return Annotation(rule=rule, level=level, text=_clean(text), path=path, line=_line_in(text) if path else 0)


def _path_in(text: str, paths: tuple[str, ...]) -> str:
    """Return the changed file that the sentence names with a line, or the only changed file if it names a line alone."""
    if not _LINE.search(text):
        return ""
    named = [path for path in paths if re.search(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])", text)]
    if named:
        return max(named, key=len)
    return paths[0] if len(paths) == 1 else ""


def _line_in(text: str) -> int:
    match = _LINE.search(text)
    return int(match[1]) if match else 0


def _clean(text: str) -> str:
    return one_line(redact(text))
