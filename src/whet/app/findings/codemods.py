"""The packages that declared rewrites have not reached yet."""

from whet.app.project import Project
from whet.domain.finding import Finding
from whet.domain.plural import shorten
from whet.errors import UsageError
from whet.phases.diagnose.codemods import DeclaredRewrites
from whet.phases.observe.declared.codemods import Codemods


def unfinished(project: Project, name: str = "") -> list[Finding]:
    """Return one finding for each rewrite and package; only those of `name` if it is given. No code of the target runs."""
    declared = project.policy.codemods.declared
    if (name and name not in declared) or not declared:
        known = f"declared are {shorten(list(declared), 5)}" if declared else "nothing is declared"
        raise UsageError(
            f"there is no codemod called {name!r}: {known}", "declare it as [codemods.declared.NAME] in whet.toml"
        )
    signals = Codemods(project.kit).observe(project.git.resolve(project.ref))
    return [
        finding for finding in DeclaredRewrites(project.kit).findings(signals) if not name or name in finding.subjects
    ]
