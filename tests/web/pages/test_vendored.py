"""Files that somebody else wrote are those that VENDOR.toml names."""

import hashlib
import tomllib
from importlib.resources import files

from whet.web.pages import static_files

FOLDER = files("whet.web.pages").joinpath("static", "vendor")


def test_every_vendored_file_has_its_recorded_digest() -> None:
    listed = tomllib.loads(FOLDER.joinpath("VENDOR.toml").read_text())
    scripts = {path.name for path in FOLDER.iterdir() if path.name.endswith((".js", ".css"))}
    assert scripts == set(listed)
    for name, entry in listed.items():
        assert hashlib.sha256(FOLDER.joinpath(name).read_bytes()).hexdigest() == entry["sha256"]
        assert entry["version"] in name
        assert FOLDER.joinpath(entry["licence_file"]).read_text().strip()


def test_static_names_are_the_files_that_exist() -> None:
    for name in static_files.NAMES:
        assert static_files.content(name)
        assert static_files.address(name).endswith(name)
