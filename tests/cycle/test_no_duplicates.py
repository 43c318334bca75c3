"""A finding is proposed once: not again while it waits at a gate, nor after it was completed on an unmoved base."""

from tests.cycle.test_dry_run_agrees import ADD, ADD_TEST, repository
from tests.support import MakeRepo


def test_a_finding_that_waits_at_a_gate_is_not_proposed_again(make_repo: MakeRepo) -> None:
    repo = make_repo(repository(ADD, ADD_TEST))
    assert repo.whet("run", "--json").code == 5
    [first] = repo.whet("list", "--json").json
    again = repo.whet("run")
    assert again.code == 0
    assert f"{first['proposal']} is open for it" in again.out
    assert len(repo.whet("list", "--json").json) == 1


def test_a_finding_completed_on_a_branch_is_not_proposed_again_until_the_base_moves(make_repo: MakeRepo) -> None:
    repo = make_repo(repository(ADD, ADD_TEST))
    assert repo.whet("run", "--json").code == 5
    [first] = repo.whet("list", "--json").json
    assert repo.whet("approve", first["proposal"], "--yes", "--json").code == 0
    assert repo.whet("list", "--json").json[0]["status"] == "completed"
    again = repo.whet("run")
    assert f"{first['proposal']} has fixed it on the branch whet/{first['proposal']}" in again.out
    assert len(repo.whet("list", "--json").json) == 1
    repo.commit({"notes.md": "the base moves\n"})
    assert repo.whet("run", "--json").code == 5


def test_failing_tests_with_one_cause_lead_to_one_proposal(make_repo: MakeRepo) -> None:
    tests = "def test_a():\n    assert add(2, 3) == 5\n\n\ndef test_b():\n    assert add(1, 1) == 2\n"
    repo = make_repo(repository(ADD, tests))
    repo.whet("run", "--top", "3", "--json")
    [proposal] = repo.whet("list", "--json").json
    assert proposal["status"] == "waiting_apply"


def test_a_run_without_a_patch_continues_with_the_next_finding(make_repo: MakeRepo) -> None:
    source = "def parse(text):\n    return {}\n\n\n" + ADD
    tests = "def test_a_parse():\n    assert parse('a=1') == {'a': '1', 'b': '2'}\n\n\n" + ADD_TEST
    repo = make_repo(repository(source, tests))
    result = repo.whet("run")
    assert result.code == 5, result.out
    assert "not_built" in result.out
    assert "the most suspicious lines:\n    shop.py:2 in parse" in result.out
    assert "continuing with the next finding" in result.out
    assert "waits at the apply gate" in result.out


def test_a_run_can_be_limited_to_one_finding(make_repo: MakeRepo) -> None:
    source = ADD + "\n\ndef last(items):\n    return items[0]\n"
    repo = make_repo(repository(source, ADD_TEST + "\n\ndef test_last():\n    assert last([1, 2]) == 2\n"))
    findings = repo.whet("scan", "--json").json["findings"]
    last = next(row["finding"] for row in findings if "test_last" in row["finding"]["title"])
    assert last["id"] in repo.whet("scan").out
    assert repo.whet("run", "--finding", last["id"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert "last" in proposal["title"]
    unknown = repo.whet("run", "--finding", "f-none")
    assert unknown.code == 2
    assert f"there is no finding 'f-none': the findings are {findings[0]['finding']['id']}, " in unknown.err
    assert "observing" not in unknown.err, "the record of the last cycle is enough"
