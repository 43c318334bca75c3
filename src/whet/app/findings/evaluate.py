"""Score the texts of the last commit by an evaluation, and hand over the model's answers that the scores rest on."""

from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.plural import shorten
from whet.errors import UsageError
from whet.knowledge.measures.evaluation import Evaluation, Scores
from whet.knowledge.measures.questions import written_answers


@dataclass(frozen=True)
class EvaluateResult:
    """The scores of the last commit, and the model's answers that they rest on, as the content of a file of answers."""

    evaluation: str
    scores: Scores
    answered: int
    answers: str


def evaluate(project: Project, name: str) -> EvaluateResult:
    """Run the evaluation once on the last commit. Questions that no recorded answer fits are asked, and their answers recorded."""
    project.refuse_unless_permitted()
    evaluation = evaluation_called(name, project)
    tree = project.git.tree_of(project.git.resolve(project.ref))
    scores = evaluation.scores(tree, tree)
    return EvaluateResult(name, scores, len(evaluation.answers), written_answers(evaluation.answers).decode())


def evaluation_called(name: str, project: Project) -> Evaluation:
    """Return the declared evaluation. Raise UsageError with the known names if there is none."""
    declared = project.policy.evaluations.declared
    if name not in declared:
        known = f"declared are {shorten(list(declared), 5)}" if declared else "nothing is declared"
        raise UsageError(
            f"there is no evaluation called {name!r}: {known}",
            "declare it as [evaluations.declared.NAME] in whet.toml",
        )
    return Evaluation(name, declared[name], project.kit)
