"""Cut the operations that whet uses out of GitHub's OpenAPI file: `python -m tests.forge.extract API.json`.

The file is `generated/api.github.com.json` of the npm package @octokit/openapi (MIT licence, GitHub and contributors).
"""

import json
import sys
from pathlib import Path
from typing import Any

EXTRACT = Path(__file__).with_name("github-openapi.json")
LICENCE = "MIT: part of the npm package @octokit/openapi, copyright GitHub and contributors"
OPERATIONS = {
    "/user": ("get",),
    "/repos/{owner}/{repo}/pulls": ("get", "post"),
    "/repos/{owner}/{repo}/pulls/{pull_number}": ("get", "patch"),
    "/repos/{owner}/{repo}/pulls/{pull_number}/merge": ("put",),
    "/repos/{owner}/{repo}/pulls/{pull_number}/reviews": ("get",),
    "/repos/{owner}/{repo}/issues/{issue_number}/labels": ("post",),
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ("post",),
    "/repos/{owner}/{repo}/check-runs": ("post",),
    "/repos/{owner}/{repo}/statuses/{sha}": ("post",),
    "/repos/{owner}/{repo}/commits/{ref}/check-runs": ("get",),
    "/repos/{owner}/{repo}/commits/{ref}/status": ("get",),
}


def extract(document: Any) -> dict[str, Any]:
    """Return the operations with their parameters and bodies, without descriptions and references."""
    paths = {
        path: {method: _operation(document, document["paths"][path][method]) for method in methods}
        for path, methods in OPERATIONS.items()
    }
    return {"licence": LICENCE, "paths": paths}


def _operation(document: Any, operation: Any) -> dict[str, Any]:
    parameters = [_resolve(document, parameter) for parameter in operation.get("parameters", [])]
    content = operation.get("requestBody", {}).get("content", {})
    good = next(code for code in sorted(operation["responses"]) if code.startswith("2"))
    response = _resolve(document, operation["responses"][good]).get("content", {})
    return {
        "operation": operation["operationId"],
        "query": {row["name"]: row["schema"] for row in parameters if row["in"] == "query"},
        "body": _resolve(document, content.get("application/json", {}).get("schema")),
        "answers": _fields(_resolve(document, response.get("application/json", {}).get("schema", {}))),
    }


def _resolve(document: Any, part: Any) -> Any:
    """Return a part of the document with its references replaced by what they name."""
    if isinstance(part, list):
        return [_resolve(document, item) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        target = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        return _resolve(document, target)
    left_out = ("description", "example", "examples", "x-github", "externalDocs")
    return {
        key: _resolve(document, value) for key, value in part.items() if key not in left_out or isinstance(value, dict)
    }


def _fields(schema: Any, depth: int = 2) -> Any:
    """Return the names of the fields of an answer, two levels deep: enough for those that whet reads."""
    if "items" in schema:
        return _fields(schema["items"], depth)
    options = [part for key in ("allOf", "anyOf", "oneOf") for part in schema.get(key, [])]
    properties = {name: part for option in [schema, *options] for name, part in option.get("properties", {}).items()}
    return {name: _fields(part, depth - 1) if depth > 1 else {} for name, part in sorted(properties.items())}


def main() -> None:
    document = json.loads(Path(sys.argv[1]).read_text())
    EXTRACT.write_text(json.dumps(extract(document), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
