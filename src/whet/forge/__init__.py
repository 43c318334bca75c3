"""Forges over HTTP: GitHub, GitLab, Gitea and Forgejo. `place.py` says where, each kind has a file with its requests."""

from collections.abc import Iterator
from typing import Protocol

from whet.domain.pull_request import CheckReport, CommitCheck, ForgeReview, PullRequest, RequestDraft


class Forge(Protocol):
    """One repository on a forge. Raise ForgeRefused if it says no, ForgeUnavailable if it does not answer."""

    def login(self) -> str:
        """Return the name of the account that the token belongs to; empty if the forge does not tell."""
        ...

    def requests(self, branch: str = "", *, only_open: bool = False) -> Iterator[PullRequest]:
        """Yield the pull requests of this repository, newest first; with `branch`, those that would merge it."""
        ...

    def offer(self, draft: RequestDraft) -> PullRequest: ...

    def update(self, number: int, draft: RequestDraft) -> PullRequest:
        """Replace title and body. A closed pull request stays closed."""
        ...

    def comment(self, number: int, text: str) -> None: ...

    def close(self, number: int, why: str) -> None:
        """Say why in a comment, and close the pull request without a merge."""
        ...

    def look(self, number: int) -> PullRequest: ...

    def reviews(self, number: int) -> list[ForgeReview]:
        """Return the last decisive review of each person."""
        ...

    def checks(self, request: PullRequest) -> list[CommitCheck]:
        """Return the newest state of every check of the pull request's head commit."""
        ...

    def merge(self, number: int, head: str) -> None:
        """Merge the pull request if its head is this commit and the forge's own rules allow it."""
        ...

    def report(self, check: CheckReport) -> str:
        """Show the result of a proof on its commit, and return the address of the report."""
        ...
