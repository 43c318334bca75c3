"""The extract of GitHub's OpenAPI file: it is the published one, and it has the fields that whet reads."""

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.forge.extract import EXTRACT, extract

_PULL = "/repos/{owner}/{repo}/pulls/{pull_number}"
_PULLS = "/repos/{owner}/{repo}/pulls"
READ = {
    (_PULL, "get"): ("number", "html_url", "state", "merged", "merged_at", "merge_commit_sha", "body", "merged_by.login",
                     "user.login", "head.ref", "head.sha", "head.repo", "base.ref"),
    (_PULLS, "get"): ("number", "html_url", "state", "merged_at", "body", "user.login", "head.ref", "head.sha", "head.repo"),
    (f"{_PULL}/reviews", "get"): ("id", "state", "commit_id", "user.login"),
    ("/repos/{owner}/{repo}/check-runs", "post"): ("html_url",),
    ("/repos/{owner}/{repo}/statuses/{sha}", "post"): ("target_url",),
    ("/repos/{owner}/{repo}/commits/{ref}/check-runs", "get"): ("check_runs.name", "check_runs.status", "check_runs.conclusion"),
    ("/repos/{owner}/{repo}/commits/{ref}/status", "get"): ("statuses.context", "statuses.state"),
    ("/user", "get"): ("login",),
}  # fmt: skip


@pytest.mark.parametrize(("path", "method"), READ)
def test_every_field_that_whet_reads_is_in_githubs_answers(path: str, method: str) -> None:
    answers: Any = json.loads(EXTRACT.read_text())["paths"][path][method]["answers"]
    for field in READ[path, method]:
        part = answers
        for name in field.split("."):
            assert name in part, field
            part = part[name]


@pytest.mark.needs_index
def test_the_extract_is_what_github_publishes(tmp_path: Path) -> None:
    subprocess.run(["npm", "pack", "--silent", "@octokit/openapi"], cwd=tmp_path, check=True, capture_output=True)
    [archive] = tmp_path.glob("*.tgz")
    with tarfile.open(archive) as packed:
        content = packed.extractfile("package/generated/api.github.com.json")
        assert content is not None
        document = json.loads(content.read())
    assert extract(document) == json.loads(EXTRACT.read_text())
