"""A process that has imported whet and forks for each command of a test: the imports take longer than most commands.

`python whet_server.py SOCKET` listens at the path SOCKET. A client sends one JSON object with the keys argv, cwd, env,
umask, script (a Python file to run instead of the whet command, or ""), short_proof (leave the late safeguards out of
proofs), recorded_runs (the folder of recorded_runs.py, or "") and target_python (the interpreter of targets that have none of
their own, or ""), together with the descriptors of stdin, stdout and stderr. It receives the process id in a first line and,
when the command has ended, its exit code in a second one: a negative signal number if it was killed.
"""

import contextlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LARGEST_REQUEST = 1 << 20
NOT_IMPORTED = ("whet.__main__", "whet.target.inside", "whet.sandbox.probes")


def import_whet() -> None:
    """Import every module of whet that its commands use, and with them the libraries."""
    import whet
    from tests import recorded_runs

    tuple(recorded_runs.predictable_values())
    for module in pkgutil.walk_packages(whet.__path__, "whet."):
        if not module.name.startswith(NOT_IMPORTED):
            __import__(module.name)
    import sqlalchemy.dialects.sqlite  # noqa: F401


def fill_caches() -> None:
    """Do what every process of whet that judges a change would do again: load engines, compile forms and patterns, scan
    the interpreter's folders for what the sandbox must hide."""
    from whet import plugins
    from whet.config import Config
    from whet.domain.redact import redact
    from whet.errors import SandboxUnavailable
    from whet.guard.content.leaked_secret import detectors
    from whet.guard.paths.protected import compile_patterns
    from whet.sandbox.bubblewrap import Bubblewrap
    from whet.target import interpreter

    for group in plugins.GROUPS:
        plugins.known(group)
    redact("a text that is searched for every form: password token://")
    compile_patterns(Config())
    detectors()
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(SandboxUnavailable):
        interpreter.probe(Bubblewrap(), Path(sys.executable), Path(folder))


def configure_proofs(settings: dict[str, Any]) -> None:
    """Make the proofs of this process as cheap as the fixtures of the test have made those of its own process."""
    if settings["short_proof"]:
        from whet.phases.validate.integrity import run
        from whet.phases.validate.integrity.safeguards import SAFEGUARDS

        vars(run)["SAFEGUARDS"] = tuple(safeguard for safeguard in SAFEGUARDS if not safeguard.late)
    if settings["target_python"]:
        from whet.target import interpreter

        vars(interpreter)["sys"] = SimpleNamespace(executable=settings["target_python"])
    if settings["recorded_runs"]:
        from tests import recorded_runs

        recorded_runs.install(settings["recorded_runs"])


def become_command(request: dict[str, Any], descriptors: list[int]) -> None:
    """Turn this forked process into the command: never returns to the server's loop."""
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target)
    os.closerange(3, 1024)  # the server's own sockets
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["cwd"])
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["env"])
    configure_proofs(request)
    if request["script"]:
        sys.argv = [request["script"], *request["argv"]]
        runpy.run_path(request["script"], run_name="__main__")
    else:
        from whet.cli.main import main

        sys.argv = ["whet", *request["argv"]]
        main()


def start(connection: socket.socket) -> int:
    """Read a request and return the process id of its command."""
    message, descriptors, _, _ = socket.recv_fds(connection, LARGEST_REQUEST, 3)
    while not message.endswith(b"\n"):
        message += connection.recv(LARGEST_REQUEST)
    child = os.fork()
    if child == 0:
        try:
            become_command(json.loads(message), descriptors)
        except SystemExit as done:
            sys.stdout.flush()
            os._exit(done.code if isinstance(done.code, int) else 1)
        except BaseException:  # noqa: BLE001 - what the interpreter does with an exception that nobody caught
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        os._exit(1)
    for descriptor in descriptors:
        os.close(descriptor)
    return child


def serve(address: str) -> None:
    import_whet()
    fill_caches()
    assert threading.active_count() == 1, "a fork would lose these threads"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    selector = selectors.DefaultSelector()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    selector.register(listener, selectors.EVENT_READ)
    selector.register(sys.stdin, selectors.EVENT_READ)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        for key, _ in selector.select():
            if key.fileobj is sys.stdin:  # the client is gone
                return
            if key.fileobj is listener:
                connection, _ = listener.accept()
                child = start(connection)
                connection.sendall(f"{child}\n".encode())
                selector.register(os.pidfd_open(child), selectors.EVENT_READ, (child, connection))
            else:
                child, connection = key.data
                _, status = os.waitpid(child, 0)
                selector.unregister(key.fileobj)
                os.close(key.fd)
                with contextlib.suppress(BrokenPipeError):
                    connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
                connection.close()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    serve(sys.argv[1])
