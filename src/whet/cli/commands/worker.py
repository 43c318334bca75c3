"""`whet worker`: try candidates for searches that run on other machines."""

from whet.cli.commands.shared import Json, end_progress, opened


def worker(as_json: Json = False) -> int:
    """Try edits for the searches of other machines.

    They run in this checkout's sandbox. Needs WHET_STORE_URL; Ctrl-C ends it.
    """
    import signal
    from threading import Event

    from whet.app.worker import Worked, work
    from whet.cli.output import emit, say

    project, over, worked = opened(as_json=as_json), Event(), Worked()
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: over.set())
    project.progress.note("waiting for a search; Ctrl-C ends it")
    work(project, over, worked)
    end_progress(project)
    if as_json:
        emit(worked)
    else:
        say(f"{worked.candidates} edits tried in {worked.batches} batches; {worked.refused} batches refused")
    return 0
