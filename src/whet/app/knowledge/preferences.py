"""Show what people's decisions have taught, and unlearn it."""

from whet.app.cycles.loop import actor
from whet.app.knowledge import patterns
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.plural import shorten
from whet.domain.preference import Preference
from whet.errors import UsageError
from whet.knowledge.preferences import read_preferences


def preferences(project: Project) -> tuple[Preference, ...]:
    return read_preferences(project.ledger)


def unlearn(project: Project, identity: str, why: str) -> str:
    """Unlearn a preference, or forget a pattern, by its id or the beginning of it. Return its full id."""
    if identity.startswith("k-"):
        return patterns.forget(project, identity, why).id
    known = preferences(project)
    matching = [preference for preference in known if preference.id.startswith(identity)]
    if len(matching) != 1:
        ids = [preference.id for preference in known]
        existing = f"the preferences are {shorten(ids, 5)}" if ids else "nothing was learned yet"
        raise UsageError(
            f"there is no preference {identity!r}: {existing}", "`whet preferences` and `whet patterns` list them"
        )
    [preference] = matching
    body, key = {"preference": preference.id, "why": why}, f"preference/{preference.id}/unlearned-{now().isoformat()}"
    project.ledger.append("learn", body, subject=preference.id, key=key, actor=actor(), kind="Unlearned")
    return preference.id
