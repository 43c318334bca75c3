"""The requests that GitHub's API and Gitea's have in common: Gitea's is modelled on GitHub's."""

from collections.abc import Iterator, Mapping
from typing import Any

from whet.domain.pull_request import (
    OWN_CHECK,
    CheckState,
    CommitCheck,
    ForgeReview,
    PullRequest,
    RequestDraft,
    RequestState,
)
from whet.forge.client import Client
from whet.forge.place import ForgePlace

_STATES = {"success": CheckState.PASSED, "skipped": CheckState.PASSED, "pending": CheckState.PENDING}


class PullsApi:
    """One repository under `repos/`, with its pull requests.

    `decisive` are the states of reviews that replace an earlier one of the same person.
    """

    decisive: tuple[str, ...]

    def __init__(self, place: ForgePlace, client: Client) -> None:
        self._place, self._client = place, client
        self._repo = f"repos/{place.repository}"

    def look(self, number: int) -> PullRequest:
        return self._read(self._client.get(f"{self._repo}/pulls/{number}"))

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        body = {"title": draft.title, "body": draft.body}
        return self._read(self._client.patch(f"{self._repo}/pulls/{number}", body))

    def comment(self, number: int, text: str) -> None:
        self._client.post(f"{self._repo}/issues/{number}/comments", {"body": text})

    def close(self, number: int, why: str) -> None:
        self.comment(number, why)
        self._client.patch(f"{self._repo}/pulls/{number}", {"state": "closed"})

    def reviews(self, number: int) -> list[ForgeReview]:
        last: dict[str, ForgeReview] = {}
        for row in self._client.pages(f"{self._repo}/pulls/{number}/reviews"):
            login = _login(row.get("user"))
            if login and row["state"] in self.decisive:
                approved = row["state"] == "APPROVED" and not row.get("dismissed")
                commit = str(row.get("commit_id") or "")
                last[login] = ForgeReview(id=str(row["id"]), login=login, commit=commit, approved=approved)
        return list(last.values())

    def _open(self, draft: RequestDraft, **more: object) -> PullRequest:
        body = {"title": draft.title, "head": draft.branch, "base": draft.base, "body": draft.body, **more}
        return self._read(self._client.post(f"{self._repo}/pulls", body))

    def _statuses(self, commit: str) -> Iterator[CommitCheck]:
        """Yield the newest status of each context. Everything but a success or a wait is a failure."""
        for row in self._client.parts(f"{self._repo}/commits/{commit}/status", "statuses"):
            state = _STATES.get(row.get("state") or row.get("status"), CheckState.FAILED)
            yield CommitCheck(name=str(row["context"]), state=state)

    def _status(self, commit: str, state: str, title: str) -> str:
        status = {"state": state, "context": OWN_CHECK, "description": title}
        return str(self._client.post(f"{self._repo}/statuses/{commit}", status).get("target_url") or "")

    def _is_own(self, row: Any) -> bool:
        """True if the branch is in this repository. Anybody can open a pull request from a fork, with any body."""
        repository = (row["head"].get("repo") or {}).get("full_name", "")
        return str(repository).lower() == self._place.repository.lower()

    def _read(self, row: Any) -> PullRequest:
        merged = bool(row.get("merged") or row.get("merged_at"))
        return PullRequest(
            host=self._place.host,
            repository=self._place.repository,
            number=int(row["number"]),
            url=str(row["html_url"]),
            branch=str(row["head"]["ref"]),
            base=str(row["base"]["ref"]),
            head=str(row["head"]["sha"]),
            state=RequestState.MERGED if merged else RequestState(row["state"]),
            author=_login(row.get("user")),
            merge_commit=str(row.get("merge_commit_sha") or "") if merged else "",
            merged_by=_login(row.get("merged_by")) if merged else "",
            body=str(row.get("body") or ""),
        )


def _login(user: Mapping[str, Any] | None) -> str:
    return str((user or {}).get("login", ""))
