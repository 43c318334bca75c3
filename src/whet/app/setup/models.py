"""`whet models`: which language models are configured, what they cost, what was spent, and how often their edits fit."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from whet.app.project import Project
from whet.config import Config, ModelPolicy
from whet.domain.clock import now
from whet.domain.model_answer import ModelAnswer
from whet.domain.model_query import ModelQuery
from whet.domain.reservation import A_DAY, Resource
from whet.errors import ModelUnavailable
from whet.models.meter import Meter
from whet.models.metered import MeteredModel
from whet.models.prices import price_of
from whet.models.providers import key_of, key_variable
from whet.models.request import ModelRequest

_CHECK_TOKENS = 16
_CHECK = ModelRequest(rules="", turns=("Answer with the word ok.",), temperature=0.0, max_tokens=_CHECK_TOKENS)


@dataclass(frozen=True, kw_only=True)
class EditFormatUse:
    """The answers of a model in one edit format, and how many of them could not be applied."""

    format: str
    answers: int
    failures: int

    @property
    def failure_rate(self) -> float:
        return self.failures / self.answers if self.answers else 0.0


@dataclass(frozen=True, kw_only=True)
class ModelStatus:
    """A configured model, or one that earlier answers came from. Money is an exact decimal text.

    `role` and everything about the configuration is empty for a model that is no longer configured. `unanswered_today` are
    requests that led to no answer; tokens and money are those of answers.
    """

    model: str
    role: str = ""
    base_url: str = ""
    key_variable: str = ""
    problem: str = ""
    remedy: str = ""
    price_input: str = ""
    price_output: str = ""
    price_source: str = ""
    answers: int = 0
    answers_today: int = 0
    unanswered_today: int = 0
    tokens_today: int = 0
    money_today: str = "0"
    formats: tuple[EditFormatUse, ...] = ()


def configured(policy: Config) -> dict[str, ModelPolicy]:
    """Return the configured models by role."""
    models = policy.models
    roles = {
        "author": models.author,
        "reviewer": models.reviewer,
        "analyst": models.analyst,
        "evaluated": models.evaluated,
    }
    return {role: model for role, model in roles.items() if model is not None}


def model_statuses(project: Project) -> list[ModelStatus]:
    """Return the configured models, then the others that the ledger has answers of."""
    recorded = [(entry.at, entry.read(ModelAnswer)) for entry in project.ledger.entries(kind="ModelAnswer")]
    since = now() - A_DAY
    today = [answer for at, answer in recorded if at >= since]
    answers = [answer for _, answer in recorded]
    statuses = [_configured(role, model, answers, today) for role, model in configured(project.policy).items()]
    known = {status.model for status in statuses}
    others = dict.fromkeys(answer.model for answer in answers if answer.model not in known)
    queries = [entry.read(ModelQuery) for entry in project.ledger.entries(kind="ModelQuery") if entry.at >= since]
    asked = Counter(query.model for query in queries)
    return [
        replace(status, unanswered_today=max(0, asked[status.model] - status.answers_today))
        for status in (*statuses, *(_used(name, answers, today) for name in others))
    ]


def _configured(role: str, model: ModelPolicy, answers: list[ModelAnswer], today: list[ModelAnswer]) -> ModelStatus:
    price, problem, remedy = price_of(model), "", ""
    try:
        key_of(model)
    except ModelUnavailable as unavailable:
        problem, remedy = unavailable.message, unavailable.remedy
    return replace(
        _used(model.name, answers, today),
        role=role,
        base_url=model.base_url,
        key_variable=key_variable(model),
        problem=problem,
        remedy=remedy,
        price_input=str(price.input),
        price_output=str(price.output),
        price_source=price.source,
    )


def _used(name: str, answers: list[ModelAnswer], today: list[ModelAnswer]) -> ModelStatus:
    own = [answer for answer in answers if answer.model == name]
    recent = [answer for answer in today if answer.model == name]
    return ModelStatus(
        model=name,
        answers=len(own),
        answers_today=len(recent),
        tokens_today=sum(answer.input_tokens + answer.output_tokens for answer in recent),
        money_today=Resource.MONEY.shown(sum(answer.cost for answer in recent)),
        formats=tuple(_formats(own)),
    )


def _formats(answers: Iterable[ModelAnswer]) -> Iterator[EditFormatUse]:
    by_format: dict[str, list[ModelAnswer]] = {}
    for answer in answers:
        by_format.setdefault(answer.edit_format or "none", []).append(answer)
    for name, own in sorted(by_format.items()):
        yield EditFormatUse(format=name, answers=len(own), failures=sum(bool(answer.format_failure) for answer in own))


def check_model(project: Project, model: ModelPolicy) -> str:
    """Send one tiny request, within the budgets, and say what came back. Raise ModelUnavailable if nothing did."""
    project.refuse_unless_permitted()
    metered = MeteredModel(model, Meter(project.budgets, price_of(model), "check"))
    deadline = time.monotonic() + model.timeout_seconds
    reply, usage = metered.ask(_CHECK, deadline)
    return f"{model.name} answered in {reply.seconds:.1f} s ({usage.input_tokens} + {usage.output_tokens} tokens)"
