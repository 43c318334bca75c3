"""Gitea and Forgejo, which share one API."""

from collections.abc import Iterator

from whet.domain.pull_request import CheckReport, CommitCheck, PullRequest, RequestDraft
from whet.domain.verdict import Verdict
from whet.forge.client import Client
from whet.forge.place import ForgePlace
from whet.forge.pulls_api import PullsApi


class Gitea(PullsApi):
    """One repository on Gitea or Forgejo."""

    decisive = ("APPROVED", "REQUEST_CHANGES")

    def __init__(self, place: ForgePlace, timeout_seconds: float) -> None:
        headers = {"Accept": "application/json", "Authorization": f"token {place.token}"}
        super().__init__(place, Client(place, headers, timeout_seconds, page_size={"limit": 50}))

    def login(self) -> str:
        return str(self._client.get("user")["login"])

    def requests(self, branch: str = "", *, only_open: bool = False) -> Iterator[PullRequest]:
        # Without a sort the newest come first; the API has no name for that order.
        for row in self._client.pages(f"{self._repo}/pulls", state="open" if only_open else "all"):
            request = self._read(row)
            if self._is_own(row) and branch in ("", request.branch):
                yield request

    def offer(self, draft: RequestDraft) -> PullRequest:
        return self._open(draft, labels=self._label_numbers(draft.labels))

    def _label_numbers(self, labels: tuple[str, ...]) -> list[int]:
        """Return the numbers of those labels that the repository has: a pull request takes numbers, not names."""
        rows = self._client.pages(f"{self._repo}/labels") if labels else []
        return [int(row["id"]) for row in rows if row["name"] in labels]

    def checks(self, request: PullRequest) -> list[CommitCheck]:
        return list(self._statuses(request.head))

    def merge(self, number: int, head: str) -> None:
        # Newer versions call the field `do`, older ones `Do`; the older read names without regard to case.
        self._client.act(f"{self._repo}/pulls/{number}/merge", {"do": "merge", "head_commit_id": head})

    def report(self, check: CheckReport) -> str:
        state = "success" if check.verdict is Verdict.PASSED else "failure"
        return self._status(check.commit, state, check.title[:255])
