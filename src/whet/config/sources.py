"""`[sources]`: files and streams of other systems that whet reads signals from."""

from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue, model_validator

from whet.config.section import Section
from whet.config.target import below_the_root

FileGlob = Annotated[str, AfterValidator(below_the_root)]


FieldPath = Annotated[str, Field(max_length=200)]


class EventStream(Section):
    """`[[sources.events]]`: JSON-lines files, and the field that holds each fact. A dot leads into an object.

    An item needs a time. It failed if `failed` is true, says so in a usual word (`error`, `failed`, ...) or has one of
    `failing`, or if it has an exception or a stack.
    """

    files: Annotated[tuple[FileGlob, ...], Field(min_length=1)]
    at: Annotated[FieldPath, Field(min_length=1)] = "at"
    end: FieldPath = ""
    id: FieldPath = ""
    name: FieldPath = "name"
    failed: FieldPath = "failed"
    failing: tuple[str, ...] = ()
    seconds: FieldPath = "seconds"
    milliseconds: FieldPath = ""
    exception: FieldPath = ""
    message: FieldPath = "message"
    stack: FieldPath = ""
    fingerprint: FieldPath = ""
    inputs: FieldPath = ""
    value: FieldPath = ""


class HealthProbe(Section):
    """`[[sources.health]]`: an address, or a command in the sandbox, that must be well. `seconds` is the slowest good answer."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    url: Annotated[str, Field(pattern=r"^(https?://[^\s@]+)?$")] = ""
    command: tuple[str, ...] = ()
    status: Annotated[int, Field(ge=100, le=599)] = 200
    seconds: Annotated[float, Field(gt=0.0, le=3600.0)] = 1.0
    timeout_seconds: Annotated[float, Field(gt=0.0, le=600.0)] = 10.0

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "HealthProbe":
        if bool(self.url) == bool(self.command):
            raise ValueError("give url or command, not both")
        return self


class LanguageServer(Section):
    """`[[sources.diagnostics]]`: a language server of the target's environment, which runs in the sandbox.

    `server` is a known one; any other is started by `command` and speaks LSP over its standard streams. `settings` are
    what it may ask for as workspace configuration.
    """

    server: Annotated[str, Field(pattern="^(ruff|ty|pyrefly|pyright|basedpyright|)$")] = ""
    name: Annotated[str, Field(max_length=100)] = ""
    command: tuple[str, ...] = ()
    language: Annotated[str, Field(min_length=1, max_length=40)] = "python"
    files: Annotated[tuple[FileGlob, ...], Field(min_length=1)] = ("**/*.py",)
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    settle_seconds: Annotated[float, Field(gt=0.0, le=60.0)] = 2.0
    timeout_seconds: Annotated[float, Field(ge=1.0, le=3600.0)] = 120.0

    @model_validator(mode="after")
    def _is_one_server(self) -> "LanguageServer":
        if bool(self.server) == bool(self.command):
            raise ValueError("give server or command, not both")
        return self


class SourcesPolicy(Section):
    """`[sources]`: the files that the sources `junit`, `sarif`, `traces` and `events` read, and the limits of every look.

    A look reads what is new since the last one. Signals come from the events of the last `window_hours`.
    """

    window_hours: Annotated[int, Field(ge=1, le=168)] = 24
    pattern: Annotated[int, Field(ge=3)] = 3
    drift: Annotated[float, Field(gt=0.0, le=10.0)] = 0.05
    correlation: Annotated[float, Field(gt=0.0, le=1.0)] = 0.7
    look_mb: Annotated[int, Field(ge=1, le=4096)] = 256
    commits: Annotated[int, Field(ge=50, le=5000)] = 500
    most_events: Annotated[int, Field(ge=1000)] = 1_000_000
    junit: tuple[FileGlob, ...] = ()
    sarif: tuple[FileGlob, ...] = ()
    traces: tuple[FileGlob, ...] = ()
    events: tuple[EventStream, ...] = ()
    health: tuple[HealthProbe, ...] = ()
    diagnostics: tuple[LanguageServer, ...] = ()
