"""The kinds of forges by name."""

from whet.forge import Forge
from whet.forge.gitea import Gitea
from whet.forge.github import GitHub
from whet.forge.gitlab import GitLab
from whet.forge.place import ForgePlace


def connect(place: ForgePlace, timeout_seconds: float) -> Forge:
    """Return the forge at a place. Nothing is sent yet; raise ForgeRefused if there is no token."""
    kinds: dict[str, type[GitHub] | type[GitLab] | type[Gitea]] = {"github": GitHub, "gitlab": GitLab, "gitea": Gitea}
    return kinds[place.kind](place, timeout_seconds)
