"""Proposals: the list of them, and everything on record about one."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.app.views.proposal_view import ProposalView
from whet.cli.views.evidence import evidence_view
from whet.cli.views.screen import COLOURS, foreign
from whet.domain.sanitize import one_line


def list_table(views: list[ProposalView]) -> RenderableType:
    table = Table(
        "proposal", "status", "verdict", "engine", "risk", "what", box=None, pad_edge=False, header_style="bold"
    )
    for view in views:
        verdict = view.evidence.verdict.value if view.evidence else "-"
        proposal = view.proposal
        table.add_row(
            proposal.id, view.status, f"[{COLOURS.get(verdict, 'dim')}]{verdict}[/]", proposal.engine,
            proposal.risk.value, foreign(one_line(_title(view))),
        )  # fmt: skip
    return table


def _title(view: ProposalView) -> str:
    patch = view.built.patch if view.built else None
    return patch.summary if patch else view.proposal.title


def proposal_details(view: ProposalView) -> RenderableType:
    proposal, diagnosis = view.proposal, view.proposal.diagnosis
    head = Text.assemble((proposal.id, "bold"), f"  {view.status}  {one_line(proposal.title)}")
    facts = Table.grid(padding=(0, 2))
    rows = [
        ("kind", f"{proposal.kind.value}, {proposal.category.value}, {proposal.risk.value} risk, by {proposal.engine}"),
        ("why", proposal.rationale),
        ("rank", f"{proposal.score}: " + "; ".join(proposal.reasons)),
        ("layer", f"{diagnosis.layer.value}, confidence {diagnosis.layer_confidence:.2f}"),
        ("replayed", "\n".join(diagnosis.attribution.evidence) if diagnosis.attribution else ""),
        ("places", "\n".join(f"{p.path}:{p.line} {p.suspicion:.2f} {p.why}" for p in diagnosis.places[:3])),
        ("tried by", _tried_by(view)),
        ("base", proposal.base[:12]),
        ("built", view.built.note if view.built else ""),
        ("asked", _asked(view)),
        ("objections", "\n".join(f"{o.by}: {one_line(o.why)}" for o in view.objections)),
        ("questions", "\n".join(f"{i.id} by {i.by}: {one_line(i.text)}" for i in view.inquiries)),
        ("replies", "\n".join(f"{r.inquiry} by {r.by}: {one_line(r.text)}" for r in view.replies)),
        ("answers", "\n".join(f"{a.gate.value}: {a.answer.value} by {a.people} ({a.via}, tier {a.tier.value}) {a.why}" for a in view.approvals)),
        ("deployed", "\n".join(f"{d.id} {d.strategy} {d.ref.removeprefix('refs/heads/')} {d.before[:10]} -> {d.after[:10]}" for d in view.deployments)),
        ("on real calls", "\n".join(f"{t.mode.value}: {t.state.value}: {t.why}" for t in view.trials)),
        ("watched", "\n".join(f"{w.state.value}: {w.why}" for w in view.watches)),
        ("followed", "\n".join(f"{f.end.value}: {f.why}" for f in view.followings)),
        *((r.words, f"{r.deployment} by {r.actor}: {r.reason}") for r in view.rollbacks),
        ("lesson", f"{view.lesson.ending.value}: {view.lesson.summary}" if view.lesson else ""),
        ("errors", "\n".join(f"{e['code']}: {e['message']}" for e in view.errors)),
    ]  # fmt: skip
    for name, value in rows:
        if value:
            facts.add_row(f"  [dim]{name}[/]", foreign(value))
    parts: list[RenderableType] = [head, facts]
    if view.evidence:
        parts.append(evidence_view(view.evidence, everything=True))
    return Group(*parts)


def _tried_by(view: ProposalView) -> str:
    recommendation = view.proposal.plan.recommendation
    if recommendation is None:
        return ""
    is_undecided = view.evidence is not None and view.evidence.undecided is not None
    alone = recommendation.may_deploy_itself and not is_undecided
    person = "may be deployed without a person" if alone else "needs a person to deploy"
    summary = f"{recommendation.exercise.value}, {recommendation.risk.value} risk, {person}"
    return "\n".join([summary, *recommendation.steps, *recommendation.warnings])


def _asked(view: ProposalView) -> str:
    question = view.open_question
    if question is None:
        return ""
    until = f"{question.expires_at:%Y-%m-%d %H:%M} UTC"
    return f"{question.gate.value}, tier {question.tier.value}, until {until}: " + "; ".join(question.reasons)
