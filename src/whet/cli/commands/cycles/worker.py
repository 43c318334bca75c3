"""`whet worker`: try candidates for searches that run on other machines."""

from whet.cli.commands.shared import Json, end_progress, open_project_here


def worker(as_json: Json = False) -> int:
    """Try edits for the searches of other machines.

    They run in this checkout's sandbox. Needs WHET_STORE_URL; Ctrl-C ends it.
    """
    import signal
    from threading import Event

    from whet.app.cycles.worker import WorkerStats, work
    from whet.cli.output import emit, say
    from whet.domain.plural import count

    project, over, stats = open_project_here(as_json=as_json), Event(), WorkerStats()
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: over.set())
    project.progress.note("waiting for a search; Ctrl-C ends it")
    work(project, over, stats)
    end_progress(project)
    if as_json:
        emit(stats)
    else:
        say(f"{count(stats.candidates, 'edit')} tried in {count(stats.batches, 'batch')}; {stats.refused} refused")
    return 0
