"""GitHub, and GitHub Enterprise Server."""

from collections.abc import Iterator
from typing import Any

from whet.domain.pull_request import CheckReport, ForgeReview, PullRequest, RequestDraft, RequestState
from whet.domain.verdict import Verdict
from whet.errors import ForgeRefused
from whet.forge.client import Client
from whet.forge.place import ForgePlace

_CONCLUSIONS = {Verdict.PASSED: "success", Verdict.FAILED: "failure", Verdict.INCONCLUSIVE: "action_required"}
_MOST_ANNOTATIONS = 50  # of one request
_MOST_TEXT = 65_000
_DECISIVE = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
_CHECK = "whet"


class GitHub:
    """One repository on GitHub."""

    def __init__(self, place: ForgePlace, timeout_seconds: float) -> None:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {place.token}",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        self._place, self._client = place, Client(place, headers, timeout_seconds)
        self._repo = f"repos/{place.repository}"

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
        body = {"title": draft.title, "head": draft.branch, "base": draft.base, "body": draft.body}
        request = self._read(self._client.post(f"{self._repo}/pulls", body))
        self._label(request.number, draft.labels)
        return request

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        body = {"title": draft.title, "body": draft.body}
        request = self._read(self._client.patch(f"{self._repo}/pulls/{number}", body))
        self._label(number, draft.labels)
        return request

    def _label(self, number: int, labels: tuple[str, ...]) -> None:
        if labels:
            self._client.post(f"{self._repo}/issues/{number}/labels", {"labels": list(labels)})

    def close(self, number: int, why: str) -> None:
        self._client.post(f"{self._repo}/issues/{number}/comments", {"body": why})
        self._client.patch(f"{self._repo}/pulls/{number}", {"state": "closed"})

    def look(self, number: int) -> PullRequest:
        return self._read(self._client.get(f"{self._repo}/pulls/{number}"))

    def reviews(self, number: int) -> list[ForgeReview]:
        last: dict[str, ForgeReview] = {}
        for row in self._client.pages(f"{self._repo}/pulls/{number}/reviews"):
            login = str((row.get("user") or {}).get("login", ""))
            if login and row["state"] in _DECISIVE:
                approved, commit = row["state"] == "APPROVED", str(row.get("commit_id") or "")
                last[login] = ForgeReview(id=str(row["id"]), login=login, commit=commit, approved=approved)
        return list(last.values())

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
        status = {"state": state, "context": _CHECK, "description": check.title[:140]}
        return str(self._client.post(f"{self._repo}/statuses/{check.commit}", status).get("target_url") or "")

    def _is_own(self, row: Any) -> bool:
        """True if the branch is in this repository. Anybody can open a pull request from a fork, with any body."""
        repository = (row["head"].get("repo") or {}).get("full_name", "")
        return str(repository).lower() == self._place.repository.lower()

    def _read(self, row: Any) -> PullRequest:
        merged = bool(row.get("merged") or row.get("merged_at"))
        state = RequestState.MERGED if merged else RequestState(row["state"])
        return PullRequest(
            host=self._place.host,
            repository=self._place.repository,
            number=int(row["number"]),
            url=str(row["html_url"]),
            branch=str(row["head"]["ref"]),
            base=str(row["base"]["ref"]),
            head=str(row["head"]["sha"]),
            state=state,
            author=str((row.get("user") or {}).get("login", "")),
            merge_commit=str(row.get("merge_commit_sha") or "") if merged else "",
            merged_by=str((row.get("merged_by") or {}).get("login", "")),
            body=str(row.get("body") or ""),
        )


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
        "name": _CHECK,
        "head_sha": check.commit,
        "status": "completed",
        "conclusion": _CONCLUSIONS[check.verdict],
        "output": {"title": check.title, "summary": check.summary[:_MOST_TEXT], "annotations": annotations},
    }
