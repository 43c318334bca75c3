"""The man page formats without a warning and names every command."""

import shutil
import subprocess

import pytest

from tests.docs import reference
from tests.docs.manual import PAGE


def test_every_command_has_a_section() -> None:
    text = PAGE.read_text()
    missing = [name for name, _ in reference.commands() if f".SS whet {name.replace('-', chr(92) + '-')}\n" not in text]
    assert not missing


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_it_formats_without_a_warning() -> None:
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", str(PAGE)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "find failing tests, prove fixes in a sandbox" in done.stdout
