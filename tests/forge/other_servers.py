"""Servers on a local port that speak the APIs of Gitea and of GitLab, as far as whet uses them, over a real bare repository.

What a request may contain is written down here: the requests that whet sends, and no more. Everything else is answered with 422
and noted in `violations`. `test_published.py` compares these tables with what the package registries have about the APIs: clients
that are generated from the descriptions of Gitea and Forgejo, and for GitLab, of which no registry has a description, one that is
written by hand. GitLab's table also follows its pages on merge requests, commits and commit statuses.
"""

import re
from typing import Any
from urllib.parse import quote

from tests.forge.github_server import BOT, REPOSITORY, TOKEN, GitHubServer

_TEXT, _NUMBER, _NUMBERS = str, int, list
_PAGES = {"page": "", "limit": ""}
Fields = dict[str, Any]


class _DescribedServer(GitHubServer):
    """A server whose requests are described by a table: method and path, parameters, fields of the body, required ones."""

    table: tuple[tuple[str, str, Fields, Fields, tuple[str, ...]], ...]

    def violations_of(self, method: str, path: str, query: dict[str, str], body: Any) -> list[str]:
        for verb, pattern, parameters, fields, required in self.table:
            if verb == method and re.fullmatch(pattern, path):
                return _problems(query, parameters) + _body_problems(body or {}, fields, required)
        return [f"{method} {path} is not in the API"]


def _problems(query: dict[str, str], parameters: Fields) -> list[str]:
    unknown = [f"no parameter {name}" for name in query if name not in parameters]
    choices = {name: parameters[name] for name in query if isinstance(parameters.get(name), tuple)}
    return unknown + [f"{name}={query[name]}" for name, allowed in choices.items() if query[name] not in allowed]


def _body_problems(body: Fields, fields: Fields, required: tuple[str, ...]) -> list[str]:
    problems = [f"no field {name}" for name in body if name not in fields]
    problems += [f"{name} is missing" for name in required if name not in body]
    for name, value in body.items():
        allowed = fields.get(name, object)
        fits = value in allowed if isinstance(allowed, tuple) else isinstance(value, allowed)
        problems += [] if fits else [f"{name} is {value!r}"]
    return problems


_REPO = f"/repos/{REPOSITORY}"


class GiteaServer(_DescribedServer):
    """Gitea's API, which is modelled on GitHub's."""

    api, scheme, git_user = "/api/v1", "token", "whet"
    known_labels = ({"id": 7, "name": "whet"}, {"id": 8, "name": "bug"})
    table = (
        ("GET", "/user", {}, {}, ()),
        ("GET", f"{_REPO}/labels", _PAGES, {}, ()),
        (
            "GET", f"{_REPO}/pulls",
            {**_PAGES, "state": ("open", "closed", "all")},
            {}, (),
        ),
        ("POST", f"{_REPO}/pulls", {}, {"title": _TEXT, "head": _TEXT, "base": _TEXT, "body": _TEXT, "labels": _NUMBERS}, ()),
        ("GET", f"{_REPO}/pulls/[0-9]+", {}, {}, ()),
        ("PATCH", f"{_REPO}/pulls/[0-9]+", {}, {"title": _TEXT, "body": _TEXT, "state": ("closed",)}, ()),
        ("GET", f"{_REPO}/pulls/[0-9]+/reviews", _PAGES, {}, ()),
        (
            "POST", f"{_REPO}/pulls/[0-9]+/merge", {},
            {"do": ("merge",), "head_commit_id": _TEXT}, ("do",),
        ),
        ("POST", f"{_REPO}/issues/[0-9]+/comments", {}, {"body": _TEXT}, ("body",)),
        (
            "POST", f"{_REPO}/statuses/[0-9a-f]+", {},
            {"state": ("success", "failure"), "context": _TEXT, "description": _TEXT}, (),
        ),
        ("GET", f"{_REPO}/commits/[0-9a-f]+/status", _PAGES, {}, ()),
    )  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        return {"WHET_FORGE_HOSTS": "127.0.0.1", "GITEA_TOKEN": TOKEN}

    @property
    def settings(self) -> str:
        return super().settings.replace("github", "gitea")

    def routes(self) -> list[tuple[str, str]]:
        return [*super().routes(), (f"{_REPO}/labels", "known_labels")]

    def ci(self, commit: str, name: str, state: str) -> None:
        self.statuses.append({"context": name, "state": state, "sha": commit})

    def _part(self, name: str, rows: list[Any], query: dict[str, str]) -> Any:
        """Answer as Gitea does: the state is called `status`, no page says that there are more, and an empty list is null."""
        status, answer, _ = super()._part(
            name, [{"context": row["context"], "status": row["state"]} for row in rows], query
        )
        return status, {**answer, "total_count": len(answer[name]), name: answer[name] or None}, {}

    def _get_known_labels(self, query: dict[str, str], body: Any) -> Any:
        return self._page(list(self.known_labels), query)

    def _post_pulls(self, query: Any, body: dict[str, Any]) -> Any:
        if any(pull["head"]["ref"] == body["head"] and pull["state"] == "open" for pull in self.pulls):
            return 409, {"message": "pull request already exists for these targets"}, {}
        status, pull, headers = super()._post_pulls(query, body)
        if status == 201:
            self.labels[pull["number"]] = [str(row["name"]) for row in self.known_labels if row["id"] in body["labels"]]
        return status, pull, headers

    def _patch_pull(self, query: Any, body: dict[str, str], number: str) -> Any:
        status, pull, headers = super()._patch_pull(query, body, number)
        return 201 if status == 200 else status, pull, headers

    def _post_merge(self, query: Any, body: dict[str, str], number: str) -> Any:
        status, answer, headers = self._put_merge(query, {"sha": body["head_commit_id"]}, number)
        return (200, None, headers) if status == 200 else (status, answer, headers)


_PROJECT = f"/projects/{quote(REPOSITORY, safe='')}"
_REQUEST = f"{_PROJECT}/merge_requests/([0-9]+)"


class GitLabServer(_DescribedServer):
    """GitLab's API: merge requests, which have other names for most fields."""

    api, scheme, git_user = "/api/v4", "Bearer", "oauth2"
    table = (
        ("GET", "/user", {}, {}, ()),
        (
            "GET", f"{_PROJECT}/merge_requests",
            {"page": "", "per_page": "", "state": ("opened", "all"), "source_branch": "",
             "order_by": ("created_at",), "sort": ("desc",)}, {}, (),
        ),
        (
            "POST", f"{_PROJECT}/merge_requests", {},
            {"source_branch": _TEXT, "target_branch": _TEXT, "title": _TEXT, "description": _TEXT, "labels": _TEXT},
            ("source_branch", "target_branch", "title"),
        ),
        ("GET", _REQUEST, {}, {}, ()),
        (
            "PUT", _REQUEST, {},
            {"title": _TEXT, "description": _TEXT, "add_labels": _TEXT, "state_event": ("close",)}, (),
        ),
        ("PUT", f"{_REQUEST}/merge", {}, {"sha": _TEXT}, ()),
        ("POST", f"{_REQUEST}/notes", {}, {"body": _TEXT}, ("body",)),
        (
            "POST", f"{_PROJECT}/statuses/[0-9a-f]+", {},
            {"state": ("success", "failed"), "name": _TEXT, "description": _TEXT}, ("state",),
        ),
        ("GET", f"{_PROJECT}/repository/commits/[0-9a-f]+/statuses", {"page": "", "per_page": "", "pipeline_id": ""}, {}, ()),
    )  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        return {"WHET_FORGE_HOSTS": "127.0.0.1", "GITLAB_TOKEN": TOKEN}

    @property
    def settings(self) -> str:
        return super().settings.replace("github", "gitlab")

    def reset(self) -> None:
        super().reset()
        self.hidden_failure = False  # of a child pipeline, which is no job of the pipeline

    def routes(self) -> list[tuple[str, str]]:
        return [
            ("/user", "user"),
            (f"{_PROJECT}/merge_requests", "requests"),
            (_REQUEST, "request"),
            (f"{_REQUEST}/merge", "accept"),
            (f"{_REQUEST}/notes", "comments"),
            (f"{_PROJECT}/statuses/([0-9a-f]+)", "statuses"),
            (f"{_PROJECT}/repository/commits/([0-9a-f]+)/statuses", "commit_statuses"),
        ]

    def _get_user(self, query: Any, body: Any) -> Any:
        return 200, {"username": BOT}, {}

    def _as_gitlab(self, pull: Any) -> Any:
        state = "merged" if pull["merged"] else {"open": "opened"}.get(pull["state"], pull["state"])
        return {
            "iid": pull["number"], "state": state, "title": pull["title"], "description": pull["body"],
            "author": {"username": BOT}, "web_url": f"{self.address}/{REPOSITORY}/-/merge_requests/{pull['number']}",
            "source_branch": pull["head"]["ref"], "target_branch": pull["base"]["ref"], "sha": pull["head"]["sha"],
            "source_project_id": 1, "target_project_id": 1, "merge_commit_sha": pull["merge_commit_sha"],
            "merge_user": {"username": pull["merged_by"]["login"]} if pull["merged_by"] else None,
        }  # fmt: skip

    def _get_requests(self, query: dict[str, str], body: Any) -> Any:
        rows = [self._as_gitlab(self._shown(pull)) for pull in reversed(self.pulls)]
        wanted = query.get("state", "all")
        rows = [row for row in rows if wanted in ("all", row["state"])]
        branch = query.get("source_branch")
        return self._page([row for row in rows if branch in (None, row["source_branch"])], query)

    def _post_requests(self, query: Any, body: dict[str, str]) -> Any:
        draft = {
            "head": body["source_branch"],
            "base": body["target_branch"],
            "title": body["title"],
            "body": body.get("description", ""),
        }
        if any(pull["head"]["ref"] == draft["head"] and pull["state"] == "open" for pull in self.pulls):
            return 409, {"message": ["Another open merge request already exists for this source branch: !1"]}, {}
        status, pull, headers = self._post_pulls(query, draft)
        if status != 201:
            return 400, {"message": {"base": ["is invalid"]}}, headers
        self.labels[pull["number"]] = body["labels"].split(",")
        return 201, self._as_gitlab(pull), headers

    def _get_request(self, query: Any, body: Any, number: str) -> Any:
        return self._with(number, lambda pull: (200, self._with_pipeline(self._as_gitlab(self._shown(pull))), {}))

    def ci(self, commit: str, name: str, state: str) -> None:
        self.statuses.append({"name": name, "state": {"failure": "failed"}.get(state, state), "sha": commit})

    def _jobs(self, commit: str) -> list[dict[str, Any]]:
        newest = {row["name"]: row for row in self.statuses if row["sha"] == commit}
        return [
            {"name": row["name"], "status": row["state"], "allow_failure": row["name"] == "optional"}
            for row in newest.values()
        ]

    def _with_pipeline(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Add the pipeline as GitLab does: it failed if a job did that had to pass, and runs while one runs."""
        jobs = self._jobs(shown["sha"])
        states = [job["status"] for job in jobs if not job["allow_failure"]]
        status = (
            "failed"
            if self.hidden_failure
            else next((one for one in ("pending", "failed") if one in states), "success")
        )
        return {**shown, "head_pipeline": {"id": 12, "sha": shown["sha"], "status": status} if jobs else None}

    def _get_commit_statuses(self, query: dict[str, str], body: Any, sha: str) -> Any:
        return self._page(self._jobs(sha), query)

    def _put_request(self, query: Any, body: dict[str, str], number: str) -> Any:
        def change(pull: dict[str, Any]) -> Any:
            if body.get("state_event") == "close":
                pull["state"] = "closed"
            pull.update({"title": body.get("title", pull["title"]), "body": body.get("description", pull["body"])})
            return 200, self._as_gitlab(self._shown(pull)), {}

        return self._with(number, change)

    def _put_accept(self, query: Any, body: dict[str, str], number: str) -> Any:
        status, answer, headers = self._put_merge(query, body, number)
        return (
            (200, self._as_gitlab(self.pulls[int(number) - 1]), headers) if status == 200 else (status, answer, headers)
        )
