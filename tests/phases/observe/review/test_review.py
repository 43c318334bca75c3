"""The source `review`: what is read, what is recorded, and which tests show a defect."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.cycle.test_model_analysis import REVIEW, SETTINGS, SHOP, TEST, TESTS
from tests.models.scripted_server import ScriptedModel, Step
from tests.support import MakeRepo, Repo
from whet.app.project import Project, open_project
from whet.domain.file_review import FileReview, ReviewedDefect
from whet.domain.finding import Finding
from whet.domain.model_answer import ModelAnswer
from whet.phases.diagnose.reviews import ReviewedDefects
from whet.phases.observe.review.review import FileReviews
from whet.store.codec import decode

GREEN = TEST.replace("clamp(2, 1, 3) == 2", "clamp(0, 1, 3) == 1")
OTHER_REASON = TEST.replace(
    "FAILS WITH: AssertionError: a value within the bounds stays", "FAILS WITH: TypeError: missing"
)
MENDED = SHOP.replace("min(value, low)", "min(value, high)")


@dataclass
class Reader:
    """A repository, its analyst, and the source that asks it."""

    repo: Repo
    project: Project
    model: ScriptedModel
    notes: list[str] = field(default_factory=list)

    def defects(self) -> list[ReviewedDefect]:
        self.source = FileReviews(replace(self.project.kit, progress=self))
        self.signals = self.source.observe(self.repo.head)
        return [decode(ReviewedDefect, signal.payload) for signal in self.signals]

    def phase(self, phase: str, step: str, subject: str) -> None: ...
    def advance(self, what: str, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...
    def warn(self, text: str) -> None:
        self.notes.append(text)


Open = Callable[..., Reader]


@pytest.fixture
def reader(make_repo: MakeRepo, request: pytest.FixtureRequest) -> Open:
    def make(*script: Step, more: str = "", **files: str) -> Reader:
        model = ScriptedModel(script)
        request.addfinalizer(model.close)
        settings = SETTINGS.format(url=model.url, more=more)
        repo = make_repo({"shop.py": SHOP, "tests/test_shop.py": TESTS, "whet.toml": settings, **files})
        project = open_project(repo.root)
        request.addfinalizer(project.store.close)
        return Reader(repo, project, model)

    return make


def finding(defect: ReviewedDefect, opened: Reader) -> Finding:
    [found] = ReviewedDefects(opened.project.kit).findings(opened.signals)
    assert found.subjects == (f"{defect.path}::{defect.function}",)
    return found


@pytest.mark.slow
def test_a_version_is_read_once_and_a_mended_defect_is_gone(reader: Open) -> None:
    opened = reader(REVIEW, TEST, "NOTHING")
    [defect] = opened.defects()
    assert defect.replay and "a value within the bounds stays" in defect.failures[defect.replay.red[0]].message
    assert finding(defect, opened).score < 0.5
    assert len(opened.model.requests) == 2
    opened.repo.commit({"shop.py": MENDED})
    assert opened.defects() == []
    assert len(opened.model.requests) == 3, "the new version is read"
    opened.repo.commit({"shop.py": SHOP})
    [again] = opened.defects()
    assert again.replay == defect.replay and len(opened.model.requests) == 3
    recorded = [entry.read(FileReview) for entry in opened.project.ledger.entries(kind="FileReview")]
    assert [review.path for review in recorded] == ["shop.py", "shop.py"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "why"),
    [
        ((GREEN,), "it passes: the program does what it expects"),
        ((OTHER_REASON,), "it was to fail with 'TypeError: missing', and it failed with AssertionError"),
        (("I am sure that it is wrong.",), "the answer needs a line `FAILS WITH"),
    ],
    ids=["green", "another failure", "prose"],
)
def test_a_test_that_does_not_show_the_defect_leaves_a_remark(reader: Open, script: tuple[str, ...], why: str) -> None:
    opened = reader(REVIEW, *script, more="[models]\nrounds = 1")
    [defect] = opened.defects()
    assert defect.replay is None and why in defect.why_not
    assert not any(engine.can_help(finding(defect, opened)) for engine in opened.project.engines.proposers.values())
    assert "does not show the defect" in opened.model.prompts[-1] or "was not run" in opened.model.prompts[-1]
    assert len(opened.model.requests) == 3, "one remark, one test, one correction"


def test_files_are_read_in_their_order_within_the_limits_and_the_rest_is_named(reader: Open) -> None:
    files = {f"{name}.py": "def f(a):\n    return a\n" for name in "abcd"}
    long = {"long.py": "def f(a):\n    if a:\n        return 1\n" + "# more\n" * 9000}
    opened = reader("NOTHING", more="[models]\nreview_files = 2", **files, **long)
    assert opened.defects() == []
    assert len(opened.model.requests) == 2
    assert any("long.py is not read: it takes about" in sentence for sentence in opened.source.skipped)
    assert any(
        "3 files not read yet: " in sentence and "models.review_files" in sentence for sentence in opened.source.skipped
    )
    opened.defects()
    opened.defects()
    assert len(opened.model.requests) == 5
    assert not any("not read yet" in sentence for sentence in opened.source.skipped)


def test_a_spent_budget_ends_the_look_and_nothing_is_paid_twice(reader: Open) -> None:
    opened = reader(REVIEW, "NO TEST: none", more="[budget]\ntokens_per_day = 8800")
    assert opened.defects() == []
    assert "tokens" in opened.notes[0]
    assert any("1 file not read yet: shop.py" in sentence for sentence in opened.source.skipped)
    assert [entry.read(ModelAnswer).role for entry in opened.project.ledger.entries(kind="ModelAnswer")] == ["analyst"]
    opened.project.store.close()
    text = (opened.repo.root / "whet.toml").read_text().replace("8800", "90000")
    opened.repo.commit({"whet.toml": text})
    later = Reader(opened.repo, open_project(opened.repo.root), opened.model)
    [defect] = later.defects()
    assert defect.why_not == "openai:reader writes no test for it"
    assert len(opened.model.requests) == 2, "the answer about the file is on record"
    later.project.store.close()


def test_without_an_analyst_or_a_key_nothing_is_read_and_it_is_said(
    reader: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    opened = reader("NOTHING")
    analyst = opened.project.policy.models.analyst
    assert analyst
    for model, why in (
        (None, "no model has the role `analyst`"),
        (analyst.model_copy(update={"name": "anthropic:x", "base_url": ""}), "there is no key for anthropic:x"),
    ):
        models = opened.project.policy.models.model_copy(update={"analyst": model})
        policy = opened.project.policy.model_copy(update={"models": models})
        source = FileReviews(replace(opened.project.kit, policy=policy, progress=opened))
        assert source.observe(opened.repo.head) == ()
        assert why in source.skipped[0]
    assert opened.model.requests == []


def test_an_answer_in_prose_is_said_and_not_asked_again(reader: Open) -> None:
    opened = reader("It looks good to me.")
    assert opened.defects() == [] and opened.defects() == []
    assert len(opened.model.requests) == 1
