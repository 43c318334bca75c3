"""The commands, and the one place where an error becomes words and an exit code."""

import atexit
import os
import signal
import sys
import threading
from types import FrameType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from whet.cli import commands
from whet.cli.output import show_error
from whet.errors import Internal, WhetError

_INTERRUPTED = 130
HELP = "whet lets a codebase improve itself, and lets nothing through without proof."
EXIT_CODES = """Exit codes: 0 done or proven, 1 the answer is no (not proven, rejected, rolled back), 2 usage or
whet.toml, 3 refused by the guard or the policy, 4 the machine or the repository is not ready, 5 a gate is open and
waits, 6 the record is damaged, 7 inconclusive, 70 a bug in whet, 130 interrupted."""


def _print_version(requested: bool) -> None:
    if requested:
        from whet import __version__

        sys.stdout.write(f"whet {__version__}\n")
        raise typer.Exit


app = typer.Typer(
    name="whet",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=HELP,
    epilog=EXIT_CODES,
)
commands.register(app)


@app.callback(help=HELP, epilog=EXIT_CODES)
def whet(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Hold the options that come before a command."""


_interrupted = threading.Event()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Note the interrupt before it unwinds anything, then raise KeyboardInterrupt as usual."""
    _interrupted.set()
    signal.default_int_handler(number, frame)


def _thread_failed(failure: threading.ExceptHookArgs) -> None:
    """Print the traceback of a failed thread, unless an interrupt has closed the files that it was reading."""
    if not _interrupted.is_set():
        threading.__excepthook__(failure)


def main() -> None:
    """Run a command and exit without tearing the interpreter down, which would take a third of a second.

    A workflow that waits at a gate is a blocked thread. It may be killed: the next process resumes it at that gate.
    """
    signal.signal(signal.SIGINT, _interrupt)
    threading.excepthook = _thread_failed
    code = _run()
    sys.stdout.flush()
    sys.stderr.flush()
    if threading.active_count() == 1:
        atexit._run_exitfuncs()
    os._exit(code)


def _see_help(problem: TyperException) -> str:
    """Return the help to read: that of the command that was called, as far as it exists."""
    context = getattr(problem, "ctx", None)
    called = context.command_path if context else "whet"
    return f"see `{called} --help`" + ("" if called != "whet" else ", `whet COMMAND --help`")


def _run() -> int:
    as_json = "--json" in sys.argv
    try:
        return _result()
    except TyperException as problem:
        show_error("usage", problem.format_message(), _see_help(problem), as_json=as_json)
        return problem.exit_code
    except (typer.Abort, KeyboardInterrupt):
        show_error("interrupted", "interrupted; nothing is lost", "`whet resume` continues", as_json=as_json)
        return _INTERRUPTED
    except WhetError as problem:
        show_error(problem.code, problem.message, problem.remedy, as_json=as_json)
        return problem.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as problem:  # noqa: BLE001 - the last boundary: a traceback on the screen is a bug
        return _internal(problem, as_json=as_json)


def _result() -> int:
    """Run the command and stop the spinner in any case, because a spinner hides what is printed after it."""
    try:
        result = app(standalone_mode=False)
    finally:
        if progress := sys.modules.get("whet.cli.progress"):
            progress.stop_spinning()
    if result == _INTERRUPTED:  # typer turns Ctrl-C into this result and prints nothing
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _internal(problem: Exception, *, as_json: bool) -> int:
    import tempfile
    import traceback

    from whet.domain.redact import redact

    with tempfile.NamedTemporaryFile("w", prefix="whet-bug-", suffix=".txt", delete=False) as file:
        file.write(redact("".join(traceback.format_exception(problem))))
    message = f"a bug in whet: {type(problem).__name__}: {problem}"
    show_error(Internal.code, message, f"please report it with {file.name}", as_json=as_json)
    return Internal.exit_code
