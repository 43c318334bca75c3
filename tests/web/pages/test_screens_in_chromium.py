"""The screens in a real Chromium: accessible, quiet about hostile text, usable by keyboard, live without disturbing."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.web.pages import made
from tests.web.pages.chromium import Person, chromium, serving
from tests.web.pages.made import HOSTILE
from tests.web.pages.test_hostile_text import record_hostile
from whet.app.agent_notes.ask import list_inquiries
from whet.app.project import Project

pytestmark = pytest.mark.long

PAGES = (
    "/",
    "/p/p-0",
    "/p/p-0/rollback",
    "/p/p-none",
    "/p/p-0/approve",
    "/p/p-0/reject",
    "/findings",
    "/ledger",
    "/policy",
)


@pytest.fixture(scope="module")
def hostile(project: Project) -> Project:
    record_hostile(project)
    made.store_run(project, [f"tests/test_a.py::test_{number}" for number in range(120)])
    return project


@pytest.fixture(scope="module")
def link(hostile: Project) -> Iterator[str]:
    with serving(hostile) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running_browser:
        yield running_browser


@pytest.fixture(scope="module")
def person(browser: Browser, link: str) -> Person:
    return Person(browser, link, reduced_motion="reduce")


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(person: Person, hostile: Project, scheme: str, width: int) -> None:
    person.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    person.page.set_viewport_size({"width": width, "height": 800})
    for path in (*PAGES, f"/inquiries/{list_inquiries(hostile.ledger)[0].id}"):
        found = Axe().run(person.open(path)).response["violations"]
        assert [(path, item["id"], [node["target"] for node in item["nodes"]][:3]) for item in found] == []
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_hostile_runs(person: Person) -> None:
    for number in range(len(HOSTILE)):
        for path in (f"/p/p-{number}", f"/p/p-{number}/approve?who=%3Cimg%20src=x%20onerror=alert(1)%3E"):
            page = person.open(path)
            assert "whet" in page.title()
            assert page.locator("main img, main script, main iframe").count() == 0
    assert person.complaints == []


def test_keys_move_and_never_decide(person: Person, hostile: Project) -> None:
    person.page.set_viewport_size({"width": 1200, "height": 800})
    head = hostile.ledger.head()
    page = person.open("/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert (
        page.evaluate(
            "[...document.querySelectorAll('[data-row]')].findIndex((row) => row.contains(document.activeElement))"
        )
        == 1
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/p-*")
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.id") == "proof"
    page.keyboard.press("n")
    assert page.locator(".hunk.here").count() == 1
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("test_11")
    expect(page.locator("#held-list li")).to_have_count(11)  # 11 and 110 to 119
    page.keyboard.press("Tab")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.wait_for_url("**/approve")
    assert hostile.ledger.head() == head


def test_a_new_question_appears_without_a_reload_and_leaves_a_form_alone(person: Person, hostile: Project) -> None:
    page = person.open("/")
    page.evaluate("window.kept = true")
    proposal = made.proposal(hostile, "p-live", "a change that arrives while you look")
    question = made.record(hostile, proposal, made.diff_of("a.py", ["x"]), made.evidence(proposal, made.check("t")))
    expect(page.get_by_text("a change that arrives while you look").first).to_be_visible()
    assert page.evaluate("window.kept"), "the page was loaded again"

    page = person.open("/p/p-live/reject")
    page.get_by_label("Why not").fill("half a sentence")
    hostile.ledger.append("approve", question, subject="p-live", key="p-live/asked again")
    expect(page.locator("#changed")).to_be_visible()
    assert page.get_by_label("Why not").input_value() == "half a sentence"
    assert person.complaints == []
