"""The digest of an environment: equal for equal packages, different after an installation."""

from pathlib import Path

from whet.target.environment_digest import environment_digest


def install(folder: Path, digest: str = "abc", extra: str = "") -> Path:
    """Make a site-packages folder with one package."""
    (folder / "lib-1.0.dist-info").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "lib" / "__init__.py").write_text("")
    record = f"lib/__init__.py,sha256={digest},0\n{extra}lib-1.0.dist-info/RECORD,,\n"
    (folder / "lib-1.0.dist-info" / "RECORD").write_text(record)
    return folder


def digest(*folders: Path) -> str:
    environment_digest.cache_clear()
    return environment_digest(tuple(map(str, folders)))


def test_the_same_packages_in_another_place_have_the_same_digest(tmp_path: Path) -> None:
    compiled = "lib/__pycache__/__init__.cpython-311.pyc,,\n"
    assert digest(install(tmp_path / "a")) == digest(install(tmp_path / "b", extra=compiled))


def test_another_content_of_a_package_has_another_digest(tmp_path: Path) -> None:
    assert digest(install(tmp_path / "a")) != digest(install(tmp_path / "b", digest="abd"))


def test_another_package_or_path_file_has_another_digest(tmp_path: Path) -> None:
    before = digest(install(tmp_path / "a"))
    (tmp_path / "a" / "more.pth").write_text("/src")
    after = digest(tmp_path / "a")
    (tmp_path / "a" / "more.pth").write_text("/other")
    assert len({before, after, digest(tmp_path / "a")}) == 3


def test_an_edited_module_of_an_editable_install_has_another_digest(tmp_path: Path) -> None:
    (tmp_path / "mod.py").write_text("x = 1\n")
    before = digest(tmp_path)
    (tmp_path / "mod.py").write_text("x = 12\n")
    assert digest(tmp_path) != before


def test_the_standard_library_and_missing_folders_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "os.py").write_text("")
    assert digest(tmp_path, tmp_path / "missing") == digest()
