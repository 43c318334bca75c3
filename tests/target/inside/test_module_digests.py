"""Tests of the digests of loaded modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from whet.target.inside import module_digests

SOURCE = "class Price:\n    def net(self):\n        return 1\n\n\ndef gross():\n    return 2\n"


def digests(root: Path, monkeypatch: pytest.MonkeyPatch, source: str = SOURCE) -> dict[str, str]:
    """Load a module from this folder and return the digests of the folder's modules."""
    root.mkdir()
    (root / "shop.py").write_text(source)
    spec = importlib.util.spec_from_file_location("shop", root / "shop.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "shop", module)
    found: dict[str, str] = module_digests.digests_of_tree(str(root))  # type: ignore[no-untyped-call] # runs in the sandbox
    return found


def test_the_digests_are_the_same_at_another_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = digests(tmp_path / "a", monkeypatch)
    assert list(here) == ["/shop.py"]
    assert digests(tmp_path / "another place", monkeypatch) == here


def test_a_function_from_another_file_changes_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = digests(tmp_path / "a", monkeypatch)
    replaced = SOURCE + "\n\nfrom json import dumps as gross\n"
    assert digests(tmp_path / "b", monkeypatch, replaced) != here


def test_a_library_that_says_it_is_a_module_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        __slots__ = ()
        __class__ = ModuleType  # type: ignore[assignment] # as the libraries of cffi do

    monkeypatch.setitem(sys.modules, "library", Library())
    assert list(digests(tmp_path / "a", monkeypatch)) == ["/shop.py"]
