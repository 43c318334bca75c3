"""Patches that pass and disagree: a person says which answer is right, and the answer ships as a test."""

from typing import Any

import pytest

from tests.support import MakeRepo, Repo

CUSTOMERS = """\
def customer_key(record):
    name = record.get("name")
    return name.strip().lower()
"""
TESTS = """\
from customers import customer_key


def test_names_are_normalised():
    assert customer_key({"name": "Ann "}) == "ann"


def test_a_missing_name_is_accepted():
    assert not (customer_key({"name": None}) or "").isupper()
"""
# low risk, allowed to go out by itself: an undecided call is the only reason to ask
POLICY = """\
environment = "development"
[tests]
folders = ["tests"]
[propose]
repair_seconds = 20
[approve]
apply = "auto"
merge = "auto"
"""
CALL = "customer_key({'name': None})"


def files(customers: str = CUSTOMERS) -> dict[str, str | bytes]:
    return {"customers.py": customers, "tests/test_customers.py": TESTS, "whet.toml": POLICY, ".gitignore": ".whet/\n"}


def undecided(repo: Repo) -> tuple[str, dict[str, int]]:
    """Run a cycle; return its proposal and the numbers of the answers to its undecided call."""
    result = repo.whet("run", "--json")
    assert result.code == 5, result.out
    (view,) = result.json
    assert (view["verdict"], view["open_question"]["tier"]) == ("inconclusive", "require")
    call: dict[str, Any] = view["undecided"]
    assert (call["call"], call["testable"]) == (CALL, True)
    return view["proposal"], {answer["text"]: answer["number"] for answer in call["answers"]}


@pytest.mark.slow
def test_an_answer_chooses_the_patch_and_ships_as_a_test(make_repo: MakeRepo) -> None:
    repo = make_repo(files())
    proposal, numbers = undecided(repo)
    assert {"'none'", "None"} <= numbers.keys()
    before = repo.whet("show", proposal, "--json").json
    assert before["evidence"]["reasons"][0].startswith(f"no test says what {CALL} should be")
    for wrong in (["99"], ["--value", "name"], ["--value", "raise Nothing"], []):
        assert repo.whet("answer", proposal, *wrong, "--json").code == 2, wrong
    refused = repo.whet("approve", proposal, "--yes", "--json")
    assert (refused.code, "whet answer" in refused.out) == (2, True)

    answered = repo.whet("answer", proposal, str(numbers["None"]), "--json")
    after = repo.whet("show", proposal, "--json").json
    assert (answered.code, after["verdict"], after["undecided"]) == (5, "passed", None), answered.out
    (ruling,) = after["rulings"]
    assert (ruling["call"], ruling["answer"], ruling["voter"]["assurance"]) == (CALL, "None", "os")
    assert [approval["answer"] for approval in after["approvals"] if approval["gate"] == "apply"] == ["decided"]
    assert after["evidence_digest"] != before["evidence_digest"]
    (tests,) = [check for check in after["evidence"]["checks"] if check["check"] == "tests"]
    decided = [test for test in tests["red"] if "_decided_" in test]
    assert len(decided) == 1
    assert set(decided) < set(tests["green"]) == set(tests["reverted"])
    assert f"assert {CALL} is None" in after["built"]["patch"]["diff"]
    assert repo.whet("answer", proposal, "1", "--json").code == 3  # nothing is undecided any more

    assert repo.whet("approve", proposal, "--yes", "--json").code == 0
    assert repo.sh("git", "show", f"whet/{proposal}:{decided[0].partition('::')[0]}").startswith('"""Decided by ')
    assert repo.whet("audit", "--json").code == 0


@pytest.mark.slow
def test_an_example_in_the_docstring_decides_without_a_question(make_repo: MakeRepo) -> None:
    example = """    '''Return the key.\n\n    >>> customer_key({"name": None})\n    'none'\n    '''\n"""
    documented = CUSTOMERS.replace("(record):\n", f"(record):\n{example}")
    repo = make_repo(files(documented))
    result = repo.whet("run", "--json")
    (view,) = result.json
    assert (view["verdict"], view["undecided"]) == ("passed", None), result.out
