"""Read test outcomes from a JUnit XML file."""

import xml.etree.ElementTree as ElementTree

from whet.domain.redact import redact
from whet.domain.suite import Outcome


class _RefuseDoctype(ElementTree.TreeBuilder):
    """A tree builder that rejects a document type declaration, so entities cannot be defined and expanded.

    The parser reports the declaration; searching the text for it would miss other encodings.
    """

    def doctype(self, *_: object) -> None:
        raise ValueError("a document type")


def read_junit(text: bytes) -> dict[str, Outcome]:
    """Return outcomes by `classname::name`, or nothing for XML that is malformed or has a document type.

    If a name occurs twice, the red outcome counts.
    """
    try:
        parser = ElementTree.XMLParser(target=_RefuseDoctype())  # noqa: S314 - it refuses entity definitions
        root = ElementTree.fromstring(text, parser)  # noqa: S314 - as above
    except (ElementTree.ParseError, ValueError):
        return {}
    outcomes: dict[str, Outcome] = {}
    for case in root.iter("testcase"):
        name = redact(f"{case.get('classname', '')}::{case.get('name', '')}")
        outcome = _outcome(case)
        if name not in outcomes or outcome.red:
            outcomes[name] = outcome
    return outcomes


def _outcome(case: "ElementTree.Element") -> Outcome:
    for tag, outcome in (("failure", Outcome.FAILED), ("error", Outcome.ERROR), ("skipped", Outcome.SKIPPED)):
        if case.find(tag) is not None:
            return outcome
    return Outcome.PASSED
