from pathlib import Path

from whet.target.interpreter import _modules


def test_installed_modules_are_listed_without_those_of_the_repository(tmp_path: Path) -> None:
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
    modules = _modules(["", str(site / "missing"), str(site), str(root), str(root / "src"), str(inside)], root)
    assert set(modules) == {"package", "single", "fast", "below"}
