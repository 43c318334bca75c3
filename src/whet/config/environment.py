"""The settings that come from the environment, because whet.toml comes with a repository."""

import os
from pathlib import Path

from whet.errors import EnvironmentProblem

STORE_URL = "WHET_STORE_URL"
MODEL_HOSTS = "WHET_MODEL_HOSTS"
HEALTH_HOSTS = "WHET_HEALTH_HOSTS"
FORGE_REPOSITORIES = "WHET_FORGE_REPOSITORIES"
FORGE_HOSTS = "WHET_FORGE_HOSTS"


def store_url() -> str:
    """Return the URL of the shared database from the environment; empty means a file in the state folder.

    This is not a setting in whet.toml, because that file comes with a repository: a cloned repository must not be able
    to point whet at a ledger that an attacker prepared.
    """
    return os.environ.get(STORE_URL, "")


def model_hosts() -> frozenset[str]:
    """Return the hosts, beside the providers' own and this machine, that code and the key of a model may be sent to.

    This is not a setting in whet.toml: a cloned repository must not be able to send them to an address of its own.
    """
    return _listed(MODEL_HOSTS)


def forge_hosts() -> frozenset[str]:
    """Return the hosts, beside the public forges, that code and the token of a forge may be sent to.

    This is not a setting in whet.toml, for the same reason.
    """
    return _listed(FORGE_HOSTS)


def _listed(variable: str) -> frozenset[str]:
    return frozenset(filter(None, (host.strip().lower() for host in os.environ.get(variable, "").split(","))))


def health_hosts() -> frozenset[str]:
    """Return the hosts, with their ports, that health probes of whet.toml may ask."""
    return _listed(HEALTH_HOSTS)


def forge_repositories() -> frozenset[str]:
    """Return the repositories on a forge, beside that of the remote `origin`, that whet.toml may name."""
    return _listed(FORGE_REPOSITORIES)


def witness_folder() -> Path:
    """Return the folder outside all repositories that holds the witnesses of their ledgers."""
    configured = os.environ.get("XDG_STATE_HOME", "")
    try:
        base = Path(configured) if configured.startswith("/") else Path.home() / ".local" / "state"
    except RuntimeError:
        raise EnvironmentProblem("your user has no home folder", "set XDG_STATE_HOME to a folder of yours") from None
    return base / "whet"
