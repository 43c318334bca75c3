"""`[notify]`: when people are told. The addresses are not settings: whet.toml comes with a repository."""

from typing import Annotated

from pydantic import Field

from whet.config.section import Section

_CLOCK = "^([01][0-9]|2[0-3]):[0-5][0-9]$"


class NotifyPolicy(Section):
    """`[notify]`: quiet hours, the time of the daily digest, and the size of a burst. Times are local."""

    quiet_hours: Annotated[str, Field(pattern="^$|^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$")] = ""
    digest_at: Annotated[str, Field(pattern=f"^$|{_CLOCK}")] = "09:00"
    burst: Annotated[int, Field(ge=1, le=1000)] = 5
