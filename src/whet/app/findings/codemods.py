"""The packages that declared rewrites have not reached yet."""

from whet.app.project import Project
from whet.domain.finding import Finding
from whet.domain.plural import shorten
from whet.errors import EnvironmentProblem, UsageError
from whet.phases.diagnose.codemods import DeclaredRewrites
from whet.phases.observe.declared.codemods import Codemods


def unfinished(project: Project, name: str = "") -> list[Finding]:
    """Return one finding for each rewrite and package; only those of `name` if it is given.

    Raise EnvironmentProblem if a codemod of the project cannot run. Such a codemod is code of the target; it runs in the sandbox.
    """
    declared = project.policy.codemods.declared
    if (name and name not in declared) or not declared:
        known = f"declared are {shorten(list(declared), 5)}" if declared else "nothing is declared"
        raise UsageError(
            f"there is no codemod called {name!r}: {known}", "declare it as [codemods.declared.NAME] in whet.toml"
        )
    source = Codemods(project.kit)
    signals = source.observe(project.git.resolve(project.ref))
    if source.skipped:
        raise EnvironmentProblem("; ".join(source.skipped), "correct it in whet.toml, or in the codemod")
    return [
        finding for finding in DeclaredRewrites(project.kit).findings(signals) if not name or name in finding.subjects
    ]
