"""Secrets in messages, notes, bug reports and suggestions."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.refusals import refuses
from tests.domain.secret_samples import SAMPLES
from tests.support import MakeRepo
from whet.cli import output
from whet.cli.main import _internal
from whet.cli.views import screen
from whet.target.inside import failure_report

TOKEN = SAMPLES["GitHub, classic"][1]


def test_no_output_function_prints_a_secret(capsys: pytest.CaptureFixture[str]) -> None:
    output.say(f"it is {TOKEN}")
    output.note(f"it is {TOKEN}")
    output.emit({"diff": f"+{TOKEN}", "names": [TOKEN]})
    output.show_error("refused", f"it is {TOKEN}", f"remove {TOKEN}", as_json=False)
    output.show_error("refused", f"it is {TOKEN}", f"remove {TOKEN}", as_json=True)
    screen.console().print(screen.foreign(TOKEN), screen.diff(f" {TOKEN}\n+{TOKEN}"))
    shown = capsys.readouterr()
    assert TOKEN not in shown.out + shown.err
    assert "[redacted: GitHub token]" in shown.out
    assert "[redacted: GitHub token]" in shown.err


def test_a_bug_report_holds_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    assert _internal(ValueError(f"password='swordfish-1' {TOKEN}"), as_json=True) == 70
    error = json.loads(capsys.readouterr().out)["error"]
    report = Path(re.findall(r"\S+whet-bug-\S+", error["remedy"])[0])
    text = report.read_text()
    report.unlink()
    assert "ValueError" in text
    assert TOKEN not in text + error["message"]
    assert "swordfish" not in text + error["message"]


def test_a_suggested_patch_near_a_secret_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    source = f"TOKEN = '{TOKEN}'\ny = 0\nx = 1\n"
    repo = make_repo({"a.py": source, "whet.toml": "", ".gitignore": ".whet/\n"})
    repo.write({"a.py": source.replace("x = 1", "x = 2")})
    near, alone = tmp_path / "near.patch", tmp_path / "alone.patch"
    near.write_text(repo.sh("git", "diff") + "\n")
    alone.write_text(repo.sh("git", "diff", "-U1") + "\n")
    assert TOKEN in alone.read_text()  # git names an earlier line in the title of a hunk
    repo.sh("git", "checkout", "--quiet", "a.py")
    refuses(
        repo.whet("suggest", "use 2", "--where", "a.py", "--patch", str(near)), 3, "contains what looks like a secret"
    )
    assert repo.whet("suggest", "use 2", "--where", "a.py", "--patch", str(alone)).code == 0
    recorded = b"".join(path.read_bytes() for path in (repo.root / ".whet").rglob("*") if path.is_file())
    assert b"use 2" in recorded
    assert TOKEN.encode() not in recorded


def test_a_long_text_is_cut_at_a_line() -> None:
    """A cut inside a token would leave a part that no form recognises."""
    last_lines: Callable[[str], str] = failure_report.last_lines
    text = f"{'x' * 50}{TOKEN}\n{'y' * (failure_report.TEXT_KEPT - 20)}"
    assert last_lines(text) == "y" * (failure_report.TEXT_KEPT - 20)
    assert last_lines("short") == "short"
    assert last_lines("z" * 2 * failure_report.TEXT_KEPT) == ""
