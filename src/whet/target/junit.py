"""Read test outcomes from a JUnit XML file."""

from typing import TYPE_CHECKING

from whet.domain.redact import redact
from whet.domain.suite import Outcome
from whet.intake.xml import parse_xml

if TYPE_CHECKING:
    import xml.etree.ElementTree as ElementTree


def read_junit(text: bytes) -> dict[str, Outcome]:
    """Return outcomes by `classname::name`, or nothing for XML that is malformed or has a document type.

    If a name occurs twice, the red outcome counts.
    """
    root = parse_xml(text)
    if root is None:
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
