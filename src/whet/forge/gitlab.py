"""GitLab: gitlab.com and servers of your own. Its pull requests are called merge requests."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from whet.domain.pull_request import (
    OWN_CHECK,
    CheckReport,
    CheckState,
    CommitCheck,
    ForgeReview,
    PullRequest,
    RequestDraft,
    RequestState,
)
from whet.domain.verdict import Verdict
from whet.forge.client import Client
from whet.forge.place import ForgePlace

_STATES = {"opened": RequestState.OPEN, "locked": RequestState.OPEN, "merged": RequestState.MERGED}

_GREEN, _RED = ("success", "skipped"), ("failed", "canceled", "canceling")


class GitLab:
    """One project on GitLab."""

    def __init__(self, place: ForgePlace, timeout_seconds: float) -> None:
        headers = {"Accept": "application/json", "Authorization": f"Bearer {place.token}"}
        self._place, self._client = place, Client(place, headers, timeout_seconds)
        self._project = f"projects/{quote(place.repository, safe='')}"

    def login(self) -> str:
        return str(self._client.get("user")["username"])

    def requests(self, branch: str = "", *, only_open: bool = False) -> Iterator[PullRequest]:
        query = {"state": "opened" if only_open else "all", "order_by": "created_at", "sort": "desc"}
        if branch:
            query["source_branch"] = branch
        for row in self._client.pages(f"{self._project}/merge_requests", **query):
            if row["source_project_id"] == row["target_project_id"]:  # not from a fork
                yield self._read(row)

    def offer(self, draft: RequestDraft) -> PullRequest:
        body = {
            "source_branch": draft.branch,
            "target_branch": draft.base,
            "title": draft.title,
            "description": draft.body,
            "labels": ",".join(draft.labels),
        }
        return self._read(self._client.post(f"{self._project}/merge_requests", body))

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        changes = {"title": draft.title, "description": draft.body, "add_labels": ",".join(draft.labels)}
        return self._read(self._client.put(f"{self._project}/merge_requests/{number}", changes))

    def comment(self, number: int, text: str) -> None:
        self._client.post(f"{self._project}/merge_requests/{number}/notes", {"body": text})

    def close(self, number: int, why: str) -> None:
        self.comment(number, why)
        self._client.put(f"{self._project}/merge_requests/{number}", {"state_event": "close"})

    def look(self, number: int) -> PullRequest:
        return self._read(self._client.get(f"{self._project}/merge_requests/{number}"))

    def reviews(self, number: int) -> list[ForgeReview]:
        """Return nothing: an approval on GitLab does not name the commit that it is about."""
        del number
        return []

    def checks(self, request: PullRequest) -> list[CommitCheck]:
        """Return the jobs of the newest pipeline; the pipeline itself, if it is not green although its jobs are."""
        pipeline = self._client.get(f"{self._project}/merge_requests/{request.number}").get("head_pipeline")
        if not pipeline:
            return []
        path = f"{self._project}/repository/commits/{pipeline['sha']}/statuses"
        jobs = [_job(row) for row in self._client.pages(path, pipeline_id=int(pipeline["id"]))]
        whole = CommitCheck(name=f"pipeline {pipeline['id']}", state=_check_state(pipeline["status"]))
        return jobs if any(job.state is not CheckState.PASSED for job in jobs) else [*jobs, whole]

    def merge(self, number: int, head: str) -> None:
        self._client.put(f"{self._project}/merge_requests/{number}/merge", {"sha": head})

    def report(self, check: CheckReport) -> str:
        state = "success" if check.verdict is Verdict.PASSED else "failed"
        status = {"state": state, "name": OWN_CHECK, "description": check.title[:255]}
        return str(self._client.post(f"{self._project}/statuses/{check.commit}", status).get("target_url") or "")

    def _read(self, row: Any) -> PullRequest:
        state = _STATES.get(str(row["state"]), RequestState.CLOSED)
        merger = row.get("merge_user") or row.get("merged_by") or {}
        commit = row.get("squash_commit_sha") or row.get("merge_commit_sha") or row["sha"]  # the last: fast-forward
        merged = state is RequestState.MERGED
        return PullRequest(
            host=self._place.host,
            repository=self._place.repository,
            number=int(row["iid"]),
            url=str(row["web_url"]),
            branch=str(row["source_branch"]),
            base=str(row["target_branch"]),
            head=str(row["sha"] or ""),
            state=state,
            author=str((row.get("author") or {}).get("username", "")),
            merge_commit=str(row.get("merge_commit_sha") or commit) if merged else "",
            merged_by=str(merger.get("username", "")) if merged else "",
            body=str(row.get("description") or ""),
        )


def _job(row: Any) -> CommitCheck:
    """Return a job as a check. A job that may fail, or that waits for a person although it need not run, holds up nothing."""
    optional = row.get("allow_failure") and row["status"] in ("failed", "manual")
    return CommitCheck(name=str(row["name"]), state=CheckState.PASSED if optional else _check_state(row["status"]))


def _check_state(status: str) -> CheckState:
    if status in _GREEN:
        return CheckState.PASSED
    return CheckState.FAILED if status in _RED else CheckState.PENDING
