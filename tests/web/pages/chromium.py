"""A real server on a free port, and a real Chromium with a virtual authenticator."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import uvicorn
from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from whet.app.project import Project
from whet.app.repository import Repository
from whet.web.server import create_app, entry_link
from whet.web.settings import WebSettings

SECONDS = 60
expect.set_options(timeout=SECONDS * 1000)


@contextlib.contextmanager
def serving(project: Project) -> Iterator[str]:
    """Serve a project on a free port, and give the link that signs a browser in."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    app = create_app(Repository(project), settings=WebSettings(port=port, poll_seconds=0.05))
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    limit = time.monotonic() + SECONDS
    while not server.started:
        assert time.monotonic() < limit, "the server did not start"
        time.sleep(0.02)
    try:
        yield entry_link(app)
    finally:
        server.should_exit = True
        thread.join(SECONDS)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


class Person:
    """A page of a person who is signed in, with everything that the browser complained about."""

    def __init__(self, browser: Browser, link: str, **context: Any) -> None:
        self.page: Page = browser.new_context(**context).new_page()
        self.page.set_default_timeout(SECONDS * 1000)
        self.root = link.partition("/enter")[0]
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))
        self.page.goto(link)

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and "status of 4" not in text:
            self.complaints.append(text)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.root}{path}", wait_until="domcontentloaded")
        return self.page


class VirtualAuthenticator:
    """An authenticator of Chromium that confirms presence by itself. A test decides if the person is verified."""

    def __init__(self, page: Page) -> None:
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True,
        }  # fmt: skip
        made = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = {"authenticatorId": made["authenticatorId"]}

    def verify_people(self, verified: bool) -> None:
        self._cdp.send("WebAuthn.setUserVerified", {**self._id, "isUserVerified": verified})

    def set_counter(self, count: int) -> None:
        """Replace the passkey by a copy of it whose counter stands elsewhere."""
        [key] = self._cdp.send("WebAuthn.getCredentials", self._id)["credentials"]
        self._cdp.send("WebAuthn.removeCredential", {**self._id, "credentialId": key["credentialId"]})
        self._cdp.send("WebAuthn.addCredential", {**self._id, "credential": {**key, "signCount": count}})
