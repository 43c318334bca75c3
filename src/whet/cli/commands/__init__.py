"""Every command of `whet`, one file each. Heavy imports stay inside the functions, so that `whet --help` answers at once."""

import typer

from whet.cli.commands.cycles.codemod import codemod
from whet.cli.commands.cycles.evaluate import evaluate
from whet.cli.commands.cycles.improve import improve
from whet.cli.commands.cycles.intents import intents
from whet.cli.commands.cycles.repair import repair
from whet.cli.commands.cycles.resume import resume
from whet.cli.commands.cycles.run import run
from whet.cli.commands.cycles.scan import scan
from whet.cli.commands.cycles.suggest import suggest
from whet.cli.commands.cycles.tune import tune
from whet.cli.commands.cycles.worker import worker
from whet.cli.commands.deployments.history import history
from whet.cli.commands.deployments.rollback import rollback
from whet.cli.commands.deployments.sync import sync
from whet.cli.commands.deployments.versions import versions
from whet.cli.commands.knowledge import patterns
from whet.cli.commands.knowledge.preferences import preferences
from whet.cli.commands.knowledge.unlearn import unlearn
from whet.cli.commands.proofs.prove import prove
from whet.cli.commands.proofs.verify import verify
from whet.cli.commands.proposals import approvers
from whet.cli.commands.proposals.answer import answer
from whet.cli.commands.proposals.approve import approve
from whet.cli.commands.proposals.diff import diff
from whet.cli.commands.proposals.list_proposals import list_
from whet.cli.commands.proposals.reject import reject
from whet.cli.commands.proposals.reply import reply
from whet.cli.commands.proposals.show import show
from whet.cli.commands.proposals.withdraw import withdraw
from whet.cli.commands.record.audit import audit
from whet.cli.commands.record.budget import budget
from whet.cli.commands.record.ledger import ledger
from whet.cli.commands.service import service, tokens, webhooks
from whet.cli.commands.service.mcp import mcp
from whet.cli.commands.service.notify import notify
from whet.cli.commands.service.serve import serve
from whet.cli.commands.service.start import start
from whet.cli.commands.service.status import status
from whet.cli.commands.service.stop import stop
from whet.cli.commands.setup import guard
from whet.cli.commands.setup.demo import demo
from whet.cli.commands.setup.doctor import doctor
from whet.cli.commands.setup.init import init
from whet.cli.commands.setup.models import models
from whet.cli.commands.setup.version import version

COMMANDS = (init, doctor, scan, run, repair, list_, show, diff, answer, reply, approve, reject, withdraw, resume, rollback, history, versions,
            sync, audit, ledger, budget, models, suggest, intents, tune, evaluate, improve, codemod, preferences, unlearn, prove, verify, mcp, serve, status, notify, worker, stop, start, demo, version)  # fmt: skip
EXAMPLES = {
    "init": "cd my-repo && whet init",
    "doctor": "whet doctor --probe",
    "scan": "whet scan --json",
    "run": "whet run --finding f-1a2b3c4d",
    "repair": "whet repair tests/test_core.py::test_total --budget 30",
    "list": "whet list",
    "show": "whet show p-3f --all",
    "diff": "whet diff p-3f",
    "versions": "whet versions calculator.divide",
    "sync": "whet sync --json",
    "answer": "whet answer p-3f 2",
    "reply": 'whet reply i-1a2b "yes, a month counts as 30 days"',
    "approve": 'whet approve p-3f --why "read the diff"',
    "approvers": approvers.EXAMPLES["list"],
    "reject": 'whet reject p-3f --why "the caller is wrong, not this"',
    "withdraw": 'whet withdraw p-3f --why "wait for the release"',
    "resume": "whet resume",
    "rollback": 'whet rollback p-3f --why "latency doubled"',
    "history": "whet history src/pkg/core.py --diff 3 4",
    "audit": "whet audit --json",
    "ledger": "whet ledger --phase validate --kind Evidence --latest",
    "budget": "whet budget --json",
    "models": "whet models --check",
    "suggest": "whet suggest 'an empty list has mean 0' --where stats.py --case 'mean([]) == 0'",
    "prove": "whet prove --branch feature --format markdown",
    "verify": "whet verify proof.json --commit HEAD --signed",
    "mcp": "whet mcp",
    "notify": "whet notify --test",
    "tokens": tokens.EXAMPLES["create"],
    "serve": "whet serve --repository ~/calculator --repository ~/parser",
    "status": "whet status --json",
    "webhooks": webhooks.EXAMPLES["add"],
    "worker": "whet worker --json",
    "guard": guard.EXAMPLES["command"],
    "patterns": patterns.EXAMPLES["list"],
    "intents": "whet intents wishes.json",
    "tune": "whet tune batch --dry-run",
    "evaluate": "whet evaluate triage --answers-to evals/answers.json",
    "improve": "whet improve triage --dry-run",
    "codemod": "whet codemod no_bare_get",
    "preferences": "whet preferences --json",
    "unlearn": 'whet unlearn w-1a2b --why "that was one bad week"',
    "service": service.EXAMPLES["install"],
    "stop": 'whet stop --why "incident"',
    "start": "whet start",
    "demo": "whet demo",
    "version": "whet version",
}


def register(app: typer.Typer) -> None:
    for command in COMMANDS:
        name = command.__name__.rstrip("_")
        app.command(name=name, epilog=f"Example: {EXAMPLES[name]}")(command)
    app.add_typer(approvers.group)
    app.add_typer(guard.group)
    app.add_typer(patterns.group)
    app.add_typer(tokens.group)
    app.add_typer(service.group)
    app.add_typer(webhooks.group)
