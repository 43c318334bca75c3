"""`[models]` and `[agent]`: language models and coding agents."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, model_validator

from whet.config.budget import Money
from whet.config.section import Section


class ModelPolicy(Section):
    """`[models.author]` and its like: one language model, named `provider:model`.

    `base_url` is the address of a server that speaks the provider's protocol. The key comes from the environment
    variable `key_variable`; empty means the variable that the provider's own tools use. Prices are per million tokens.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*:[^\s:][^\s]*$")]
    base_url: Annotated[str, Field(pattern=r"^(https?://[^\s]+)?$")] = ""
    key_variable: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    max_tokens: Annotated[int, Field(ge=16, le=10**6)] = 8_000
    timeout_seconds: Annotated[int, Field(ge=1, le=3600)] = 180
    price_input: Money | None = None
    price_output: Money | None = None
    price_ceiling: Money = Decimal(100)

    @property
    def provider(self) -> str:
        return self.name.partition(":")[0]

    @property
    def model(self) -> str:
        return self.name.partition(":")[2]

    @model_validator(mode="after")
    def _has_both_prices(self) -> "ModelPolicy":
        if (self.price_input is None) != (self.price_output is None):
            raise ValueError("give both price_input and price_output, or neither")
        return self


class ModelInput(Section):
    """`[[models.inputs]]`: the latest ledger entry of a phase and a kind, quoted in the prompt of a role."""

    role: Annotated[str, Field(pattern="^(author|reviewer)$")]
    phase: Annotated[str, Field(pattern="^(observe|diagnose|propose|validate|approve|deploy|learn)$")]
    kind: Annotated[str, Field(pattern="^[A-Z][A-Za-z]*$")]
    inject_as: Annotated[str, Field(pattern="^(system|user)$")] = "user"


class ModelsPolicy(Section):
    """`[models]`: the language models by role. `author` writes changes; without it the engine `model` proposes nothing.
    `reviewer` reads each patch with its proof; it can raise the tier or ask for another patch, and never pass one.
    `analyst` reads whole files for the source `review`, at most `review_files` new ones in a look. `evaluated` answers the
    questions of evaluations, each once.

    With `compete`, `author` is asked also where `repair` has found a patch.

    For one proposal `author` is asked for at most `samples` answers, the first at temperature 0 and the others at
    `temperature`, with at most `rounds` corrections each, within `seconds`. A prompt has about `context_tokens` tokens.
    """

    author: ModelPolicy | None = None
    reviewer: ModelPolicy | None = None
    analyst: ModelPolicy | None = None
    evaluated: ModelPolicy | None = None
    review_files: Annotated[int, Field(ge=1, le=100)] = 3
    compete: bool = False
    require_diff_review: bool = False
    max_iterations_per_cycle: Annotated[int, Field(ge=1, le=5)] = 2
    inputs: tuple[ModelInput, ...] = ()
    samples: Annotated[int, Field(ge=1, le=20)] = 3
    rounds: Annotated[int, Field(ge=0, le=3)] = 3
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.8
    context_tokens: Annotated[int, Field(ge=500, le=10**6)] = 16_000
    seconds: Annotated[int, Field(ge=1, le=86_400)] = 600

    @property
    def reviewed(self) -> bool:
        """True if each patch is reviewed, or must be."""
        return self.reviewer is not None or self.require_diff_review


class AgentPolicy(Section):
    """`[agent]`: a coding agent that the engine `agent` runs in the sandbox. Without `preset` the engine proposes nothing.

    The agent gets neither `base_url` nor the key: its requests go through whet's proxy, which adds both and enforces the
    limits of one run. Prices are those of `[models]`.
    """

    preset: Annotated[str, Field(pattern="^(codex|claude|aider|mini-swe-agent|gemini|opencode|command)?$")] = ""
    command: tuple[str, ...] = ()
    install: str = ""
    model: Annotated[str, Field(pattern=r"^([^\s:/?#][^\s?#]*)?$")] = ""
    provider: Annotated[str, Field(pattern="^(openai|anthropic|google)?$")] = ""
    base_url: Annotated[str, Field(pattern=r"^(https?://[^\s?#@]+)?$")] = ""
    key_variable: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    seconds: Annotated[int, Field(ge=1, le=86_400)] = 900
    requests: Annotated[int, Field(ge=1, le=10_000)] = 200
    tokens: Annotated[int, Field(ge=1, le=10**12)] = 1_000_000
    money: Money = Decimal(2)
    max_tokens: Annotated[int, Field(ge=16, le=10**6)] = 16_000
    timeout_seconds: Annotated[int, Field(ge=1, le=3600)] = 300
    price_input: Money | None = None
    price_output: Money | None = None
    price_ceiling: Money = Decimal(100)

    @property
    def wire(self) -> str:
        """Return the provider whose protocol the agent speaks."""
        return self.provider or {"claude": "anthropic", "gemini": "google"}.get(self.preset, "openai")

    @property
    def priced(self) -> ModelPolicy:
        """Return the model as `whet.models.prices` knows one."""
        return ModelPolicy(
            name=f"{self.wire}:{self.model}",
            base_url=self.base_url,
            price_input=self.price_input,
            price_output=self.price_output,
            price_ceiling=self.price_ceiling,
        )

    @model_validator(mode="after")
    def _can_run(self) -> "AgentPolicy":
        """Refuse a configured agent that could not be started, or whose requests could not be sent."""
        if self.preset and not self.model:
            raise ValueError("name the model that the agent asks for: model")
        if (self.preset == "command") != bool(self.command):
            raise ValueError('give command together with preset = "command", and only then')
        if (self.price_input is None) != (self.price_output is None):
            raise ValueError("give both price_input and price_output, or neither")
        return self
