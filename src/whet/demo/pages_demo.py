"""The pages of the demo: the next bug is proved, and its proposal waits for an answer in the browser."""

import shlex
from pathlib import Path

from whet.app.cycles.loop import Loop, running
from whet.app.project import open_project
from whet.cli.output import say
from whet.cli.progress import OnlyWarnings
from whet.demo.approver import NAME
from whet.errors import EnvironmentProblem

_PORT = 8787
_MOST_CYCLES = 3


def _ask_something(loop: Loop) -> None:
    """Run cycles until a proposal waits for an answer. The fix that was rolled back is not proposed again."""
    for _ in range(_MOST_CYCLES):
        for proposal in loop.wait_for_cycle(loop.start("demo")):
            if loop.wait_for(proposal).open_question:
                return


def serve_pages(folder: Path) -> None:
    """Prove the next bug of the demo's repository, and serve its pages until Ctrl-C. An answer on them continues the proposal."""
    try:
        from whet.app.repository import Repository
        from whet.web import server
        from whet.web.settings import WebSettings
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem(
            f"the pages need a package that is not installed: {missing.name}", "pip install 'whet[web]'"
        ) from missing
    project = open_project(folder / "tests", OnlyWarnings(), local=True)
    say("whet looks for the next bug, and then shows it in the browser ...")
    with running(project) as loop:
        _ask_something(loop)
        try:
            listener = server.listen("127.0.0.1", _PORT)
        except EnvironmentProblem:  # the port is in use: any free one will do
            listener = server.listen("127.0.0.1", 0)
        settings = WebSettings(port=listener.getsockname()[1])
        app = server.create_app(Repository(project), settings=settings)
        key = shlex.quote(str(folder / "approval_key"))
        say(
            f"the pages: {server.entry_link(app)}",
            "the link signs one browser in, once; Ctrl-C ends the demo",
            f"to say yes: Approve… shows the commands; you are {NAME}, KEY is {key}; before them run",
            f"  cd {shlex.quote(str(folder / 'tests'))}; export XDG_STATE_HOME={shlex.quote(str(folder / 'state'))}",
        )
        server.serve(app, listener)
