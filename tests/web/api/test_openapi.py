"""The OpenAPI description is committed, so that a change of the API is seen in review.

`python -m tests.web.api.test_openapi` writes it again.
"""

import json
from pathlib import Path

from fastapi import FastAPI

FILE = Path(__file__).parents[3] / "docs" / "reference" / "openapi.json"


def described(app: FastAPI) -> str:
    return json.dumps(app.openapi(), indent=1, sort_keys=True) + "\n"


def test_the_committed_description_is_that_of_the_server(app: FastAPI) -> None:
    assert FILE.read_text() == described(app), "write it again: python -m tests.web.api.test_openapi"


def test_every_operation_needs_a_caller_and_none_is_called_approve(app: FastAPI) -> None:
    operations = [
        (method, path, operation)
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) >= 18
    for method, path, operation in operations:
        assert path.startswith(("/api/v1/", "/hooks/"))
        assert "401" in operation["responses"]
        assert not any(word in path for word in ("approve", "reject", "withdraw", "rollback", "enrol"))
        assert operation.get("description"), (method, path)


def main() -> None:
    import tempfile

    from tests.web.conftest import app_of
    from whet.app.setup.sample_repository import make_sample

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "calculator"
        root.mkdir()
        make_sample(root, bugs=[])
        FILE.write_text(described(app_of(root)))


if __name__ == "__main__":
    main()
