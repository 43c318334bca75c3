"""Text that whet did not write can neither control the terminal nor hide a line from an approver."""

import io
import re
from datetime import UTC, datetime

import pytest
from rich.console import Console, RenderableType

from tests.cli.refusals import SMALL
from tests.cli.test_terminal import Terminal
from tests.support import MakeRepo
from whet.app.proofs.prove import ProvedChange
from whet.cli.formats.markdown import render as markdown
from whet.cli.output import say, show_error
from whet.cli.views import screen
from whet.cli.views.evidence import evidence_view
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict

EVIL = "x\x1b[8my\rz\u202e[bold]w[/bold]\x9b"
ESCAPED = r"x\x1b[8my\rz\u202e[bold]w[/bold]\x9b"
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def rendered(what: RenderableType) -> str:
    out = io.StringIO()
    Console(file=out, width=200, highlight=False, emoji=False, color_system=None).print(what)
    return out.getvalue()


def evidence(text: str, *, tests: tuple[str, ...] = ()) -> Evidence:
    check = CheckResult(
        check="tests", verdict=Verdict.FAILED, reason=text, red=tests or (text,), regressed=(text,),
        safeguards=(SafeguardResult("oracle", None, text, notes=(text,)),),
    )  # fmt: skip
    return Evidence(
        proposal="p-1", signature="", base="b" * 40, tree="t" * 40, patch_digest="p" * 64, policy_digest="q" * 64,
        verdict=Verdict.FAILED, reasons=(text,), checks=(check,),
        guard=(GuardFinding(rule="paths", severity="block", path=text, reason=text),), containment=None,
        cost=Cost(seconds=1.0, suite_runs=1), made_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_evidence_shows_control_characters_escaped() -> None:
    text = rendered(evidence_view(evidence(EVIL), everything=True))
    assert text.count(ESCAPED) == 6
    assert not _CONTROL_CHARACTERS.search(text)


@pytest.mark.parametrize("trick", ["+    evil()\r+    good()", "+    evil()  # \x1b[8m", "+\x1b[1A\x1b[2K+    good()"])
def test_a_diff_cannot_hide_a_line(trick: str) -> None:
    text = rendered(screen.diff(f"--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n kept\n{trick}\n"))
    assert trick.replace("\x1b", r"\x1b").replace("\r", r"\r") in text
    assert not _CONTROL_CHARACTERS.search(text)


def test_messages_and_errors_show_control_characters_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    say("done", EVIL)
    show_error("usage", EVIL, EVIL, as_json=False)
    result = capsys.readouterr()
    assert result.out == f"done\n{ESCAPED}\n"
    assert result.err == f"whet: {ESCAPED}\n      {ESCAPED}\n"


def test_markdown_quotes_foreign_text_as_code_in_its_cell() -> None:
    tests = ("t[`a``b`]", "t[x|y]", "t[a\n| forged | `row` |]", "t[<img src=x>](http://x)", "t[@everyone]")
    patch = Patch(base="b", tree="t", diff="", digest="d", changes=(), summary="")
    text = markdown(ProvedChange(patch, evidence(EVIL, tests=tests)))
    row = next(line for line in text.splitlines() if line.startswith("| red without it"))
    assert row == (
        r"| red without it | ```t[`a``b`]```, `t[x\|y]`, ``t[a\n\| forged \| `row` \|]``, "
        r"`t[<img src=x>](http://x)`, `t[@everyone]` |"
    )
    assert f"- `{ESCAPED}`" in text
    assert f"| oracle | `{ESCAPED}` |" in text
    assert f"- block: `{ESCAPED}`" in text
    assert not _CONTROL_CHARACTERS.search(text)
    assert [line for line in text.splitlines() if "forged" in line] == [row]


def test_markdown_code_that_begins_or_ends_with_a_backtick_keeps_it() -> None:
    patch = Patch(base="b", tree="t", diff="", digest="d", changes=(), summary="")
    assert "- `` `x` ``\n" in markdown(ProvedChange(patch, evidence("`x`")))


def test_the_gate_shows_lines_that_a_terminal_would_hide(make_repo: MakeRepo) -> None:
    hidden = "# \x1b[8mos.system('x')\x1b[0m\r# nothing to see\n"
    repo = make_repo({**SMALL, "m.py": f"{hidden}def f():\n    return 2\n"})
    repo.commit({"m.py": f"{hidden}def f():\n    return 2 - 0\n"}, "see \x1b[8mthis\u202e [bold]")
    terminal = Terminal(repo, "run")
    shown = terminal.read_until("Apply? [y]es")
    assert r"\x1b[8mos.system('x')\x1b[0m\r# nothing to see" in shown
    assert "\x1b[8m" not in terminal.text
    terminal.type("l")
    assert terminal.end() == 5
    history = repo.whet("history", "m.py").out
    assert r"see \x1b[8mthis\u202e [bold]" in history
    assert not _CONTROL_CHARACTERS.search(history)
    proposal = repo.whet("list", "--json").json[0]["proposal"]
    assert repo.whet("diff", proposal, "--json").json["diff"].count("\x1b[8m") == 1
    assert "\x1b[8m" in repo.whet("diff", proposal).out
