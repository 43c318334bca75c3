"""`[forge]`: the server that pull requests are opened on."""

from typing import Annotated

from pydantic import Field

from whet.config.section import Section


class ForgePolicy(Section):
    """`[forge]`: the forge of the strategy `pr`, and of `whet prove --check`.

    Empty `kind` and `repository` are read from the remote `origin`. `address` is the web address of a forge of your own,
    and `push_url` the address that git pushes to. Both count only if WHET_FORGE_HOSTS lists their host. The token comes
    from the environment variable `token_variable`.
    """

    kind: Annotated[str, Field(pattern="^(github|gitlab|gitea)?$")] = ""
    repository: Annotated[str, Field(pattern=r"^([A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+)?$")] = ""
    address: Annotated[str, Field(pattern=r"^(https?://[^\s/?#@]+(/[^\s?#@]*)?)?$")] = ""
    push_url: Annotated[str, Field(pattern=r"^((https?|ssh|file)://[^\s?#]+)?$")] = ""
    token_variable: Annotated[str, Field(pattern=r"^((WHET|GITHUB|GH|GITLAB|GITEA|FORGEJO)_[A-Z0-9_]*)?$")] = ""
    labels: tuple[Annotated[str, Field(pattern=r"^[^,\n]{1,50}$")], ...] = ("whet",)
    merge: Annotated[str, Field(pattern="^(people|whet)$")] = "people"
    timeout_seconds: Annotated[int, Field(ge=1, le=600)] = 30
