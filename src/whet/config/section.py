"""The base of every table of whet.toml."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A table of whet.toml: frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
