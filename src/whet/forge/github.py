"""GitHub, and GitHub Enterprise Server."""

from collections.abc import Iterator
from typing import Any

from whet.domain.pull_request import OWN_CHECK, CheckReport, CheckState, CommitCheck, PullRequest, RequestDraft
from whet.domain.verdict import Verdict
from whet.errors import ForgeRefused
from whet.forge.client import Client
from whet.forge.place import ForgePlace
from whet.forge.pulls_api import PullsApi

_CONCLUSIONS = {Verdict.PASSED: "success", Verdict.FAILED: "failure", Verdict.INCONCLUSIVE: "action_required"}
_GREEN = ("success", "neutral", "skipped")  # as GitHub's own rules for branches count them
_MOST_ANNOTATIONS = 50  # of one request
_MOST_TEXT = 65_000


class GitHub(PullsApi):
    """One repository on GitHub."""

    decisive = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")

    def __init__(self, place: ForgePlace, timeout_seconds: float) -> None:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {place.token}",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        super().__init__(place, Client(place, headers, timeout_seconds))

    def login(self) -> str:
        try:
            return str(self._client.get("user")["login"])
        except ForgeRefused:
            return ""  # the token of an app or of Actions has no user

    def requests(self, branch: str = "", *, only_open: bool = False) -> Iterator[PullRequest]:
        query = {"state": "open" if only_open else "all", "sort": "created", "direction": "desc"}
        if branch:
            query["head"] = f"{self._place.repository.partition('/')[0]}:{branch}"
        for row in self._client.pages(f"{self._repo}/pulls", **query):
            request = self._read(row)
            if self._is_own(row) and branch in ("", request.branch):
                yield request

    def offer(self, draft: RequestDraft) -> PullRequest:
        request = self._open(draft)
        self._label(request.number, draft.labels)
        return request

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        request = super().update(number, draft)
        self._label(number, draft.labels)
        return request

    def _label(self, number: int, labels: tuple[str, ...]) -> None:
        if labels:
            self._client.post(f"{self._repo}/issues/{number}/labels", {"labels": list(labels)})

    def checks(self, request: PullRequest) -> list[CommitCheck]:
        """Return the check runs of the head commit and its statuses: GitHub keeps them apart."""
        runs = self._client.parts(f"{self._repo}/commits/{request.head}/check-runs", "check_runs")
        return [*map(_check, runs), *self._statuses(request.head)]

    def merge(self, number: int, head: str) -> None:
        self._client.put(f"{self._repo}/pulls/{number}/merge", {"sha": head})

    def report(self, check: CheckReport) -> str:
        try:
            return str(self._client.post(f"{self._repo}/check-runs", _check_run(check)).get("html_url") or "")
        except ForgeRefused as refusal:
            if "(403)" not in refusal.message:
                raise
        # Only apps may write check runs; other tokens may write a status.
        state = "success" if check.verdict is Verdict.PASSED else "failure"
        return self._status(check.commit, state, check.title[:140])


def _check(run: Any) -> CommitCheck:
    done = CheckState.PASSED if run["conclusion"] in _GREEN else CheckState.FAILED
    return CommitCheck(name=str(run["name"]), state=done if run["status"] == "completed" else CheckState.PENDING)


def _check_run(check: CheckReport) -> dict[str, Any]:
    annotations = [
        {
            "path": remark.path,
            "start_line": max(remark.line, 1),
            "end_line": max(remark.line, 1),
            "annotation_level": remark.level,
            "title": remark.title[:255],
            "message": remark.text[:_MOST_TEXT],
        }
        for remark in check.annotations[:_MOST_ANNOTATIONS]
    ]
    return {
        "name": OWN_CHECK,
        "head_sha": check.commit,
        "status": "completed",
        "conclusion": _CONCLUSIONS[check.verdict],
        "output": {"title": check.title, "summary": check.summary[:_MOST_TEXT], "annotations": annotations},
    }
