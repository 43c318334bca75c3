"""Gitea and Forgejo, which share one API."""

from collections.abc import Iterator
from typing import Any

from whet.domain.pull_request import CheckReport, ForgeReview, PullRequest, RequestDraft, RequestState
from whet.domain.verdict import Verdict
from whet.forge.client import Client
from whet.forge.place import ForgePlace

_DECISIVE = ("APPROVED", "REQUEST_CHANGES")


class Gitea:
    """One repository on Gitea or Forgejo."""

    def __init__(self, place: ForgePlace, timeout_seconds: float) -> None:
        headers = {"Accept": "application/json", "Authorization": f"token {place.token}"}
        self._place, self._client = place, Client(place, headers, timeout_seconds)
        self._repo = f"repos/{place.repository}"

    def login(self) -> str:
        return str(self._client.get("user")["login"])

    def requests(self, branch: str = "", *, only_open: bool = False) -> Iterator[PullRequest]:
        query = {"state": "open" if only_open else "all", "sort": "newest", "limit": 50}
        for row in self._client.pages(f"{self._repo}/pulls", **query):
            request = self._read(row)
            if self._is_own(row) and branch in ("", request.branch):
                yield request

    def offer(self, draft: RequestDraft) -> PullRequest:
        body = {"title": draft.title, "head": draft.branch, "base": draft.base, "body": draft.body}
        numbers = self._label_numbers(draft.labels)
        return self._read(self._client.post(f"{self._repo}/pulls", {**body, "labels": numbers}))

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        body = {"title": draft.title, "body": draft.body}
        return self._read(self._client.patch(f"{self._repo}/pulls/{number}", body))

    def _label_numbers(self, labels: tuple[str, ...]) -> list[int]:
        """Return the numbers of those labels that the repository has: a pull request takes numbers, not names."""
        rows = self._client.pages(f"{self._repo}/labels", limit=50) if labels else []
        return [int(row["id"]) for row in rows if row["name"] in labels]

    def close(self, number: int, why: str) -> None:
        self._client.post(f"{self._repo}/issues/{number}/comments", {"body": why})
        self._client.patch(f"{self._repo}/pulls/{number}", {"state": "closed"})

    def look(self, number: int) -> PullRequest:
        return self._read(self._client.get(f"{self._repo}/pulls/{number}"))

    def reviews(self, number: int) -> list[ForgeReview]:
        last: dict[str, ForgeReview] = {}
        for row in self._client.pages(f"{self._repo}/pulls/{number}/reviews", limit=50):
            login = str((row.get("user") or {}).get("login", ""))
            if login and row["state"] in _DECISIVE:
                approved = row["state"] == "APPROVED" and not row.get("dismissed")
                commit = str(row.get("commit_id") or "")
                last[login] = ForgeReview(id=str(row["id"]), login=login, commit=commit, approved=approved)
        return list(last.values())

    def merge(self, number: int, head: str) -> None:
        self._client.act(f"{self._repo}/pulls/{number}/merge", {"Do": "merge", "head_commit_id": head})

    def report(self, check: CheckReport) -> str:
        state = "success" if check.verdict is Verdict.PASSED else "failure"
        status = {"state": state, "context": "whet", "description": check.title[:255]}
        return str(self._client.post(f"{self._repo}/statuses/{check.commit}", status).get("target_url") or "")

    def _is_own(self, row: Any) -> bool:
        repository = (row["head"].get("repo") or {}).get("full_name", "")
        return str(repository).lower() == self._place.repository.lower()

    def _read(self, row: Any) -> PullRequest:
        merged = bool(row.get("merged"))
        return PullRequest(
            host=self._place.host,
            repository=self._place.repository,
            number=int(row["number"]),
            url=str(row["html_url"]),
            branch=str(row["head"]["ref"]),
            base=str(row["base"]["ref"]),
            head=str(row["head"]["sha"]),
            state=RequestState.MERGED if merged else RequestState(row["state"]),
            author=str((row.get("user") or {}).get("login", "")),
            merge_commit=str(row.get("merge_commit_sha") or "") if merged else "",
            merged_by=str((row.get("merged_by") or {}).get("login", "")) if merged else "",
            body=str(row.get("body") or ""),
        )
