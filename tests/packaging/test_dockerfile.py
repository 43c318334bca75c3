"""The Dockerfile installs what whet needs, and names the options that whet asks for when it refuses."""

import re
import tomllib
from pathlib import Path

from whet.sandbox.diagnose_failure import refusal

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text()


def test_it_installs_the_programs_that_whet_starts() -> None:
    packages = re.search(r"--no-install-recommends ([a-z -]+)", TEXT)
    assert packages
    assert {"bubblewrap", "git", "openssh-client"} <= set(packages[1].split())


def test_its_python_is_one_that_whet_supports() -> None:
    version = re.search(r"^FROM python:3\.(\d+)-slim$", TEXT, re.MULTILINE)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert version
    assert f"Programming Language :: Python :: 3.{version[1]}" in settings["classifiers"]


def test_the_options_are_those_of_the_refusal_and_of_the_guide() -> None:
    options = set(re.findall(r"--security-opt \S+=unconfined", TEXT))
    asked = refusal("bwrap: Can't mount proc on /newroot/proc: Operation not permitted").remedy
    assert set(re.findall(r"--security-opt \S+=unconfined", asked)) <= options
    assert all(option in (ROOT / "docs/how-to/install.md").read_text() for option in options)
