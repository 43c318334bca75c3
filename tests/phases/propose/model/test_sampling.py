"""Asking for answers: feedback, repeated trees, budgets, and answers that are never paid for twice."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.models.scripted_server import Reply, ScriptedModel, Step
from tests.phases.propose.model.test_edits import block
from tests.support import MakeRepo
from whet.app.project import Project, open_project
from whet.app.setup.models import model_statuses
from whet.conversation.prompt import Prompt, PromptTurn, Quotation
from whet.conversation.recorded_model import RecordedModel
from whet.domain.model_answer import ModelAnswer
from whet.domain.model_query import ModelQuery
from whet.domain.reservation import Resource
from whet.errors import BudgetSpent, ModelUnavailable, Stopped
from whet.models.meter import Meter
from whet.models.metered import MeteredModel
from whet.models.prices import price_of
from whet.phases.propose.model.candidate import AnswerOutcome
from whet.phases.propose.model.prompt import RULES
from whet.phases.propose.model.sampling import Sampler, Samples, summary
from whet.state_folder import SWITCH

SOURCE = "def add(a, b):\n    return a - b\n"
SETTINGS = """\
[models]
samples = {samples}
rounds = {rounds}
[budget]
tokens_per_day = {tokens}
[models.author]
name = "openai:scripted"
base_url = "{url}"
max_tokens = 1000
price_input = "1"
price_output = "2"
timeout_seconds = 20
"""
GOOD = block("shop.py", "    return a - b\n", "    return a + b\n")
BAD = block("shop.py", "    return a - b\n", "    return a * b\n")
MISS = block("shop.py", "    return a-c\n", "    return a + b\n")
PROMPT = Prompt(rules=RULES, turns=(PromptTurn("Fix it.", (Quotation.of("shop.py", SOURCE),)),))
STILL_RED = PromptTurn("One test fails.", (Quotation.of("Test test_add", "assert -1 == 3"),))


@dataclass
class Notes:
    """A `Progress` that keeps the warnings."""

    notes: list[str] = field(default_factory=list)

    def phase(self, phase: str, step: str, subject: str) -> None: ...
    def advance(self, what: str, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...
    def warn(self, text: str) -> None:
        self.notes.append(text)


@dataclass
class Shop:
    """A repository and its scripted author. A tree passes if add adds."""

    project: Project
    model: ScriptedModel
    progress: Notes = field(default_factory=Notes)
    tested: list[str] = field(default_factory=list)

    def test(self, tree: str, files: Mapping[str, str]) -> AnswerOutcome:
        self.tested.append(tree)
        assert self.project.git.read_all(tree, files) == {path: text.encode() for path, text in files.items()}
        if "a + b" in files["shop.py"]:
            return AnswerOutcome(tree, passed=True)
        return AnswerOutcome(tree, feedback=STILL_RED, why="1 target still red")

    def sample(self, seconds: float = 60, proposal: str = "p-1") -> Samples:
        project, policy = self.project, self.project.policy.models.author
        assert policy is not None
        metered = MeteredModel(policy, Meter(project.budgets, price_of(policy), proposal))
        deadline = time.monotonic() + seconds
        author = RecordedModel(
            role="author",
            phase="propose",
            subject=proposal,
            model=metered,
            price=price_of(policy),
            ledger=project.ledger,
            progress=self.progress,
            state=project.state,
            deadline=deadline,
        )
        tree = project.git.tree_of("HEAD")
        return Sampler(author, project.policy, project.git, tree, self.test).sample(
            PROMPT, lambda samples: bool(samples.passed)
        )

    def answers(self) -> list[ModelAnswer]:
        return [entry.read(ModelAnswer) for entry in self.project.ledger.entries(kind="ModelAnswer")]

    def spent(self, resource: Resource) -> int:
        return sum(row.spent + row.reserved for row in self.project.budgets.counted() if row.resource is resource)


Open = Callable[..., Shop]


@pytest.fixture
def shop(make_repo: MakeRepo, request: pytest.FixtureRequest) -> Open:
    def make(*script: Step, samples: int = 3, rounds: int = 3, tokens: int = 100_000, **files: str) -> Shop:
        model = ScriptedModel(script)
        request.addfinalizer(model.close)
        settings = SETTINGS.format(url=model.url, samples=samples, rounds=rounds, tokens=tokens)
        repo = make_repo({"shop.py": SOURCE, "whet.toml": settings, **files})
        project = open_project(repo.root)
        request.addfinalizer(project.store.close)
        return Shop(project, model)

    return make


def test_the_first_answer_that_passes_ends_the_asking(shop: Open) -> None:
    opened = shop(GOOD)
    samples = opened.sample()
    assert (len(samples.passed), samples.answers, len(opened.model.requests)) == (1, 1, 1)
    assert opened.model.requests[0]["temperature"] == 0.0
    assert summary(samples) == "1 answer, 1 patch tried, 1 passed the suite"
    [answer] = opened.answers()
    assert (answer.edit_format, answer.format_failure, answer.cost) == ("search_replace", "", 200)
    assert (opened.spent(Resource.TOKENS), opened.spent(Resource.MONEY)) == (150, 200)


def test_red_tests_and_unmatched_edits_are_fed_back(shop: Open) -> None:
    opened = shop(MISS, BAD, GOOD)
    samples = opened.sample()
    assert len(samples.passed) == 1 and samples.answers == 3
    second, third = opened.model.prompts[1:]
    assert "does not occur in the file" in second and "return a - b" in second
    assert "assert -1 == 3" in third
    assert [answer.round for answer in opened.answers()] == [0, 1, 2]
    assert [bool(answer.format_failure) for answer in opened.answers()] == [True, False, False]
    [status] = model_statuses(opened.project)
    [use] = status.formats
    assert (use.format, use.answers, use.failures) == ("search_replace", 3, 1)


def test_a_tree_that_comes_back_ends_a_sample_and_is_tested_once(shop: Open) -> None:
    opened = shop(BAD, BAD, GOOD)
    samples = opened.sample()
    assert [request["temperature"] for request in opened.model.requests] == [0.0, 0.0, 0.8]
    assert len(opened.tested) == 2 and len(samples.passed) == 1


def test_rounds_and_samples_are_limited(shop: Open) -> None:
    opened = shop("no idea", samples=2, rounds=3)
    samples = opened.sample()
    assert len(opened.model.requests) == 8
    assert not samples.passed
    assert "8 answers, 0 patches tried; the last: the answer has no SEARCH/REPLACE block" in summary(samples)


def test_whole_files_are_offered_after_two_misses(shop: Open) -> None:
    opened = shop(MISS, MISS, f"WHOLE FILE: shop.py\n```python\n{'# filler' + chr(10)}{SOURCE.replace('-', '+')}```\n")
    assert len(opened.sample().passed) == 1
    assert opened.answers()[-1].edit_format == "whole_file"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Reply("", finish="content_filter"), "refused to answer"),
        (Reply("shop.py\n```\n<<<<<<< SEARCH\n", finish="length"), "cut at max_tokens"),
        (block("tests/test_shop.py", "", "def test_x():\n    pass\n"), "is a test"),
        (block("whet.toml", "[models]\n", ""), "protected"),
        (block(".git/hooks/pre-commit", "", "#!/bin/sh\n"), ".git"),
        (block(".whet/stop", "", "x\n"), ".whet"),
        (block("../outside.py", "", "x = 1\n"), "'..' segment"),
        (block("shop.py", SOURCE, SOURCE), "change nothing"),
    ],
)
def test_an_answer_that_leads_to_no_tree_says_why(shop: Open, answer: Step, why: str) -> None:
    opened = shop(answer, samples=1, rounds=0)
    samples = opened.sample()
    assert opened.tested == [] and not samples.passed
    assert why in summary(samples)


def test_links_and_what_lies_behind_them_are_not_written(shop: Open) -> None:
    opened = shop(
        block("link.py", "", "x\n"),
        block("folder/x.py", "", "x\n"),
        block("shop.py/x.py", "", "x\n"),
        samples=1,
        rounds=2,
    )
    root = opened.project.git.root
    Path(root, "link.py").symlink_to("/etc/passwd")
    Path(root, "folder").symlink_to("/tmp")
    opened.project.git.ask("add", "--all")
    opened.project.git.ask("-c", "user.name=t", "-c", "user.email=t@l", "commit", "-qm", "links")
    assert opened.sample().reasons == [
        "link.py is a link or a submodule, and an edit may not change it",
        "folder/x.py leads through folder, which is not a folder",
        "shop.py/x.py leads through shop.py, which is not a folder",
    ]


def test_a_resumed_workflow_pays_for_no_answer_again(shop: Open) -> None:
    opened = shop(BAD, GOOD)
    first = opened.sample()
    spent = opened.spent(Resource.MONEY)
    again = opened.sample()
    assert again.passed == first.passed
    assert len(opened.model.requests) == 2
    assert opened.spent(Resource.MONEY) == spent
    assert opened.progress.notes == []


def test_a_request_without_an_answer_on_record_is_sent_again_and_said(shop: Open) -> None:
    opened = shop(Reply(status=400, raw=b"{}"), GOOD)
    with pytest.raises(ModelUnavailable):
        opened.sample()
    assert len(opened.sample().passed) == 1
    [note] = opened.progress.notes
    assert note == "a request to openai:scripted has no answer on record: it is sent again, and the budget counts both"
    assert len(opened.project.ledger.entries(kind="ModelQuery")) == 1


def test_no_request_is_sent_while_the_kill_switch_is_on(shop: Open) -> None:
    def stop(_: str) -> str:
        (opened.project.state / SWITCH).write_text("enough")
        return BAD

    opened = shop(stop, GOOD)
    with pytest.raises(Stopped):
        opened.sample()
    assert len(opened.model.requests) == 1


def test_the_query_is_on_record_before_it_is_sent(shop: Open) -> None:
    seen: list[ModelQuery] = []

    def look(_: str) -> str:
        seen.extend(entry.read(ModelQuery) for entry in opened.project.ledger.entries(kind="ModelQuery"))
        return GOOD

    opened = shop(look)
    opened.sample()
    [query] = seen
    assert (query.model, query.sample, query.round, query.prompt) == ("openai:scripted", 0, 0, PROMPT.digest)


def test_a_budget_that_ends_in_the_middle_keeps_the_answers_so_far(shop: Open) -> None:
    opened = shop(BAD, GOOD, tokens=PROMPT.tokens + 1_000 + 160)
    with pytest.raises(BudgetSpent):
        opened.sample()
    assert len(opened.answers()) == 1
    assert opened.spent(Resource.TOKENS) == 150, (
        "the second was not reserved: its prompt is longer by more than ten tokens"
    )


def test_the_budget_is_checked_before_a_request(shop: Open) -> None:
    opened = shop(GOOD, tokens=500)
    with pytest.raises(BudgetSpent):
        opened.sample()
    assert opened.model.requests == []


@pytest.mark.parametrize(
    ("reply", "tokens"),
    [(Reply(status=401, raw=b"{}"), 0), (Reply(raw=b"<html>", content_type="text/html"), None)],
)
def test_a_failed_request_is_refunded_only_if_it_cannot_have_been_charged(
    shop: Open, reply: Reply, tokens: int | None
) -> None:
    opened = shop(reply)
    with pytest.raises(ModelUnavailable):
        opened.sample()
    spent = opened.spent(Resource.TOKENS)
    assert spent == tokens if tokens is not None else spent > 1000


def test_a_key_that_the_server_echoes_is_not_recorded(shop: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    from whet.domain.redact import environment_secrets

    monkeypatch.setenv("SCRIPTED_API_KEY", "not-a-known-form-4711-0815")
    environment_secrets.cache_clear()
    opened = shop("Your key is not-a-known-form-4711-0815.", samples=1, rounds=0)
    opened.sample()
    environment_secrets.cache_clear()
    assert "4711" not in opened.answers()[0].edits
