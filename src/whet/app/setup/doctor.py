"""`whet doctor`: check the machine and the repository, and show that the proof can pass and can fail."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from whet.app.agent_hook.found import used_agents
from whet.app.agent_hook.install import SettingsScope, installed
from whet.app.approvals.approvers_view import view
from whet.app.project import Project, open_project
from whet.app.proofs.prove import prove
from whet.app.service.status import service_line
from whet.app.setup.formulas import formula_line
from whet.app.setup.models import check_model, configured
from whet.app.setup.sample_repository import make_sample, without_bugs
from whet.config import PackagePolicy, parse
from whet.domain.plural import count
from whet.domain.verdict import Verdict
from whet.errors import WhetError
from whet.git.git import Git
from whet.phases.approve.votes import PROTECT
from whet.phases.deploy.live_modules import require_pytest_for_shadow
from whet.phases.propose.agent.check import check_agent
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.escape_check import ProbeResult, check_escapes
from whet.sandbox.sandbox import Job, JobLimits
from whet.target import interpreter

_EMPTY_TAR = bytes(10240)
_SYSTEMD = Path("/run/systemd/system")


@dataclass(frozen=True)
class DoctorResult:
    name: str
    ok: bool
    detail: str
    remedy: str = ""


def examine(start: Path, *, self_checks: bool = True) -> Iterator[DoctorResult]:
    """Yield one result after the other, so that a slow check does not hide the rest."""
    yield _try("git", _git)
    yield _try("bubblewrap", lambda: Bubblewrap().version)
    contained = _try("containment", _containment)
    yield contained
    yield from _repository(start)
    if self_checks and contained.ok:
        yield from _self_checks()


def probe(watch: Callable[[ProbeResult], None] | None = None) -> list[ProbeResult]:
    """Run every probe that tries to get out of the sandbox, on the host and inside."""
    not_a_repository = Path(tempfile.gettempdir()) / "whet-probe"
    sandbox = Bubblewrap()
    readable = interpreter.probe(sandbox, Path(sys.executable), not_a_repository).readable
    return check_escapes(sandbox, readable, on_result=watch)


def _try(name: str, check: Callable[[], str]) -> DoctorResult:
    try:
        return DoctorResult(name, ok=True, detail=check())
    except WhetError as problem:
        return DoctorResult(name, ok=False, detail=problem.message, remedy=problem.remedy)


def _git() -> str:
    return Git(Path("/")).text("version")


def _containment() -> str:
    """Build a sandbox and try three ways out of it."""
    script = (
        "touch /usr/whet-was-here 2>/dev/null && echo wrote outside the tree; "
        "cat /etc/shadow 2>/dev/null | head -c1 | grep -q . && echo read a secret; "
        "(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 | grep -qi unreachable || true; "
        "[ $(ls /sys/class/net 2>/dev/null | grep -vc '^lo$') -gt 0 ] && echo saw a network; "
        '[ -n "$SSH_AUTH_SOCK$HOME_SECRET" ] && echo saw the environment; true'
    )
    job = Job(argv=("bash", "-c", script), tree=_EMPTY_TAR, root="/project", limits=JobLimits(wall_seconds=20))
    finished = Bubblewrap().run(job)
    if finished.exit_code or finished.output.strip():
        raise WhetError(
            f"the sandbox does not hold: {finished.output.strip() or finished.exit_code}", "do not use whet here"
        )
    containment = finished.containment
    totals = _totals(containment.enforced_by["memory_bytes"])
    return f"holds: uid {containment.uid}, own {', '.join(containment.namespaces)} namespaces, no network, totals by {totals}"


def _totals(counted_by: str) -> str:
    if counted_by == "watchdog" and _SYSTEMD.is_dir():
        return f"{counted_by} (by the kernel itself where whet is started as `systemd-run --user --scope whet ...`)"
    return counted_by


def _repository(start: Path) -> Iterator[DoctorResult]:
    opened: list[Project] = []

    def open_it() -> str:
        opened.append(open_project(start))
        return str(opened[0].git.root)

    yield _try("repository", open_it)
    if not opened:
        return
    project = opened[0]
    yield _try("branch", lambda: _branch(project))
    if project.policy.project:
        for package in project.policy.project:
            yield _try(f"interpreter of {package.title}", partial(_interpreter_of, project, package))
    else:
        yield _try("interpreter", lambda: _interpreter(project))
    yield _try("state", lambda: _state(project))
    yield _try("kill switch", lambda: _switch(project))
    yield _try("engines", lambda: ", ".join(project.engines.proposers))
    yield _try("approvers", lambda: _approvers(project))
    yield _try("agent hooks", lambda: _agent_hooks(project))
    yield _try("service", lambda: service_line(project))
    for formula in sorted(project.policy.formulas.declared):
        yield _try(f"formula: {formula}", partial(formula_line, project, formula))
    for role, model in configured(project.policy).items():
        yield _try(f"model: {role}", partial(check_model, project, model))
    if project.policy.agent.preset:
        yield _try("agent", lambda: check_agent(project.kit))


def _approvers(project: Project) -> str:
    """Say who is enrolled. Fail if a change waits for signatures, or if any program of this user can sign with a key."""
    listed = view(project)
    if listed.problem:
        raise WhetError(listed.problem, "`whet approvers` shows it; `whet approvers sign` signs the change")
    exposed = [f"{key.who} {key.key}" for key in listed.keys if key.exposed]
    if exposed:
        raise WhetError(
            f"loaded in an ssh-agent or without a passphrase, so that it does not count: {', '.join(exposed)}", PROTECT
        )
    keys = [key for key in listed.keys if key.approves]
    if not keys:
        return "nobody is enrolled: approvals are unproven, and in production the tiers approve and require refuse"
    return f"{count(len(keys), 'key')} enrolled: {', '.join(dict.fromkeys(key.who for key in keys))}"


def _agent_hooks(project: Project) -> str:
    """Name the coding agents that ask the guard before they use a tool, and those here that do not."""
    hooked = installed(project.git.root)
    unguarded = [agent for agent in used_agents(SettingsScope.PROJECT, project.git.root) if agent not in dict(hooked)]
    names = ", ".join(f"{agent.title} ({scope})" for agent, scope in hooked) or "none installed"
    if not unguarded:
        return names
    return f"{names}; not for {', '.join(agent.title for agent in unguarded)}: see `whet guard hook install`"


def _state(project: Project) -> str:
    where = project.address.where if project.address else f"{project.state.name}/"
    return f"{count(len(project.ledger.entries()), 'ledger entry')} in {where}"


def _branch(project: Project) -> str:
    project.refuse_conflicting_branch()
    return project.ref.removeprefix("refs/heads/")


def _switch(project: Project) -> str:
    project.refuse_unless_permitted()
    return "off"


def _interpreter(project: Project) -> str:
    path = interpreter.find(project.git, project.policy.target.interpreter)
    probed = interpreter.probe(Bubblewrap(), path, project.git.root)
    if project.policy.tests.runner == "pytest" and not probed.has_pytest:
        raise WhetError(f"{path} has no pytest", f"{path} -m pip install pytest")
    require_pytest_for_shadow(project.policy.deploy, probed)
    return f"{probed.path} ({probed.version}{', pytest' if probed.has_pytest else ''})"


def _interpreter_of(project: Project, package: PackagePolicy) -> str:
    probed = project.suite.of_package(package.title).interpreter
    if not probed.has_pytest:
        raise WhetError(f"{probed.path} has no pytest", f"{probed.path} -m pip install pytest")
    return f"{probed.path} ({probed.version}, pytest)"


def _self_checks() -> Iterator[DoctorResult]:
    """Prove four patches of a sample repository, and compare each verdict with the expected one.

    A patch without effect must not pass, a broken one must fail, and a right fix must pass.
    """
    with tempfile.TemporaryDirectory(prefix="whet-doctor-") as folder:
        git = make_sample(Path(folder))
        try:
            project = Project(git, parse((git.root / "whet.toml").read_bytes()))
            project.kit.suite.interpreter = _with_pytest(project)
            yield _self_check(project, "null patch", {}, Verdict.INCONCLUSIVE, "does not pass")
            comment = {"calculator.py": _source(git) + "\n# nothing changed\n"}
            yield _self_check(project, "identical behaviour", comment, Verdict.INCONCLUSIVE, "shows no difference")
            broken = {"calculator.py": _source(git).replace("return a + b", "return a * b", 1)}
            yield _self_check(project, "forced failure", broken, Verdict.FAILED, "is seen")
            right = {"calculator.py": without_bugs(_source(git))}
            yield _self_check(project, "right fix", right, Verdict.PASSED, "passes")
            project.store.close()
        except WhetError as problem:
            yield DoctorResult("self-checks", ok=False, detail=problem.message, remedy=problem.remedy)


def _with_pytest(project: Project) -> interpreter.Interpreter:
    """Return whet's own interpreter if it has pytest, else the first `python3` that has."""
    for name in (sys.executable, shutil.which("python3") or sys.executable):
        probed = interpreter.probe(project.suite.sandbox, Path(name), project.git.root)
        if probed.has_pytest:
            return probed
    raise WhetError("no interpreter with pytest for the self-checks", f"{sys.executable} -m pip install pytest")


def _source(git: Git) -> str:
    return (git.root / "calculator.py").read_text()


def _self_check(project: Project, name: str, files: dict[str, str], expected: Verdict, words: str) -> DoctorResult:
    base = project.git.resolve("HEAD")
    tree = project.git.with_files(project.git.tree_of(base), {path: text.encode() for path, text in files.items()})
    evidence = prove(project, project.git.patch(base, tree, name), trust_tests=False).evidence
    verdict = evidence.verdict
    if verdict is expected:
        return DoctorResult(f"self-check: {name}", ok=True, detail=f"{words} ({verdict.value}: {evidence.reasons[0]})")
    return DoctorResult(
        f"self-check: {name}",
        ok=False,
        detail=f"{verdict.value}, should be {expected.value}",
        remedy="do not use whet here",
    )
