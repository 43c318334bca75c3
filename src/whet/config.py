"""The settings. `load` reads whet.toml into a frozen `Config`; an unknown key is an error.

Two settings come from the environment, because whet.toml comes with a repository: the address of a shared database
(`store_url`) and the hosts that keys of models may be sent to (`model_hosts`).
"""

import os
import re
import tomllib
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from whet import path_lists
from whet.domain.approval import Gate, Tier
from whet.domain.approvers import ANYBODY, ApprovalRules, Seats
from whet.domain.call_policy import SENSITIVE, TEST_PATHS, AccessRule, CallPolicy, CommandArgument
from whet.domain.canonical import digest
from whet.domain.category import Category, DeniedCategory
from whet.domain.own_files import FILE_NAME
from whet.domain.proof import Assurance
from whet.domain.proposal import ProposalKind
from whet.domain.tool import SCOPES, is_glob, is_scope
from whet.domain.version import Mode
from whet.errors import BadConfig, EnvironmentProblem
from whet.files import MB, read_file

STORE_URL = "WHET_STORE_URL"
MODEL_HOSTS = "WHET_MODEL_HOSTS"

SUFFIXES = (".py", ".pyi", ".md", ".rst", ".txt", ".json", ".yml", ".yaml", ".toml", ".cfg", ".ini")


class Section(BaseModel):
    """A table of whet.toml: frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TestsPolicy(Section):
    """`[tests]`: the command that runs the target's suite.

    The runners `pytest`, `unittest` and `junit` report an outcome per test id; `exit` reports only the exit code, which proves
    nothing by itself. `folders` are passed to pytest (empty: pytest's own settings decide), `args` are further options.
    """

    runner: Annotated[str, Field(pattern="^(pytest|unittest|junit|exit|none)$")] = "pytest"
    folders: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    junit_path: str = "junit.xml"
    timeout_seconds: Annotated[int, Field(ge=1)] = 900
    at_once: Annotated[int, Field(ge=1)] = 2
    paths: tuple[str, ...] = TEST_PATHS


def _below_the_root(pattern: str) -> str:
    """Refuse a glob that is absolute or leads out of the repository."""
    parts = PurePosixPath(pattern).parts
    if not parts or parts[0].startswith("/") or ".." in parts:
        raise ValueError(f"{pattern!r} is not a path below the repository's top folder")
    if any("**" in part and part != "**" for part in parts):
        raise ValueError(f"{pattern!r} is not a valid glob: ** must stand alone between slashes")
    return pattern


def _dotted(section: str) -> str:
    if not section or not all(section.split(".")) or section != section.strip():
        raise ValueError(f"{section!r} is not a dotted path of keys, such as tools.*.permissions")
    return section


class TargetPolicy(Section):
    """`[target]`: the project that whet works on. `extra_files` names files outside git that the tests need;
    `constants`, `protocol` and `skill` are the globs of the layers."""

    interpreter: str = ""
    branch: str = ""
    extra_files: tuple[Annotated[str, AfterValidator(_below_the_root)], ...] = ()
    constants: tuple[str, ...] = ("**/constants.py", "**/settings.py", "**/defaults.py")
    protocol: tuple[str, ...] = ("*.yml", "*.yaml", "*.json", "**/*.yml", "**/*.yaml", "**/*.json")
    skill: tuple[str, ...] = ("*.md", "**/*.md", "**/prompts/**")


class SandboxPolicy(Section):
    """`[sandbox]`: the limits of every run in the sandbox."""

    memory_mb: Annotated[int, Field(ge=64)] = 4096
    processes: Annotated[int, Field(ge=1)] = 512
    file_size_mb: Annotated[int, Field(ge=1)] = 1024
    tree_size_mb: Annotated[int, Field(ge=8)] = 2048
    output_mb: Annotated[int, Field(ge=1)] = 64


class ObservePolicy(Section):
    """`[observe]`: the sources of signals, by plug-in name."""

    sources: tuple[str, ...] = ("tests", "lint", "suggestions", "tools")


class ProposePolicy(Section):
    """`[propose]`: the engines that write changes, by plug-in name, and their limits."""

    engines: tuple[str, ...] = ("supplied_patch", "repair", "model", "autofix")
    top: Annotated[int, Field(ge=1)] = 1
    repair_seconds: Annotated[int, Field(ge=1)] = 60
    lint_rules: tuple[str, ...] = ()


class ChecksPolicy(Section):
    """`[checks]`: the checks of a proof besides the tests."""

    diagnostics: Annotated[str, Field(pattern="^(off|inconclusive|failed)$")] = "inconclusive"


def _tool_glob(glob: str) -> str:
    if not is_glob(glob):
        raise ValueError(
            f"{glob!r} is not a glob of tool names: letters, digits, _ and - between dots; * in a segment, ** alone"
        )
    return glob


def _scope(scope: str) -> str:
    if not is_scope(scope):
        raise ValueError(f"{scope!r} is not a scope: write {', '.join(SCOPES)}, then a colon and the full name")
    return scope


ToolGlob = Annotated[str, AfterValidator(_tool_glob)]


class ToolRule(Section):
    """The tools that one agent, team, model or provider may call. The narrowest scope with a matching rule decides;
    within a scope `deny` wins."""

    scope: Annotated[str, AfterValidator(_scope)]
    allow: tuple[ToolGlob, ...] = ()
    deny: tuple[ToolGlob, ...] = ()


class ShellTool(Section):
    """Tools whose `argument` is a shell command; the guard judges that command too."""

    tool: ToolGlob
    argument: Annotated[str, Field(min_length=1)] = "command"


class GuardPolicy(Section):
    """`[guard]`: the limits of a change.

    `protected` adds paths to the protected defaults, `open` removes paths from them. `immutable` names sections of
    settings files by dotted path; `*` matches every key.
    """

    protected: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = SENSITIVE
    suffixes: tuple[str, ...] = SUFFIXES
    repositories: tuple[str, ...] = ()
    immutable: dict[str, tuple[Annotated[str, AfterValidator(_dotted)], ...]] = {}
    max_files: Annotated[int, Field(ge=1)] = 10
    max_lines: Annotated[int, Field(ge=1)] = 400
    max_new_files: Annotated[int, Field(ge=0)] = 3
    max_deleted_files: Annotated[int, Field(ge=0)] = 0
    categories: tuple[Category, ...] = tuple(category for category in Category if category is not Category.SELF)
    denied: tuple[DeniedCategory, ...] = tuple(DeniedCategory)
    allow_high_risk: bool = False
    tools: tuple[ToolRule, ...] = ()
    shell_tools: tuple[ShellTool, ...] = ()


def _exact(value: object) -> object:
    """Refuse a float, because it cannot hold most decimal fractions exactly."""
    if isinstance(value, bool | float):
        raise ValueError('write money in quotes, as "2.50", or as a whole number: a float is not exact')  # noqa: TRY004
    return value


class BudgetPolicy(Section):
    """`[budget]`: the amounts that may be spent in 24 hours. Money has no currency; it has the unit of the prices."""

    proposals_per_day: Annotated[int, Field(ge=0)] = 50
    cycles_per_day: Annotated[int, Field(ge=0)] = 50
    tokens_per_day: Annotated[int, Field(ge=0, le=10**15)] = 2_000_000
    money_per_day: Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, le=10**9, decimal_places=6)] = Decimal(5)
    wall_seconds_per_day: Annotated[int, Field(ge=0, le=10**9)] = 28_800
    attempts_per_signature: Annotated[int, Field(ge=1)] = 3
    cooldown_seconds: Annotated[int, Field(ge=0)] = 0
    cycle_seconds: Annotated[int, Field(ge=1)] = 3600


Money = Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, le=10**6, decimal_places=6)]


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


class ModelsPolicy(Section):
    """`[models]`: the language models by role. `author` writes changes; without it the engine `model` proposes nothing.

    For one proposal `author` is asked for at most `samples` answers, the first at temperature 0 and the others at
    `temperature`, with at most `rounds` corrections each, within `seconds`. A prompt has about `context_tokens` tokens.
    """

    author: ModelPolicy | None = None
    samples: Annotated[int, Field(ge=1, le=20)] = 3
    rounds: Annotated[int, Field(ge=0, le=3)] = 3
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.8
    context_tokens: Annotated[int, Field(ge=500, le=10**6)] = 16_000
    seconds: Annotated[int, Field(ge=1, le=86_400)] = 600


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


def _quorum(text: str) -> str:
    seats_of(text)
    return text


def seats_of(text: str) -> tuple[Seats, ...]:
    """Return the parts of a quorum such as `2 maintainer, 1 owner`. Raise ValueError for another form."""
    parts = [_SEATS.fullmatch(part.strip()) for part in text.split(",")]
    if not all(parts):
        raise ValueError(f"{text!r} is not a quorum: write a number and a role, such as 2 maintainer, 1 owner")
    return tuple(Seats(count=int(part[1]), role=part[2]) for part in parts if part)


_SEATS = re.compile(r"([1-9][0-9]?) ([a-z][a-z0-9_-]*)")
Quorum = Annotated[str, AfterValidator(_quorum)]
Person = Annotated[str, Field(pattern=r"^[^\s*?!,\"]+$")]


class ProofPolicy(Section):
    """The least assurance of an approval, by tier.

    `os` is the user of the process, which any program of that user has. `signature` is an SSH signature by an enrolled
    key. `presence` needs a touched security key, `verified` also its PIN.
    """

    confirm: Assurance = Assurance.OS
    approve: Assurance = Assurance.SIGNATURE
    require: Assurance = Assurance.PRESENCE

    @model_validator(mode="after")
    def _never_falls(self) -> "ProofPolicy":
        if not self.confirm <= self.approve <= self.require:
            raise ValueError("a higher tier cannot need less proof than a lower one")
        return self


class NeedPolicy(Section):
    """The quorum of each tier: how many people of which role. Everybody has the role `person`."""

    confirm: Quorum = "1 person"
    approve: Quorum = "1 person"
    require: Quorum = "1 person"


class ApprovePolicy(Section):
    """`[approve]`: the minimum tier at each gate, the proof and the quorum that each tier needs, and the proposal kinds
    that need no person at the apply gate.

    `roles` names people as `whet.signers` does. The author of a suggestion does not count as an approver of the change
    that was made from it, unless `supplier_counts` is set.
    """

    plan: Tier = Tier.AUTO
    apply: Tier = Tier.CONFIRM
    merge: Tier = Tier.AUTO
    auto_kinds: tuple[ProposalKind, ...] = ()
    timeout_hours: Annotated[float, Field(gt=0, le=24 * 30)] = 168.0
    proof: ProofPolicy = ProofPolicy()
    need: NeedPolicy = NeedPolicy()
    roles: dict[Annotated[str, Field(pattern="^[a-z][a-z0-9_-]*$")], tuple[Person, ...]] = {}
    supplier_counts: bool = False

    def floor(self, gate: Gate) -> Tier:
        """Return the minimum tier at a gate."""
        return {Gate.PLAN: self.plan, Gate.APPLY: self.apply, Gate.MERGE: self.merge}.get(gate, Tier.REQUIRE)

    @model_validator(mode="after")
    def _can_be_met(self) -> "ApprovePolicy":
        """Refuse a quorum that nobody can form."""
        for tier in _TIERS:
            for seats in seats_of(getattr(self.need, tier)):
                if seats.role == ANYBODY:
                    continue
                if len(set(self.roles.get(seats.role, ()))) < seats.count:
                    raise ValueError(f"need.{tier} asks for {seats}, and roles.{seats.role} has fewer people")
                if getattr(self.proof, tier) is Assurance.OS:
                    raise ValueError(
                        f"need.{tier} names the role {seats.role}, and proof.{tier} = os does not prove who has it"
                    )
        return self


_TIERS = (Tier.CONFIRM, Tier.APPROVE, Tier.REQUIRE)


class DeployPolicy(Section):
    """`[deploy]`: the way a change is deployed.

    `branch` leaves the change on a branch of its own; `merge` moves the target branch; `hot_reload` also gives the new
    source to the processes that run it. `canary`, `ab` and `shadow` are `hot_reload` after a trial: on a share of the
    real calls, on half of them, or on their inputs in the sandbox.
    """

    strategy: str = "branch"
    canary_share: Annotated[float, Field(gt=0.0, le=0.5)] = 0.1
    trial_seconds: Annotated[int, Field(ge=1)] = 600
    watch_seconds: Annotated[int, Field(ge=1)] = 300
    author: Annotated[str, Field(pattern=r"^[^<>\n]+ <[^<>\s]+>$")] = "whet <whet@localhost>"
    smoke: tuple[str, ...] = ()
    timeout_seconds: Annotated[int, Field(ge=1)] = 900

    @property
    def merges(self) -> bool:
        """True if whet may move the target branch."""
        return self.strategy != "branch"

    @property
    def reloads(self) -> bool:
        """True if running applications get the new source."""
        return self.strategy == "hot_reload" or self.trial is not None

    @property
    def trial(self) -> Mode | None:
        """Return the kind of trial on real calls before the deployment; None if there is no trial."""
        return next((mode for mode in Mode if mode == self.strategy), None)


class RetentionPolicy(Section):
    """`[retention]`: the time that recorded tool calls are kept.

    Hourly and daily totals are kept forever. Trials and watches need the totals per minute, so at least one day of them
    is kept.
    """

    successes_days: Annotated[float, Field(gt=0, le=3650)] = 7.0
    failures_days: Annotated[float, Field(gt=0, le=3650)] = 30.0
    minutes_days: Annotated[float, Field(ge=1, le=3650)] = 2.0
    most_calls: Annotated[int, Field(ge=0)] = 5_000_000


class Config(Section):
    """All settings: one section per table of whet.toml."""

    environment: Annotated[str, Field(pattern="^(development|production)$")] = "production"
    target: TargetPolicy = TargetPolicy()
    tests: TestsPolicy = TestsPolicy()
    sandbox: SandboxPolicy = SandboxPolicy()
    observe: ObservePolicy = ObservePolicy()
    propose: ProposePolicy = ProposePolicy()
    checks: ChecksPolicy = ChecksPolicy()
    guard: GuardPolicy = GuardPolicy()
    budget: BudgetPolicy = BudgetPolicy()
    models: ModelsPolicy = ModelsPolicy()
    agent: AgentPolicy = AgentPolicy()
    approve: ApprovePolicy = ApprovePolicy()
    deploy: DeployPolicy = DeployPolicy()
    retention: RetentionPolicy = RetentionPolicy()

    @property
    def recorded(self) -> dict[str, Any]:
        """Return the policy as the ledger records it: all settings, and the digest of the built-in path lists."""
        return {**self.model_dump(mode="json"), "path_lists": path_lists.digest()}

    @property
    def digest(self) -> str:
        return digest(self.recorded)

    @property
    def approval_rules(self) -> ApprovalRules:
        return ApprovalRules(
            environment=self.environment,
            proof={tier: getattr(self.approve.proof, tier) for tier in _TIERS},
            need={tier: seats_of(getattr(self.approve.need, tier)) for tier in _TIERS},
            roles=dict(self.approve.roles),
            supplier_counts=self.approve.supplier_counts,
        )

    @property
    def call_policy(self) -> CallPolicy:
        """Return the settings that decide about calls of tools."""
        guard = self.guard
        return CallPolicy(
            protected=guard.protected,
            open=guard.open,
            sensitive=guard.sensitive,
            tests=self.tests.paths,
            changes_whet=Category.SELF in guard.categories,
            rules=tuple(AccessRule(rule.scope, rule.allow, rule.deny) for rule in guard.tools),
            shell_tools=tuple(CommandArgument(shell.tool, shell.argument) for shell in guard.shell_tools),
        )

    @property
    def tier_settings(self) -> str:
        """Return the digest of the settings, as they are written, that decide which tier a change needs."""
        written = self.model_dump(mode="json", exclude_unset=True)
        branch = written.get("target", {}).get("branch")
        return digest([written.get("environment"), branch, written.get("approve"), written.get("guard")])


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
    return frozenset(filter(None, (host.strip().lower() for host in os.environ.get(MODEL_HOSTS, "").split(","))))


def witness_folder() -> Path:
    """Return the folder outside all repositories that holds the witnesses of their ledgers."""
    configured = os.environ.get("XDG_STATE_HOME", "")
    try:
        base = Path(configured) if configured.startswith("/") else Path.home() / ".local" / "state"
    except RuntimeError:
        raise EnvironmentProblem("your user has no home folder", "set XDG_STATE_HOME to a folder of yours") from None
    return base / "whet"


def load(root: Path) -> Config:
    """Read the settings of the repository at `root`. Raise BadConfig, naming the key, if one is wrong."""
    path = root / FILE_NAME
    try:
        raw = read_file(path, MB)
    except FileNotFoundError:
        raise EnvironmentProblem(f"there is no {FILE_NAME} in {root}", "run `whet init` first") from None
    except OSError as problem:
        raise EnvironmentProblem(
            f"{path} cannot be read: {problem.strerror}", "make it a regular file that you may read"
        ) from problem
    return parse(raw, str(path))


def parse(raw: bytes, name: str = FILE_NAME) -> Config:
    """Parse the content of a whet.toml; `name` is used in error messages."""
    try:
        return Config.model_validate(tomllib.loads(raw.decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadConfig(
            f"{name} is not valid TOML: {problem}", "correct it; `whet init --print` shows how"
        ) from problem
    except ValidationError as problem:
        raise BadConfig(
            f"{name}: {_explain(problem)}", "remove or correct it; `whet init --print` shows every key"
        ) from problem


def _explain(problem: ValidationError) -> str:
    first = problem.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}"
    return f"{key}: {first['msg'].removeprefix('Value error, ')}"
