"""Server time of the pages on a large record: 10,000 tests, a patch of 5,000 lines, 100,000 rows of the ledger.

    python -m bench.pages

Times are medians of CPU seconds in this process, beside the time of the queue on an empty record.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import insert

from tests.web.pages import made
from whet.app.findings.deferred import deferred
from whet.app.project import Project
from whet.app.repository import Repository
from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.ledger.entry import link
from whet.store import schema
from whet.web.pages.findings_page import findings_page
from whet.web.pages.ledger_page import ledger_page
from whet.web.pages.proposal_page import proposal_page
from whet.web.pages.queue_page import queue_page
from whet.web.pages.routes import show
from whet.web.server import create_app
from whet.web.settings import WebSettings
from whet.web.site import Site

ROWS, TESTS, LINES = 100_000, 10_000, 5_000


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        project = made.open_made(Path(folder))
        site: Site = create_app(Repository(project), settings=WebSettings()).state.site
        empty = _seconds(
            lambda: show(site, project, "queue.html", page=queue_page(project), deferred=deferred(project))
        )
        print(f"empty queue          {empty * 1000:7.1f} ms")
        _fill(project)
        pages: dict[str, Callable[[], object]] = {
            "queue": lambda: show(site, project, "queue.html", page=queue_page(project), deferred=deferred(project)),
            "proposal": lambda: show(site, project, "proposal.html", page=proposal_page(project, "p-large")),
            "findings": lambda: show(site, project, "findings.html", page=findings_page(project)),
            "ledger": lambda: show(
                site,
                project,
                "ledger.html",
                page=ledger_page(project, 0, dict.fromkeys(("phase", "kind", "subject", "actor"), "")),
                checked=site.checks.latest(project),
            ),
            "ledger, filtered": lambda: show(
                site,
                project,
                "ledger.html",
                page=ledger_page(project, 0, {"phase": "", "kind": "Note", "subject": "c-7", "actor": ""}),
                checked=site.checks.latest(project),
            ),
        }
        slowest = 0.0
        for name, render in pages.items():
            first = time.process_time()
            render()
            first = time.process_time() - first
            seconds = _seconds(render)
            slowest = max(slowest, seconds)
            print(
                f"{name:20} {seconds * 1000:7.1f} ms, {seconds / empty:5.1f} times an empty page, first {first * 1000:.0f} ms"
            )
    return 0 if slowest < 0.2 else 1


def _seconds(render: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        began = time.process_time()
        render()
        times.append(time.process_time() - began)
    return statistics.median(times)


def _fill(project: Project) -> None:
    """Write the rows in one transaction: appending each would wait for the disk 100,000 times."""
    tests = [f"tests/test_{number % 97}.py::test_{number}" for number in range(TESTS)]
    proposal = made.proposal(project, "p-large")
    proof = made.evidence(
        proposal,
        made.check("t", red=tuple(tests[:50]), green=tuple(tests[:50]), reverted=tuple(tests[:50]), held=TESTS - 50),
    )
    lines = [f"    value_{number} = compute({number}, 'text')" for number in range(LINES)]
    made.record(project, proposal, made.diff_of("calculator.py", lines), proof)
    made.store_run(project, tests)
    head, rows = project.ledger.head(), []
    previous, at, body = head.hash, now().isoformat(), canonical({"text": "x" * 200})
    for seq in range(head.seq + 1, head.seq + 1 + ROWS):
        texts = {
            "at": at,
            "phase": "observe",
            "kind": "Note",
            "subject": f"c-{seq % 500}",
            "key": f"k{seq}",
            "actor": "whet",
            "body": body,
        }
        own = link(previous, seq, texts.values())
        rows.append({"seq": seq, **texts, "previous": previous, "hash": own})
        previous = own
    with project.store.writing() as connection:
        connection.execute(insert(schema.ledger), rows)


if __name__ == "__main__":
    sys.exit(main())
