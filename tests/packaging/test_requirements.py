"""The pinned development environment satisfies what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = (ROOT / "requirements" / "dev.txt").read_text()
UV_LOCK = (ROOT / "requirements" / "uv.txt").read_text()


def pinned() -> dict[str, list[Requirement]]:
    """Return the pins by package name; a package has several when the version depends on the Python version."""
    pins: dict[str, list[Requirement]] = {}
    for line in LOCK.splitlines():
        if line and line[0] not in " #":
            requirement = Requirement(line.removesuffix("\\").strip())
            pins.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pins


def required() -> list[Requirement]:
    project = PROJECT["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    build = PROJECT["build-system"]["requires"]
    lines = [*project["dependencies"], *extras, *PROJECT["dependency-groups"]["dev"], *build]
    return [Requirement(line) for line in lines]


def version_of(pin: Requirement) -> str:
    (specifier,) = pin.specifier
    assert specifier.operator == "==", f"{pin} is not an exact version"
    return specifier.version


def test_every_requirement_is_pinned_to_a_version_that_satisfies_it() -> None:
    pins = pinned()
    for requirement in required():
        name = canonicalize_name(requirement.name)
        assert name in pins, f"{requirement} is not in requirements/dev.txt: run `make lock`"
        for pin in pins[name]:
            assert requirement.specifier.contains(version_of(pin), prereleases=True), (
                f"{pin} does not satisfy {requirement}"
            )


def test_every_pin_has_a_hash() -> None:
    blocks = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(blocks) == sum(len(pins) for pins in pinned().values())
    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_one_version_of_each_package_applies_on_this_machine() -> None:
    environment = {key: str(value) for key, value in default_environment().items()}
    for name, pins in pinned().items():
        applicable = [pin for pin in pins if pin.marker is None or pin.marker.evaluate(environment)]
        assert len(applicable) <= 1, name


def test_the_lock_names_no_package_index() -> None:
    """The index is a matter of the machine that installs; an address in the lock would override its settings."""
    assert "://" not in LOCK + UV_LOCK
    assert "--find-links" not in LOCK + UV_LOCK


def test_the_installer_itself_is_pinned_with_hashes() -> None:
    pins = [line for line in UV_LOCK.splitlines() if line and line[0] not in " #"]
    assert [re.sub(r"[\d.]+", "N", pin) for pin in pins] == ["uv==N \\"]
    assert "--hash=sha256:" in UV_LOCK
