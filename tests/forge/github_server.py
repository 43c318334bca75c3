"""A server on a local port that speaks GitHub's API and git's own protocol, over a real bare repository.

Every request to the API is compared with GitHub's OpenAPI file (the extract beside this file). A request that the file does
not allow is answered with 422 and noted in `violations`, which the tests expect to be empty.
"""

import base64
import json
import os
import re
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jsonschema

OPENAPI = json.loads(Path(__file__).with_name("github-openapi.json").read_text())["paths"]
TOKEN = "ghp_" + "a1B2" * 9
BOT = "whet-bot"
REPOSITORY = "acme/shop"


@dataclass
class Fault:
    """An answer that is given instead of the real one: a status with headers, or status 0 for a cut connection.

    With `after` the request has its effect first, and only the answer is lost. `act` is called in place of the answer,
    before the connection is cut.
    """

    method: str
    path: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    after: bool = False
    times: int = 1
    act: Callable[[], None] = lambda: None


class GitHubServer:
    """The server, its repository, and the acts of people on it. Servers of other forges derive from it."""

    api, scheme, git_user = "/api/v3", "Bearer", "x-access-token"

    def __init__(self, folder: Path, page_size: int = 100) -> None:
        self.folder, self.page_size = folder, page_size
        self.bare = folder / f"{REPOSITORY}.git"
        self.reset()
        handler = type("Handler", (_Handler,), {"forge": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def reset(self) -> None:
        self.pulls: list[dict[str, Any]] = []
        self.labels: dict[int, list[str]] = {}
        self.comments: dict[int, list[str]] = {}
        self.reviews: dict[int, list[dict[str, Any]]] = {}
        self.checks: list[dict[str, Any]] = []
        self.statuses: list[dict[str, Any]] = []
        self.log: list[tuple[str, str]] = []
        self.violations: list[str] = []
        self.faults: list[Fault] = []
        self.check_runs_allowed = True
        subprocess.run(["rm", "-rf", str(self.bare)], check=True)
        self.bare.parent.mkdir(parents=True, exist_ok=True)
        self.git_outside("init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))
        self.git("config", "http.receivepack", "true")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def environment(self) -> dict[str, str]:
        return {"WHET_FORGE_HOSTS": "127.0.0.1", "GITHUB_TOKEN": TOKEN}

    @property
    def settings(self) -> str:
        return f'[forge]\nkind = "github"\nrepository = "{REPOSITORY}"\naddress = "{self.address}"\n'

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def git_outside(self, *args: str) -> str:
        who = {"GIT_AUTHOR_NAME": "alice", "GIT_AUTHOR_EMAIL": "a@localhost"}
        env = {**os.environ, **who, "GIT_COMMITTER_NAME": "alice", "GIT_COMMITTER_EMAIL": "a@localhost"}
        return subprocess.run(["git", *args], env=env, capture_output=True, text=True, check=True).stdout.strip()

    def git(self, *args: str) -> str:
        return self.git_outside("--git-dir", str(self.bare), *args)

    def head(self, branch: str) -> str:
        return self.git("for-each-ref", "--format=%(objectname)", f"refs/heads/{branch}")

    def commit_on(self, branch: str, name: str, text: str) -> str:
        """Commit a file on a branch, as a person would; return the commit."""
        tree = self._tree_with(branch, name, text)
        commit = self.git("commit-tree", tree, "-p", self.head(branch), "-m", f"add {name}")
        self.git("update-ref", f"refs/heads/{branch}", commit)
        return commit

    def _tree_with(self, branch: str, name: str, text: str) -> str:
        index = {"GIT_INDEX_FILE": str(self.folder / "index"), "GIT_DIR": str(self.bare)}

        def run(*args: str, stdin: str = "") -> str:
            return subprocess.run(
                ["git", *args], env={**os.environ, **index}, input=stdin, capture_output=True, text=True, check=True
            ).stdout.strip()

        run("read-tree", f"refs/heads/{branch}")
        blob = run("hash-object", "-w", "--stdin", stdin=text)
        run("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
        return run("write-tree")

    def merge(self, number: int, by: str = "alice", how: str = "merge") -> str:
        """Merge a pull request as a person does in the browser; return the commit on the base branch."""
        pull = self.pulls[number - 1]
        base, head = self.head(pull["base"]["ref"]), self.head(pull["head"]["ref"])
        tree = self.git("merge-tree", "--write-tree", base, head)
        parents = ["-p", base, *(["-p", head] if how == "merge" else [])]
        commit = self.git("commit-tree", tree, *parents, "-m", f"Merge pull request #{number}\n\n{pull['title']}")
        self.git("update-ref", f"refs/heads/{pull['base']['ref']}", commit)
        pull.update(state="closed", merged=True, merged_at="2026-11-18T10:00:00Z", merge_commit_sha=commit)
        pull["merged_by"] = {"login": by}
        return commit

    @property
    def pushes(self) -> int:
        return sum(method == "POST" and path.endswith("/git-receive-pack") for method, path in self.log)

    def close_request(self, number: int) -> None:
        self.pulls[number - 1].update(state="closed")

    def review(self, number: int, login: str, state: str = "APPROVED", commit: str = "") -> None:
        rows = self.reviews.setdefault(number, [])
        commit = commit or self.head(self.pulls[number - 1]["head"]["ref"])
        rows.append({"id": 100 * number + len(rows), "user": {"login": login}, "state": state, "commit_id": commit})

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any, dict[str, str]]:
        """Return status, body and headers of a request to the API."""
        for pattern, name in self.routes():
            match = re.fullmatch(pattern, path)
            if match and (function := getattr(self, f"_{method.lower()}_{name}", None)):
                answer: tuple[int, Any, dict[str, str]] = function(query, body, *match.groups())
                return answer
        return 404, {"message": "Not Found"}, {}

    def routes(self) -> list[tuple[str, str]]:
        return _ROUTES

    def violations_of(self, method: str, path: str, query: dict[str, str], body: Any) -> list[str]:
        return violations(method, path, query, body)

    def _get_user(self, query: Any, body: Any) -> Any:
        return 200, {"login": BOT}, {}

    def _get_pulls(self, query: dict[str, str], body: Any) -> Any:
        rows = [self._shown(pull) for pull in reversed(self.pulls)]
        if query.get("state", "open") != "all":
            rows = [row for row in rows if row["state"] == query.get("state", "open")]
        if head := query.get("head"):
            rows = [row for row in rows if f"{REPOSITORY.partition('/')[0]}:{row['head']['ref']}" == head]
        return self._page(rows, query)

    def _page(self, rows: list[Any], query: dict[str, str]) -> Any:
        page, size = (
            int(query.get("page", "1")),
            min(self.page_size, int(query.get("per_page") or query.get("limit") or "30")),
        )
        more = page * size < len(rows)
        links = {"Link": f'<{self.address}{self.api}/next?page={page + 1}>; rel="next"'} if more else {}
        return 200, rows[(page - 1) * size : page * size], links

    def _post_pulls(self, query: Any, body: dict[str, str]) -> Any:
        if not self.head(body["head"]) or not self.head(body["base"]):
            return 422, {"message": "Validation Failed", "errors": [{"message": "head or base is invalid"}]}, {}
        if any(pull["head"]["ref"] == body["head"] and pull["state"] == "open" for pull in self.pulls):
            exists = f"A pull request already exists for acme:{body['head']}."
            return 422, {"message": "Validation Failed", "errors": [{"message": exists}]}, {}
        number = len(self.pulls) + 1
        repo = {"full_name": REPOSITORY}
        self.pulls.append({
            "number": number, "state": "open", "title": body["title"], "body": body.get("body"), "user": {"login": BOT},
            "html_url": f"{self.address}/{REPOSITORY}/pull/{number}", "merged": False, "merged_at": None,
            "merge_commit_sha": None, "merged_by": None, "base": {"ref": body["base"], "repo": repo},
            "head": {"ref": body["head"], "repo": repo, "sha": self.head(body["head"])},
        })  # fmt: skip
        return 201, self._shown(self.pulls[-1]), {}

    def _shown(self, pull: dict[str, Any]) -> dict[str, Any]:
        if pull["state"] == "open":
            pull["head"]["sha"] = self.head(pull["head"]["ref"]) or pull["head"]["sha"]
        return pull

    def _get_pull(self, query: Any, body: Any, number: str) -> Any:
        return self._with(number, lambda pull: (200, self._shown(pull), {}))

    def _patch_pull(self, query: Any, body: dict[str, str], number: str) -> Any:
        def change(pull: dict[str, Any]) -> Any:
            pull.update(body)
            return 200, self._shown(pull), {}

        return self._with(number, change)

    def _put_merge(self, query: Any, body: dict[str, str], number: str) -> Any:
        pull = self._shown(self.pulls[int(number) - 1])
        if body.get("sha") not in (None, pull["head"]["sha"]):
            return 409, {"message": "Head branch was modified. Review and try the merge again."}, {}
        if pull["state"] != "open":
            return 405, {"message": "Pull Request is not mergeable"}, {}
        return 200, {"sha": self.merge(int(number), BOT), "merged": True, "message": "merged"}, {}

    def _get_reviews(self, query: dict[str, str], body: Any, number: str) -> Any:
        return self._page(self.reviews.get(int(number), []), query)

    def _post_labels(self, query: Any, body: dict[str, Any], number: str) -> Any:
        known = self.labels.setdefault(int(number), [])
        known += [label for label in body["labels"] if label not in known]
        return 200, [{"name": label} for label in known], {}

    def _post_comments(self, query: Any, body: dict[str, str], number: str) -> Any:
        self.comments.setdefault(int(number), []).append(body["body"])
        return 201, {"id": 1}, {}

    def _post_check_runs(self, query: Any, body: dict[str, Any]) -> Any:
        if not self.check_runs_allowed:
            return 403, {"message": "You must authenticate via a GitHub App."}, {}
        self.checks.append(body)
        return 201, {"id": len(self.checks), "html_url": f"{self.address}/{REPOSITORY}/runs/{len(self.checks)}"}, {}

    def _post_statuses(self, query: Any, body: dict[str, Any], sha: str) -> Any:
        self.statuses.append({**body, "sha": sha})
        return 201, {"id": len(self.statuses), "target_url": None}, {}

    def ci(self, commit: str, name: str, state: str) -> None:
        """Report a check as the CI of the repository does: `success`, `failure` or `pending`."""
        done = state != "pending"
        run = {"name": name, "head_sha": commit, "status": "completed" if done else "in_progress"}
        self.checks.append({**run, "conclusion": state if done else None})

    def _get_commit_runs(self, query: dict[str, str], body: Any, sha: str) -> Any:
        newest = {run["name"]: run for run in self.checks if run["head_sha"] == sha}
        return self._part("check_runs", list(newest.values()), query)

    def _get_commit_status(self, query: dict[str, str], body: Any, sha: str) -> Any:
        newest = {row["context"]: row for row in self.statuses if row["sha"] == sha}
        return self._part("statuses", list(newest.values()), query)

    def _part(self, name: str, rows: list[Any], query: dict[str, str]) -> Any:
        status, page, headers = self._page(rows, query)
        return status, {"total_count": len(rows), name: page}, headers

    def _with(self, number: str, function: Callable[[dict[str, Any]], Any]) -> Any:
        if not 1 <= int(number) <= len(self.pulls):
            return 404, {"message": "Not Found"}, {}
        return function(self.pulls[int(number) - 1])


_REPO = f"/repos/{REPOSITORY}"
_ROUTES = [
    ("/user", "user"),
    (f"{_REPO}/pulls", "pulls"),
    (f"{_REPO}/pulls/([0-9]+)", "pull"),
    (f"{_REPO}/pulls/([0-9]+)/merge", "merge"),
    (f"{_REPO}/pulls/([0-9]+)/reviews", "reviews"),
    (f"{_REPO}/issues/([0-9]+)/labels", "labels"),
    (f"{_REPO}/issues/([0-9]+)/comments", "comments"),
    (f"{_REPO}/check-runs", "check_runs"),
    (f"{_REPO}/statuses/([0-9a-f]+)", "statuses"),
    (f"{_REPO}/commits/([0-9a-f]+)/check-runs", "commit_runs"),
    (f"{_REPO}/commits/([0-9a-f]+)/status", "commit_status"),
]


def violations(method: str, path: str, query: dict[str, str], body: Any) -> list[str]:
    """Return what GitHub's OpenAPI file does not allow in a request."""
    templates = [name for name in OPENAPI if re.fullmatch(re.sub(r"\{[a-z_]+\}", "[^/]+", name), path)]
    operation = next((OPENAPI[name][method.lower()] for name in templates if method.lower() in OPENAPI[name]), None)
    if operation is None:
        return [f"{method} {path} is not in GitHub's API"]
    problems = [f"{method} {path}: no parameter {name}" for name in query if name not in operation["query"]]
    for name, value in query.items():
        schema = operation["query"].get(name, {})
        typed: Any = int(value) if schema.get("type") == "integer" else value
        problems += [f"{name}: {error.message}" for error in _errors(schema, typed)]
    if operation["body"] is not None:
        problems += [f"{method} {path}: {error.message}" for error in _errors(_closed(operation["body"]), body)]
    return problems


def _errors(schema: Any, value: Any) -> list[Any]:
    return list(jsonschema.Draft202012Validator(schema).iter_errors(value))


def _closed(schema: Any) -> Any:
    """Return the schema without OpenAPI's own words, and closed to fields that it does not name."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: _closed(value) for key, value in schema.items() if key != "nullable"}
    if schema.get("nullable") and "type" in schema:
        shut["type"] = [schema["type"], "null"]
    if schema.get("type") == "object" and "properties" in schema and "additionalProperties" not in schema:
        shut["additionalProperties"] = False
    return shut


class _Handler(BaseHTTPRequestHandler):
    forge: GitHubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _serve(self) -> None:
        parts, body = urlsplit(self.path), self._body()
        self.forge.log.append((self.command, parts.path))
        fault = next((one for one in self.forge.faults if self._hits(one, parts.path)), None)
        if fault:
            fault.times -= 1
        if fault and not fault.after:
            return self._fail(fault)
        if parts.path.startswith(f"/{REPOSITORY}.git/"):
            return self._git(parts.path, parts.query, body)
        return self._api(parts.path.removeprefix(self.forge.api), parts.query, body, fault)

    def _hits(self, fault: Fault, path: str) -> bool:
        return fault.times > 0 and fault.method == self.command and re.search(fault.path, path) is not None

    def _fail(self, fault: Fault) -> None:
        fault.act()
        if fault.status == 0:
            self.close_connection = True
            self.connection.close()
            return
        self._reply(fault.status, fault.body or {"message": "fault"}, fault.headers)

    def _api(self, path: str, raw_query: str, raw: bytes, fault: Fault | None) -> None:
        if self.headers.get("Authorization") != f"{self.forge.scheme} {TOKEN}":
            return self._reply(401, {"message": "Bad credentials"}, {})
        query = {name: values[0] for name, values in parse_qs(raw_query).items()}
        body = json.loads(raw) if raw else None
        if problems := self.forge.violations_of(self.command, path, query, body):
            self.forge.violations += problems
            return self._reply(422, {"message": "; ".join(problems)}, {})
        status, answer, headers = self.forge.answer(self.command, path, query, body)
        return self._fail(fault) if fault else self._reply(status, answer, headers)

    def _reply(self, status: int, answer: Any, headers: dict[str, str]) -> None:
        content = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _git(self, path: str, query: str, body: bytes) -> None:
        """Hand the request to git's own server program, as a web server does."""
        expected = "Basic " + base64.b64encode(f"{self.forge.git_user}:{TOKEN}".encode()).decode()
        if self.headers.get("Authorization") != expected:
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        env = {
            **os.environ, "GIT_PROJECT_ROOT": str(self.forge.folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
            "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": BOT, "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }  # fmt: skip
        out = subprocess.run(["git", "http-backend"], env=env, input=body, capture_output=True, check=True).stdout
        head, _, content = out.partition(b"\r\n\r\n")
        rows = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in rows if name == "Status"), 200)
        self.send_response(status)
        for name, value in rows:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
