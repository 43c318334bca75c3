"""A person works through the queue in a real Chromium: from a real finding to the approval, the merge and the rollback."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import expect

from tests.web.pages import made
from tests.web.pages.chromium import Person, VirtualAuthenticator, chromium, serving
from tests.web.pages.test_passkeys_in_chromium import ANN, WHO, _commit, _enrol
from whet.app.approvals import decisions
from whet.app.audits.audit import audit
from whet.app.cycles.loop import running
from whet.app.project import Project

pytestmark = pytest.mark.long

POLICY = '\n[approve]\napply = "approve"\nproof = { approve = "signature" }\n'


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository with one bug, in which Ann is enrolled by SSH key."""
    project = made.open_made(tmp_path)
    (project.git.root / "whet.signers").write_text(ANN.line)
    toml = project.git.root / "whet.toml"
    toml.write_text(toml.read_text() + POLICY)
    _commit(project, "Enrol Ann")
    project = project.reloaded()
    decisions.roll_of(project).in_force()
    return project


@contextlib.contextmanager
def whet_at_work(project: Project) -> Iterator[None]:
    """Run one cycle in another thread, which carries its proposal on until the block ends. Playwright's own loop keeps
    the durable engine out of the thread of the test."""
    over = Event()

    def work() -> None:
        with running(project) as loop:
            for proposal in loop.wait_for_cycle(loop.start("test")):
                loop.wait_for(proposal)
            over.wait()

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        try:
            yield
        finally:
            over.set()
            working.result(timeout=60)


def test_from_the_queue_to_the_approval_and_back(project: Project) -> None:
    with chromium() as browser, serving(project) as link:
        person = Person(browser, link)
        VirtualAuthenticator(person.page)
        _enrol(project, person)
        before = project.git.tree_of("main")
        page = person.open("/")
        expect(page.get_by_text("Nothing waits for an answer.")).to_be_visible()
        with whet_at_work(project):
            page.locator("#queue .row", has_text="apply gate").locator(".row-title").click()  # it came without a reload
            expect(page.locator("#decision .verdict")).to_have_text("passed")
            expect(page.locator("#brief")).to_contain_text("red again on revert")
            expect(page.locator(".diff .added")).to_contain_text("range(2, n + 1)")
            assert page.locator("#proof .matrix .cell.red").count() >= 2

            page.keyboard.press("a")
            page.get_by_label("Who").fill(WHO)
            page.get_by_label("Why").fill("the loop ended too early")
            page.get_by_role("button", name="Show the statement").click()
            expect(page.locator("#statement")).to_contain_text("answer: approved")
            page.get_by_role("button", name="Approve with your passkey").click()
            expect(page.locator("#brief")).to_contain_text("merged")  # whet merged it, and the page was told
            assert project.git.tree_of("main") != before

        page.get_by_role("link", name="Roll back…").click()
        page.get_by_label("Why").fill("the callers rely on it")
        page.get_by_role("button", name="Roll back").click()
        expect(page.locator("#brief")).to_contain_text("rolled back")
        expect(page.get_by_role("link", name="Roll back…")).to_have_count(0)
        assert project.git.tree_of("main") == before
        assert person.complaints == []
    rolled_back = project.ledger.latest("Rollback")
    assert rolled_back
    assert rolled_back.data["reason"] == "the callers rely on it"
    report = audit(project)
    assert report.ok
    assert not report.unproven
