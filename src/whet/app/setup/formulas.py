"""Say what holds of a declared formula, so that a wrong declaration is seen before a proof needs it."""

from whet.app.project import Project
from whet.errors import EnvironmentProblem
from whet.knowledge.formulas.red_formula import CannotBeTried, tried


def formula_line(project: Project, name: str) -> str:
    """Return what holds at the head of the branch. Raise BadConfig for a declaration that fits no function."""
    tree = project.git.tree_of(project.git.resolve(project.ref))
    try:
        _, _, judgement = tried(name, tree, project.kit)
    except CannotBeTried as problem:
        raise EnvironmentProblem(str(problem), "import the module by hand, with the interpreter above") from None
    broken, unknown = judgement.broken, judgement.open
    held = len(judgement.cases) + len(judgement.properties) - len(broken) - len(unknown)
    parts = [f"{held} of {held + len(broken) + len(unknown)} cases and properties hold"]
    parts += [f"wrong: {broken[0]}"] if broken else []
    parts += [f"not known: {unknown[0]}"] if unknown else []
    return "; ".join(parts)
