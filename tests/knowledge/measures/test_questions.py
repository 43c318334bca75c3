"""Questions of an evaluation are found in its output, and their answers kept in a file that can be read again."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tests.support import MakeRepo
from whet.app.project import Project, open_project
from whet.config import EvaluationPolicy
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.measures.evaluation import Evaluation, questions_in, read_scores
from whet.knowledge.measures.questions import LONGEST, Answers, CaseQuestion, question_in, read_answers, written_answers

LONG = "x" * (LONGEST + 1)


@pytest.mark.parametrize(
    ("ask", "question"),
    [
        ("why?", CaseQuestion("why?")),
        ({"user": "why?", "system": "Be brief."}, CaseQuestion("why?", "Be brief.")),
        ({"user": "why?"}, CaseQuestion("why?")),
    ],
)
def test_a_question_is_a_text_or_two_texts(ask: object, question: CaseQuestion) -> None:
    assert question_in({"case": "a", "score": None, "ask": ask}) == question


@pytest.mark.parametrize(
    "ask", ["", {}, {"system": "Be brief."}, {"user": 1}, {"user": "a", "tools": []}, ["a"], None, LONG]
)
def test_anything_else_is_no_question(ask: object) -> None:
    assert question_in({"ask": ask}) is None


def test_only_cases_without_a_score_ask_and_each_question_once() -> None:
    rows: list[dict[str, Any]] = [
        {"case": "a", "score": None, "ask": "why?"},
        {"case": "b", "score": 1, "ask": "how?"},
        {"case": "c", "score": None, "ask": "why?"},
    ]
    assert questions_in("\n".join(map(json.dumps, rows))) == [CaseQuestion("why?")]


def test_a_case_whose_question_was_refused_says_why() -> None:
    output = '{"case": "a", "score": null, "ask": "why?"}'
    assert read_scores("t", output, {CaseQuestion("why?"): "the budget is spent"}).unscored == {
        "a": "the budget is spent"
    }


def test_answers_are_read_as_they_were_written() -> None:
    answers = {CaseQuestion("why?", "Be brief."): "because — ü", CaseQuestion("a"): ""}
    assert read_answers("t", written_answers(answers)) == answers
    assert read_answers("t", None) == {}


@pytest.mark.parametrize("content", [b"{", b"\xff", b"7", b'["a"]', b'[{"ask": 1, "answer": "x"}]', b'[{"ask": "a"}]'])
def test_a_file_that_holds_no_answers_is_refused(content: bytes) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        read_answers("t", content)


class _Asks(Evaluation):
    """An evaluation whose command asks a second question once it has the first answer, and scores what it then knows."""

    def _run(self, tree: str, answers: Answers) -> str:
        for question in (CaseQuestion("first?"), CaseQuestion("second?")):
            if question not in answers:
                return json.dumps({"case": "a", "score": None, "ask": question.user})
        return json.dumps({"case": "a", "score": len(answers)})


@pytest.fixture
def project(make_repo: MakeRepo) -> Project:
    held = json.dumps([{"ask": "first?", "answer": "from the file"}])
    return open_project(make_repo({"whet.toml": "", "score.py": "", "answers.json": held}).root)


def asking(project: Project) -> _Asks:
    policy = EvaluationPolicy(command=("python", "score.py"), scores=("*.md",), answers="answers.json")
    return _Asks("t", policy, project.kit)


def test_the_command_runs_again_until_it_has_all_answers(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CaseQuestion] = []

    def answer(_: str, questions: Iterable[CaseQuestion], __: Kit) -> Iterator[tuple[CaseQuestion, str, str]]:
        for question in questions:
            asked.append(question)
            yield question, "from the model", ""

    monkeypatch.setattr("whet.knowledge.measures.evaluation.ask_model", answer)
    evaluation, tree = asking(project), project.git.tree_of("HEAD")
    assert evaluation.scores(tree, tree).by_case == {"a": 2.0}
    assert asked == [CaseQuestion("second?")], "the first answer is in the file of the base"
    assert list(evaluation.answers.values()) == ["from the file", "from the model"]


def test_a_question_without_a_model_leaves_its_case_unscored(project: Project) -> None:
    tree = project.git.tree_of("HEAD")
    assert "[models.evaluated] names no model" in asking(project).scores(tree, tree).unscored["a"]


def test_the_answers_come_from_the_base(project: Project) -> None:
    base = project.git.tree_of("HEAD")
    planted = json.dumps([{"ask": text, "answer": "planted"} for text in ("first?", "second?")])
    patched = project.git.with_files(base, {"answers.json": planted.encode()})
    assert asking(project).scores(patched, base).unscored
    assert not asking(project).judges("answers.json")
