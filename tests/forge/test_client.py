"""Failing requests: every fault of a forge becomes a sentence, and nothing that may have happened is repeated."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forge.github_server import BOT, REPOSITORY, TOKEN, Fault, GitHubServer
from whet.domain.pull_request import CheckAnnotation, CheckReport, RequestDraft, RequestState
from whet.domain.verdict import Verdict
from whet.errors import ForgeRefused, ForgeUnavailable
from whet.forge import client
from whet.forge.github import GitHub
from whet.forge.place import ForgePlace

DRAFT = RequestDraft(branch="whet/p-1", base="main", title="fix", body="why", labels=("whet", "bot"))


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that the client makes, in seconds; none of them is really waited for."""
    pauses: list[float] = []
    original = client.Client.__init__

    def init(self: client.Client, *args: object, **kwargs: object) -> None:
        original(self, *args, **{**kwargs, "sleep": pauses.append})  # type: ignore[arg-type]

    monkeypatch.setattr(client.Client, "__init__", init)
    return pauses


@pytest.fixture
def forge(github: GitHubServer, waited: list[float], monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    commit = github.git("commit-tree", github.git("hash-object", "-w", "-t", "tree", "/dev/null"), "-m", "first")
    for branch in ("main", "whet/p-1", "whet/p-2"):
        github.git("branch", branch, commit)
    url = f"{github.address}/{REPOSITORY}.git"
    yield GitHub(ForgePlace("github", REPOSITORY, github.address, url, "GITHUB_TOKEN"), 10)
    github.page_size = 100


def test_a_pull_request_is_opened_found_updated_and_closed(forge: GitHub, github: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    assert (opened.number, opened.state, opened.author) == (1, RequestState.OPEN, BOT)
    assert github.labels[1] == ["whet", "bot"]
    assert next(forge.requests("whet/p-1")) == opened
    assert list(forge.requests("whet/p-2")) == []
    assert forge.update(1, RequestDraft(branch="whet/p-1", base="main", title="t", body="new")).body == "new"
    forge.close(1, "withdrawn")
    assert (forge.look(1).state, github.comments[1]) == (RequestState.CLOSED, ["withdrawn"])
    assert list(forge.requests("whet/p-1", only_open=True)) == []
    assert forge.login() == BOT


def test_pull_requests_of_forks_are_not_taken_for_whets_own(forge: GitHub, github: GitHubServer) -> None:
    forge.offer(DRAFT)
    github.pulls[0]["head"]["repo"] = {"full_name": "mallory/shop"}
    assert list(forge.requests("whet/p-1")) == []


def test_every_page_is_read(forge: GitHub, github: GitHubServer) -> None:
    forge.offer(DRAFT)
    forge.offer(RequestDraft(branch="whet/p-2", base="main", title="t", body=""))
    github.page_size = 1
    assert [request.number for request in forge.requests()] == [2, 1]


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (429, {"Retry-After": "7"}, 7.0),
        (403, {"Retry-After": "3"}, 3.0),  # GitHub's secondary limit
        (502, {}, 1.0),
        (0, {}, 1.0),
    ],
)
def test_a_passing_fault_is_waited_for(
    forge: GitHub, github: GitHubServer, waited: list[float], status: int, headers: dict[str, str], pause: float
) -> None:
    forge.offer(DRAFT)
    github.faults = [Fault("GET", "/pulls/1$", status, headers)]
    assert forge.look(1).number == 1
    assert waited == [pause]


def test_a_refused_post_is_sent_again_after_the_pause(forge: GitHub, github: GitHubServer, waited: list[float]) -> None:
    github.faults = [Fault("POST", "/pulls$", 429, {"Retry-After": "2"})]
    assert forge.offer(DRAFT).number == 1
    assert waited == [2.0]


@pytest.mark.parametrize("status", [0, 500, 503])
def test_a_post_that_may_have_had_its_effect_is_not_sent_again(
    forge: GitHub, github: GitHubServer, status: int
) -> None:
    github.faults = [Fault("POST", "/pulls$", status, after=True, times=9)]
    with pytest.raises(ForgeUnavailable):
        forge.offer(DRAFT)
    assert github.log.count(("POST", f"/api/v3/repos/{REPOSITORY}/pulls")) == 1


def test_a_long_limit_is_left_to_a_later_look(forge: GitHub, github: GitHubServer, waited: list[float]) -> None:
    github.faults = [Fault("GET", "/pulls/1$", 429, {"Retry-After": "3600"})]
    with pytest.raises(ForgeUnavailable, match="no more requests for 3600 s"):
        forge.look(1)
    assert waited == []


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (401, {}, "does not accept the token in GITHUB_TOKEN"),
        (403, {}, r"refuses \(403\): no rights"),
        (404, {}, "does not show it to the token"),
        (409, {}, r"refuses \(409\)"),
        (422, {}, r"refuses \(422\): no rights; too long"),
        (301, {"Location": "https://evil.example/repositories/1"}, "has moved"),
    ],
)
def test_a_refusal_is_a_sentence_with_the_forges_words(
    forge: GitHub, github: GitHubServer, status: int, headers: dict[str, str], words: str
) -> None:
    body = {"message": "no rights", "errors": [{"message": "too long"}] if status == 422 else []}
    github.faults = [Fault("GET", "/pulls/1$", status, headers, body)]
    with pytest.raises(ForgeRefused, match=words) as refused:
        forge.look(1)
    assert TOKEN not in refused.value.message
    assert refused.value.remedy


def test_a_page_that_is_not_json_is_named(forge: GitHub, github: GitHubServer) -> None:
    github.faults = [Fault("GET", "/pulls/1$", 200, {"Content-Type": "text/html"})]
    with pytest.raises(ForgeUnavailable, match="not JSON"):
        forge.look(1)


def test_the_last_review_of_each_person_counts(forge: GitHub, github: GitHubServer) -> None:
    forge.offer(DRAFT)
    github.review(1, "alice")
    github.review(1, "bob")
    github.review(1, "bob", "CHANGES_REQUESTED")
    github.review(1, "carol", "COMMENTED")
    assert {(review.login, review.approved) for review in forge.reviews(1)} == {("alice", True), ("bob", False)}


@pytest.mark.parametrize(
    ("verdict", "conclusion", "state"),
    [
        (Verdict.PASSED, "success", "success"),
        (Verdict.FAILED, "failure", "failure"),
        (Verdict.INCONCLUSIVE, "action_required", "failure"),
    ],
)
def test_only_a_passed_proof_satisfies_a_required_check(
    forge: GitHub, github: GitHubServer, verdict: Verdict, conclusion: str, state: str
) -> None:
    remark = CheckAnnotation(path="a.py", line=3, level="warning", title="guard", text="look here")
    check = CheckReport(commit="a" * 40, verdict=verdict, title="t", summary="s" * 70_000, annotations=(remark,) * 60)
    assert forge.report(check).endswith("/runs/1")
    [run] = github.checks
    assert (run["conclusion"], run["head_sha"], len(run["output"]["annotations"])) == (conclusion, "a" * 40, 50)
    github.check_runs_allowed = False
    forge.report(check)
    assert [status["state"] for status in github.statuses] == [state]


@pytest.mark.parametrize(
    ("status", "conclusion", "state"),
    [
        ("completed", "success", "passed"),
        ("completed", "skipped", "passed"),
        ("completed", "neutral", "passed"),
        ("completed", "failure", "failed"),
        ("completed", "cancelled", "failed"),
        ("completed", "timed_out", "failed"),
        ("completed", "action_required", "failed"),
        ("completed", None, "failed"),
        ("queued", None, "pending"),
        ("in_progress", None, "pending"),
        ("waiting", None, "pending"),
    ],
)
def test_a_check_run_counts_as_githubs_own_rules_count_it(
    forge: GitHub, github: GitHubServer, status: str, conclusion: str | None, state: str
) -> None:
    opened = forge.offer(DRAFT)
    run = {"name": "tests", "head_sha": opened.head, "status": status, "conclusion": conclusion}
    github.checks.append(run)
    assert [(check.name, check.state) for check in forge.checks(opened)] == [("tests", state)]


def test_check_runs_and_statuses_are_both_read_to_the_last_page(forge: GitHub, github: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    for name in ("lint", "tests"):
        github.ci(opened.head, name, "success")
    github.statuses += [{"context": f"old-{name}", "state": name, "sha": opened.head} for name in ("pending", "error")]
    github.ci(github.git("commit-tree", f"{opened.head}^{{tree}}", "-m", "other"), "elsewhere", "failure")
    github.page_size = 1
    states = {check.name: check.state.value for check in forge.checks(opened)}
    assert states == {"lint": "passed", "tests": "passed", "old-pending": "pending", "old-error": "failed"}


@pytest.mark.parametrize("answer", [[1], "no", {"statuses": 3}])
def test_checks_that_cannot_be_read_are_no_green_checks(forge: GitHub, github: GitHubServer, answer: object) -> None:
    opened = forge.offer(DRAFT)
    github.faults = [Fault("GET", "/status$", 200, body=answer)]
    with pytest.raises(ForgeUnavailable, match="has no list of statuses"):
        forge.checks(opened)


def test_the_server_refuses_a_request_that_github_would_not_understand(github: GitHubServer) -> None:
    from tests.forge.github_server import violations

    path = f"/repos/{REPOSITORY}/pulls"
    assert violations("POST", path, {}, {"head": "a", "base": "b", "title": "t"}) == []
    assert violations("POST", path, {}, {"head": "a", "base": "b", "titel": "t"})
    assert violations("POST", path, {}, {"head": "a"})
    assert violations("GET", path, {"state": "merged"}, None)
    assert violations("GET", path, {"branch": "x"}, None)
    assert violations("DELETE", path, {}, None)
    assert Path(__file__).with_name("github-openapi.json").is_file()
