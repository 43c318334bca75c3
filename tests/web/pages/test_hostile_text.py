"""Texts that a repository, a test or a model chose: they are shown, and nothing in them acts."""

import pytest
from starlette.testclient import TestClient

from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.made import HOSTILE
from tests.web.pages.reading import Tags, inline_code
from whet.app.agent_notes.ask import ask_people
from whet.app.agent_notes.objections import object_to
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.evidence import GuardFinding
from whet.domain.lesson import Ending, Lesson
from whet.web.pages.export import export_proposal

PATHS = ("/", "/findings", "/ledger", "/p/p-{}", "/p/p-{}/approve?who={}&why={}", "/p/p-{}/reject", "/p/p-{}?held={}")


def record_hostile(project: Project) -> None:
    """Record a proposal for each hostile text, with the text wherever a repository could put it."""
    for number, text in enumerate(HOSTILE):
        path = text.replace("\n", "").replace("/", "|") + ".py"
        proposal = made.proposal(project, f"p-{number}", text, path)
        remark = GuardFinding(rule="r", severity="raise", path=path, reason=f"{text} (line 1)")
        proof = made.evidence(proposal, made.check(text, regressed=(text,), still_red=(text,)), (remark,))
        made.record(project, proposal, made.diff_of(path, [text, f'x = "{text}"  # {text}']), proof)
        project.ledger.append(
            "diagnose", (proposal.diagnosis.finding,), subject=text, key=f"k{number}", kind="Findings", actor=text
        )
        object_to(project, f"p-{number}", text, f"agent:{text}")
    ask_people(project, HOSTILE[0], f"agent:{HOSTILE[0]}", "p-0")
    lesson = Lesson(
        proposal="p-ended", signature="5" * 16, engine="repair", ending=Ending.REJECTED, code="", summary=HOSTILE[0],
        base="b", patch_digest="", learned_at=now(),
    )  # fmt: skip
    project.ledger.append("learn", lesson, subject="p-ended", key="lesson")


@pytest.fixture(scope="module")
def hostile(project: Project) -> Project:
    record_hostile(project)
    return project


@pytest.mark.parametrize("path", PATHS)
def test_hostile_text_never_becomes_code(hostile: Project, visit: Visit, path: str) -> None:
    client = visit(hostile)
    for number, text in enumerate(HOSTILE):
        page = _page(client, path.format(number, _quoted(text), _quoted(text)))
        assert inline_code(page) == []
        assert "\x1b" not in page.text
        assert "\u202e" not in page.text


def _page(client: TestClient, path: str) -> Tags:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return Tags(answer.text)


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text.encode(errors="surrogatepass"))


def test_hidden_characters_are_shown_as_escapes(hostile: Project, visit: Visit) -> None:
    number = next(index for index, text in enumerate(HOSTILE) if "\x1b" in text)
    text = _page(visit(hostile), f"/p/p-{number}").text
    assert "\\x1b[31mred" in text
    assert "\\u202eevil\\u200b" in text


def test_the_text_itself_is_still_readable(hostile: Project, visit: Visit) -> None:
    client = visit(hostile)
    for number, text in enumerate(HOSTILE[:7]):
        assert text in _page(client, f"/p/p-{number}").text


def test_an_exported_page_needs_nothing_from_outside_and_runs_nothing(hostile: Project) -> None:
    for number in range(len(HOSTILE)):
        page = Tags(export_proposal(hostile, f"p-{number}"))
        assert [tag for tag in inline_code(page) if tag != "style"] == []
        assert len([tag for tag, _ in page.tags if tag == "style"]) == 1
        assert not [tag for tag, attrs in page.tags if tag in ("script", "link") or attrs.get("src")]


def test_markdown_quotes_hostile_text(hostile: Project, visit: Visit) -> None:
    client = visit(hostile)
    for number in range(len(HOSTILE)):
        text = client.get(f"/p/p-{number}/markdown").text
        outside = text.split("```diff")[0]
        assert "\x1b" not in text
        assert "<script" not in "".join(outside.split("`")[::2])
