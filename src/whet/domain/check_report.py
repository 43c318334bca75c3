"""The report of a proof that a forge shows on a commit, with its annotations at their lines."""

from collections.abc import Iterator

from whet.domain.annotation import Level, annotations_of
from whet.domain.evidence import Evidence
from whet.domain.evidence_markdown import render
from whet.domain.pull_request import CheckAnnotation, CheckReport

_MOST_TITLE = 140
_LEVELS = {Level.ERROR: "failure", Level.WARNING: "warning", Level.NOTE: "notice"}


def check_of(evidence: Evidence, paths: tuple[str, ...], commit: str) -> CheckReport:
    """Return the report of a proof. Its verdict decides the conclusion; only `passed` becomes a success."""
    title = evidence.scope.text if evidence.verdict == "passed" else "; ".join(evidence.reasons)
    return CheckReport(
        commit=commit,
        verdict=evidence.verdict,
        title=f"{evidence.verdict.value}: {title}"[:_MOST_TITLE],
        summary=render(evidence),
        annotations=tuple(_for_check(evidence, paths)),
    )


def _for_check(evidence: Evidence, paths: tuple[str, ...]) -> Iterator[CheckAnnotation]:
    """Yield the annotations that have a file. A forge needs a line: the first, if the annotation is about the whole file."""
    for remark in annotations_of(evidence, paths):
        if remark.path:
            yield CheckAnnotation(
                path=remark.path,
                line=max(remark.line, 1),
                level=_LEVELS[remark.level],
                title=f"whet: {remark.rule}",
                text=remark.text,
            )
