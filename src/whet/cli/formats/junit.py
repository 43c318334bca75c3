"""The proof as JUnit XML: a test case per check, safeguard and target, for CI systems that show only tests."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from whet.app.proofs.prove import ProvedChange
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.domain.verdict import CheckResult, Verdict

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Case = tuple[str, str, str, str]
"""Group, name, outcome (`failure`, `skipped` or empty) and words."""


def render(proof: ProvedChange) -> str:
    """Return a JUnit file in which exactly the deciding facts are failures."""
    cases = list(_cases(proof))
    suite = Element("testsuite", name="whet prove", tests=str(len(cases)), errors="0")
    suite.set("failures", str(sum(outcome == "failure" for _, _, outcome, _ in cases)))
    suite.set("skipped", str(sum(outcome == "skipped" for _, _, outcome, _ in cases)))
    suite.set("time", f"{proof.evidence.cost.seconds:.3f}")
    for group, name, outcome, words in cases:
        case = SubElement(suite, "testcase", classname=_clean(group), name=_clean(name))
        if outcome:
            SubElement(case, outcome, message=_clean(words))
    indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suite, encoding="unicode") + "\n"


def _cases(proof: ProvedChange) -> Iterator[Case]:
    evidence = proof.evidence
    decided = "" if evidence.verdict is Verdict.PASSED else "failure"
    yield "whet", f"verdict: {evidence.verdict.value}", decided, "; ".join(evidence.reasons)
    if evidence.claim:
        yield "whet", f"claim: {evidence.claim_words}", "", ""
    for check in evidence.checks:
        yield from _of_check(check)
    for finding in evidence.guard:
        outcome = "failure" if finding.severity == "block" else ""
        yield "whet.guard", f"{finding.rule}: {finding.path or 'the change'}", outcome, finding.reason


def _of_check(check: CheckResult) -> Iterator[Case]:
    group, green = f"whet.{check.label}", set(check.green) & set(check.reverted)
    for test in check.red:
        outcome = "" if test in green else "failure"
        yield f"{group}.target", test, outcome, "not red, green with the change and red again on revert"
    for test in (*check.regressed, *check.missing):
        yield f"{group}.held", test, "failure", "worse or gone with the change"
    for safeguard in check.safeguards:
        outcome = "failure" if safeguard.decides else "skipped" if safeguard.verdict is None else ""
        yield f"{group}.safeguard", safeguard.name, outcome, safeguard.words


def _clean(text: str) -> str:
    return _NOT_XML.sub("?", one_line(redact(text)))
