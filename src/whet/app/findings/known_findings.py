"""Refuse an id that no finding has before the test suite runs."""

from whet.app.project import Project
from whet.domain.finding import Finding
from whet.phases.diagnose.step import find
from whet.phases.observe.step import observe
from whet.workflow.cycle_steps import unknown_finding

_DECIDED_BY_COMMIT = ("tests", "lint")


def refuse_unknown_finding(project: Project, finding: str) -> None:
    """Refuse `finding`, the beginning of an id, if the last cycle looked at the same commit and found nothing of that id.

    Test failures and lint depend on the commit alone, so the record is believed for them. The other sources are asked
    again, because suggestions and calls arrive at any time. Without a record of this commit the cycle itself refuses,
    after its test run.
    """
    if not finding:
        return
    project.refuse_unless_permitted()
    recorded = _recorded(project)
    if recorded is None:
        return
    base, engines = project.git.resolve(project.ref), project.engines
    others = {name: source for name, source in engines.sources.items() if name not in _DECIDED_BY_COMMIT}
    signals = observe(base, others, project.progress)
    known = [each.id for each in (*recorded, *find(signals, engines.analyzers, base))]
    if not any(identity.startswith(finding) for identity in known):
        raise unknown_finding(finding, known)


def _recorded(project: Project) -> tuple[Finding, ...] | None:
    """Return the findings of the last cycle; None if it looked at another commit or had another policy."""
    ledger = project.ledger
    entry, policy = ledger.latest("Findings"), ledger.latest("Policy")
    if entry is None or policy is None or policy.key != f"policy/{project.policy.digest}":
        return None
    base = ledger.find(f"{entry.subject}/observe/base")
    if base is None or base.read(str) != project.git.resolve(project.ref):
        return None
    return entry.read(tuple[Finding, ...])
