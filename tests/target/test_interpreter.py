from pathlib import Path

from whet.target.interpreter import _modules


def test_what_is_installed_is_known_and_the_repository_is_not_installed(tmp_path: Path) -> None:
    root, site = tmp_path / "project", tmp_path / "site"
    inside = root / ".venv" / "lib"
    for folder in (root / "src", site / "package", site / "thing-1.0.dist-info", inside):
        folder.mkdir(parents=True)
    (root / ".venv" / "pyvenv.cfg").touch()
    for file in (
        root / "src/own.py", site / "single.py", site / "fast.cpython-311-x86_64-linux-gnu.so", site / "notes.txt",
        site / "PLAIN", inside / "below.py",
    ):  # fmt: skip
        file.touch()
    found = _modules(["", str(site / "missing"), str(site), str(root), str(root / "src"), str(inside)], root)
    assert set(found) == {"package", "single", "fast", "below"}
