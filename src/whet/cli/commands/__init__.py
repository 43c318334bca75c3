"""Every command of `whet`. Heavy imports stay inside the functions, so that `whet --help` answers at once."""

import typer

from whet.cli.commands import guarding
from whet.cli.commands.budgeting import budget
from whet.cli.commands.looking import audit, diff, history, list_, scan, show
from whet.cli.commands.repairing import repair
from whet.cli.commands.serving import worker
from whet.cli.commands.setting_up import demo, doctor, init, version
from whet.cli.commands.steering import prove, rollback, start, stop, suggest
from whet.cli.commands.versioning import sync, versions
from whet.cli.commands.working import approve, reject, resume, run, withdraw

COMMANDS = (init, doctor, scan, run, repair, list_, show, diff, approve, reject, withdraw, resume, rollback, history, versions,
            sync, audit, budget, suggest, prove, worker, stop, start, demo, version)  # fmt: skip
EXAMPLES = {
    "init": "cd my-repo && whet init",
    "doctor": "whet doctor --probe",
    "scan": "whet scan --json",
    "run": "whet run --top 2",
    "repair": "whet repair tests/test_core.py::test_total --budget 30",
    "list": "whet list",
    "show": "whet show p-3f",
    "diff": "whet diff p-3f",
    "versions": "whet versions calculator.divide",
    "sync": "whet sync --json",
    "approve": "whet approve p-3f --digest 9c1d22aa",
    "reject": 'whet reject p-3f --why "the caller is wrong, not this"',
    "withdraw": 'whet withdraw p-3f --why "wait for the release"',
    "resume": "whet resume",
    "rollback": 'whet rollback p-3f --why "latency doubled"',
    "history": "whet history src/pkg/core.py --diff 3 4",
    "audit": "whet audit --json",
    "budget": "whet budget --json",
    "suggest": "whet suggest 'an empty list has mean 0' --where stats.py --case 'mean([]) == 0'",
    "prove": "whet prove --branch feature --markdown",
    "worker": "whet worker --json",
    "guard": guarding.EXAMPLES["command"],
    "stop": 'whet stop --why "incident"',
    "start": "whet start",
    "demo": "whet demo",
    "version": "whet version",
}


def register(app: typer.Typer) -> None:
    for command in COMMANDS:
        name = command.__name__.rstrip("_")
        app.command(name=name, epilog=f"Example: {EXAMPLES[name]}")(command)
    app.add_typer(guarding.group)
