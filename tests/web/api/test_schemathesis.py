"""The API against its own description, by schemathesis from the package index."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import Repo
from tests.web.running import running_server, token_of

pytestmark = [pytest.mark.needs_index, pytest.mark.long]

VERSION = "4.32.5"
SETTINGS = Path(__file__).with_name("schemathesis.toml")


@pytest.fixture(scope="module")
def schemathesis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install schemathesis into an environment of its own, because it brings forty packages, and return its program."""
    folder = tmp_path_factory.mktemp("schemathesis")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [
        str(folder / "bin" / "pip"),
        "install",
        "--quiet",
        "--disable-pip-version-check",
        f"schemathesis=={VERSION}",
    ]
    subprocess.run(install, check=True)
    return folder / "bin" / "st"


def test_every_answer_is_one_that_the_description_names(waiting: Repo, schemathesis: Path, tmp_path: Path) -> None:
    secret = token_of(waiting.root, "read", "suggest", "prove")
    with running_server(waiting.root, requests_per_minute=10**7) as url:
        done = subprocess.run(
            [
                str(schemathesis), "--config-file", str(SETTINGS), "run", f"{url}/api/v1/openapi.json", "--workers", "1",
                "--header", f"Authorization: Bearer {secret}", "--max-examples", "20", "--generation-deterministic",
            ],
            cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:]
    assert "23 selected" in done.stdout
