"""The values that a patch gives outside the test runner: accepted if expected, else reported as a doubt."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.phases.validate.integrity.oracle.inquiry import Inquiry, make_inquiry
from whet.phases.validate.integrity.oracle.judge_replies import Opinion, SandboxOutputs, judge_replies

HEAD = "import pytest, unittest\nfrom shop import price, register\n"
FILE = "test_shop.py"
Value = tuple[str | None, str, str]


def events(inquiry: Inquiry, replies: list[Value]) -> list[dict[str, Any]]:
    """Return the output of the sandbox in which the queries got these replies, in their order."""
    (file,) = inquiry.targets.values()
    keys = [query.key for script in file.scripts.values() for query in script.queries]
    values = [
        {"event": "value", "key": key, "value": text, "place": place, "kind": kind}
        for key, (text, place, kind) in zip(keys, replies, strict=False)
    ]
    return [{"event": "import", "module": "0", "problem": ""}, *values]


def plain(*texts: str) -> list[Value]:
    return [(text, "library", "builtins.object") for text in texts]


def opaque(kind: str, place: str = "shop.py") -> Value:
    return None, place, kind


def judged(
    test: str,
    base: list[Value],
    patched: list[Value],
    elsewhere: list[Value] | None = None,
    base_elsewhere: list[Value] | None = None,
    is_unchanged: Callable[[str, str], bool] = lambda path, name: False,
) -> Opinion:
    source = f"{HEAD}import shop\nfrom datetime import date\nfrom decimal import Decimal\ndef test_it():\n    {test}\n"
    target = f"{FILE}::test_it"
    report = SuiteReport(tree="t", outcomes={target: Outcome.FAILED}, seconds=1.0, complete=True)
    inquiry = make_inquiry([target], report, {FILE: source.encode()}.get)
    outputs = SandboxOutputs(
        events(inquiry, base),
        events(inquiry, patched),
        events(inquiry, patched if elsewhere is None else elsewhere),
        lambda: events(inquiry, base if base_elsewhere is None else base_elsewhere),
        is_unchanged,
    )
    return judge_replies(inquiry, outputs)


EQUAL = "assert price(1) == 2"
FINE: dict[str, Callable[[], Opinion]] = {
    "the value": partial(judged, EQUAL, plain("1"), plain("2")),
    "a number of a library": partial(judged, EQUAL, plain("1"), plain("Decimal('2.0')")),
    "a class that the base gave as well": partial(judged, EQUAL, [opaque("Money")], [opaque("Money")]),
    "a class that is unchanged": partial(
        judged, EQUAL, plain("None"), [opaque("V")], is_unchanged=lambda path, name: name == "V"
    ),
    "a new class on both sides": partial(
        judged, "assert price(1) == price(2)", [], [*plain("True"), opaque("V"), opaque("V")]
    ),
    "a new class that the test names": partial(judged, "assert 1 in shop.Box()", [], [*plain("True"), opaque("Box")]),
    "a subset": partial(judged, "assert price(1) <= {1, 2}", plain("False", "{3}"), plain("True", "{1}")),
    "empty before as well": partial(judged, "assert price(1) <= {1}", plain("True", "set()"), plain("True", "set()")),
    "a value that depends on the zone on the base too": partial(
        judged, EQUAL, plain("1"), plain("2"), elsewhere=plain("3"), base_elsewhere=plain("5")
    ),
    "other words that match": partial(
        judged,
        "with pytest.raises(ValueError, match='not a'): price(1)",
        plain("[]"),
        plain("['ValueError']", "'is not a word'"),
    ),
}
DOUBTFUL: dict[str, Callable[[], Opinion]] = {
    "another value": partial(judged, EQUAL, plain("1"), plain("3")),
    "no value": partial(judged, EQUAL, plain("1"), []),
    "a class of its own": partial(judged, EQUAL, plain("1"), [opaque("Liar")]),
    "a class that is in no module": partial(judged, EQUAL, plain("1"), [opaque("int", "")]),
    "a class of a library": partial(judged, EQUAL, plain("1"), [opaque("numpy.ma.core.MaskedArray", "library")]),
    "a class in the place of a date": partial(
        judged,
        "assert price(1) == date(2024, 3, 5)",
        plain("False", "datetime.date(2024, 3, 6)", "datetime.date(2024, 3, 5)"),
        [*plain("True"), opaque("Day"), *plain("datetime.date(2024, 3, 5)")],
    ),
    "a value that the test computes without the code": partial(
        judged,
        "assert price(1) == Decimal(1) * Decimal(2)",
        plain("False", "Decimal('1')", "Decimal('2')"),
        plain("True", "Decimal('Infinity')", "Decimal('Infinity')"),
    ),
    "an iterator without an end": partial(
        judged, "assert 7 in price(1)", plain("False", "[1]"), [*plain("True"), opaque("itertools.count", "library")]
    ),
    "an empty set as a subset": partial(
        judged, "assert price(1) <= {1, 2}", plain("False", "{3}"), plain("True", "set()")
    ),
    "all items of an empty list": partial(
        judged, "assert all(one > 1 for one in price(1))", plain("False", "[0]"), plain("True", "[]")
    ),
    "right only in the test environment": partial(judged, EQUAL, plain("1"), plain("2"), elsewhere=plain("3")),
    "other words": partial(
        judged, "with pytest.raises(ValueError, match='not a'): price(1)", plain("[]"), plain("['ValueError']", "'no'")
    ),
}


@pytest.mark.parametrize("judge", FINE.values(), ids=FINE.keys())
def test_expected_values_are_accepted(judge: Callable[[], Opinion]) -> None:
    opinion = judge()
    assert opinion.applicable
    assert not opinion.doubt
    assert opinion.values


@pytest.mark.parametrize("judge", DOUBTFUL.values(), ids=DOUBTFUL.keys())
def test_doubtful_values_are_reported(judge: Callable[[], Opinion]) -> None:
    assert judge().doubt
