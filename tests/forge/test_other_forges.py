"""Gitea and GitLab: the same acts as on GitHub, against servers that allow only what their published APIs allow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forge.conftest import make_shop, prove
from tests.forge.github_server import BOT, REPOSITORY, TOKEN, Fault, GitHubServer
from tests.forge.other_servers import GiteaServer, GitLabServer
from whet.domain.pull_request import CheckReport, PullRequest, RequestDraft, RequestState
from whet.domain.verdict import Verdict
from whet.errors import ForgeRefused, ForgeUnavailable, NotOnForge
from whet.forge import Forge, client
from whet.forge.kinds import connect
from whet.forge.place import ForgePlace

DRAFT = RequestDraft(branch="whet/p-1", base="main", title="fix", body="why", labels=("whet", "bot"))
SERVERS = {"gitea": GiteaServer, "gitlab": GitLabServer}


@pytest.fixture(scope="module", params=SERVERS)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHubServer]:
    server = SERVERS[request.param](tmp_path_factory.mktemp(request.param))
    yield server
    server.close()


@pytest.fixture
def other(running: GitHubServer) -> Iterator[GitHubServer]:
    """The server without any pull request. A request that its API does not allow fails the test."""
    running.reset()
    yield running
    assert running.violations == []
    running.page_size = 100


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    pauses: list[float] = []
    original = client.Client.__init__

    def init(self: client.Client, *args: object, **kwargs: object) -> None:
        original(self, *args, **{**kwargs, "sleep": pauses.append})  # type: ignore[arg-type]

    monkeypatch.setattr(client.Client, "__init__", init)
    return pauses


@pytest.fixture
def forge(other: GitHubServer, waited: list[float], monkeypatch: pytest.MonkeyPatch) -> Forge:
    kind = "gitea" if isinstance(other, GiteaServer) else "gitlab"
    variable = f"{kind.upper()}_TOKEN"
    monkeypatch.setenv(variable, TOKEN)
    commit = other.git("commit-tree", other.git("hash-object", "-w", "-t", "tree", "/dev/null"), "-m", "first")
    for branch in ("main", "whet/p-1", "whet/p-2"):
        other.git("branch", branch, commit)
    url = f"{other.address}/{REPOSITORY}.git"
    return connect(ForgePlace(kind, REPOSITORY, other.address, url, variable), 10)


def test_a_request_is_opened_found_updated_and_closed(forge: Forge, other: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    assert (opened.number, opened.state, opened.author) == (1, RequestState.OPEN, BOT)
    assert (opened.branch, opened.base, opened.head) == ("whet/p-1", "main", other.head("whet/p-1"))
    assert "whet" in other.labels[1]
    assert next(forge.requests("whet/p-1")) == opened
    assert list(forge.requests("whet/p-2")) == []
    assert forge.update(1, RequestDraft(branch="whet/p-1", base="main", title="t", body="new")).body == "new"
    forge.close(1, "withdrawn")
    assert (forge.look(1).state, other.comments[1]) == (RequestState.CLOSED, ["withdrawn"])
    assert list(forge.requests("whet/p-1", only_open=True)) == []
    assert forge.login() == BOT


def test_every_page_is_read(forge: Forge, other: GitHubServer) -> None:
    forge.offer(DRAFT)
    forge.offer(RequestDraft(branch="whet/p-2", base="main", title="t", body=""))
    other.page_size = 1
    assert [request.number for request in forge.requests()] == [2, 1]


def test_a_merge_names_the_commit_and_the_person(forge: Forge, other: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    with pytest.raises(ForgeRefused, match="409"):
        forge.merge(1, "0" * 40)
    forge.merge(1, opened.head)
    merged = forge.look(1)
    assert (merged.state, merged.merged_by, merged.merge_commit) == (RequestState.MERGED, BOT, other.head("main"))


def test_a_second_request_for_a_branch_is_refused_in_the_forges_words(forge: Forge) -> None:
    forge.offer(DRAFT)
    with pytest.raises(ForgeRefused, match=r"already exists"):
        forge.offer(DRAFT)


def test_a_verdict_becomes_a_status_of_the_commit(forge: Forge, other: GitHubServer) -> None:
    for verdict in Verdict:
        forge.report(CheckReport(commit=other.head("main"), verdict=verdict, title="t", summary="s", annotations=()))
    states = [row["state"] for row in other.statuses]
    assert states[0] == "success"
    assert set(states[1:]) <= {"failure", "failed"}, "inconclusive never satisfies a required check"


def test_the_newest_state_of_each_check_counts(forge: Forge, other: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    assert forge.checks(opened) == []
    for name, state in (("lint", "failure"), ("tests", "success"), ("lint", "pending")):
        other.ci(opened.head, name, state)
    assert shown(forge, opened) == {"lint": "pending", "tests": "passed"}
    other.ci(opened.head, "lint", "failure")
    assert shown(forge, opened) == {"lint": "failed", "tests": "passed"}
    other.ci(opened.head, "lint", "success")
    other.page_size = 1
    assert set(shown(forge, opened).values()) == {"passed"}
    assert {"lint", "tests"} <= set(shown(forge, opened)), "every page is read"


def shown(forge: Forge, request: PullRequest) -> dict[str, str]:
    return {check.name: check.state.value for check in forge.checks(request)}


def test_a_job_that_may_fail_holds_up_nothing_and_a_red_pipeline_does(forge: Forge, other: GitHubServer) -> None:
    if not isinstance(other, GitLabServer):
        return
    opened = forge.offer(DRAFT)
    other.ci(opened.head, "optional", "failure")
    assert shown(forge, opened) == {"optional": "passed", "pipeline 12": "passed"}
    other.hidden_failure = True
    assert shown(forge, opened) == {"optional": "passed", "pipeline 12": "failed"}


def test_a_state_that_whet_does_not_know_is_no_success(forge: Forge, other: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    other.ci(opened.head, "tests", "warning" if isinstance(other, GiteaServer) else "waiting_for_callback")
    assert shown(forge, opened)["tests"] != "passed"


FAULTS = {
    401: (ForgeRefused, "does not accept the token"),
    403: (ForgeRefused, "refuses"),
    404: (NotOnForge, "has no acme/shop"),
    409: (ForgeRefused, "refuses"),
    422: (ForgeRefused, "refuses"),
    429: (ForgeUnavailable, "allows no more requests"),
    502: (ForgeUnavailable, "does not answer"),
    0: (ForgeUnavailable, "cannot be reached"),
}


@pytest.mark.parametrize("status", FAULTS)
def test_a_fault_becomes_a_sentence_and_nothing_is_opened_twice(
    forge: Forge, other: GitHubServer, waited: list[float], status: int
) -> None:
    error, words = FAULTS[status]
    headers = {"Retry-After": "600"} if status == 429 else {}
    other.faults.append(Fault("POST", r"pulls$|merge_requests$", status, headers, after=status in (0, 502), times=9))
    with pytest.raises(error, match=words):
        forge.offer(DRAFT)
    assert len(other.pulls) == (1 if status in (0, 502) else 0)
    assert waited == []


def test_a_fault_while_reading_is_waited_for(forge: Forge, other: GitHubServer, waited: list[float]) -> None:
    forge.offer(DRAFT)
    other.faults.append(Fault("GET", r"/1$", 429, {"Retry-After": "7"}))
    assert forge.look(1).number == 1
    assert waited == [7.0]


def test_reviews_of_gitea_name_their_commit_and_those_of_gitlab_do_not_count(forge: Forge, other: GitHubServer) -> None:
    opened = forge.offer(DRAFT)
    other.review(1, "alice", "REQUEST_CHANGES")
    other.review(1, "alice")
    other.review(1, "bob", "COMMENT")
    other.review(1, "carol")
    other.review(1, "carol", "REQUEST_CHANGES")
    if isinstance(other, GitLabServer):
        assert forge.reviews(1) == []
        return
    shown = {review.login: (review.commit, review.approved) for review in forge.reviews(1)}
    assert shown == {"alice": (opened.head, True), "carol": (opened.head, False)}
    other.reviews[1][1]["dismissed"] = True
    assert not next(review for review in forge.reviews(1) if review.login == "alice").approved


@pytest.mark.slow
@pytest.mark.long
def test_a_fix_is_offered_merged_there_and_taken_back(other: GitHubServer, tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop", other.settings)
    repo.sh("git", "push", "--quiet", str(other.bare), "main")
    proposal = prove(repo, other)
    approved = repo.whet("approve", proposal, "--yes", env=other.environment)
    assert approved.code == 5, (approved.out, approved.err)
    [pull] = other.pulls
    assert f"Whet-Proposal: {proposal}" in pull["body"]
    merged = other.merge(1, by="alice")
    resumed = repo.whet("resume", "--json", env=other.environment)
    assert resumed.code == 0, (resumed.out, resumed.err)
    [_, deployment] = repo.whet("show", proposal, "--json").json["deployments"]
    assert (deployment["merge_commit"], deployment["actor"]) == (merged, "alice on " + other.address[7:])
    assert repo.whet("rollback", proposal, "--why", "it hurts", env=other.environment).code == 0
    assert other.pulls[1]["title"].startswith("Revert ")
    assert repo.whet("audit").code == 0
