"""All settings, and the reader of whet.toml."""

import math
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from whet import path_lists
from whet.config.approve import PROVED_TIERS, ApprovePolicy, seats_of
from whet.config.benchmarks import BenchmarksPolicy
from whet.config.budget import BudgetPolicy
from whet.config.codemods import CodemodsPolicy
from whet.config.deploy import DeployPolicy, RetentionPolicy
from whet.config.evaluations import EvaluationsPolicy
from whet.config.forge import ForgePolicy
from whet.config.formulas import FormulasPolicy
from whet.config.guard import GuardPolicy
from whet.config.models import AgentPolicy, ModelsPolicy
from whet.config.notify import NotifyPolicy
from whet.config.packages import PackagePolicy, consistent
from whet.config.phases import ChecksPolicy, ObservePolicy, ProposePolicy
from whet.config.section import Section
from whet.config.service import ServicePolicy
from whet.config.sources import SourcesPolicy
from whet.config.target import SandboxPolicy, TargetPolicy, TestsPolicy
from whet.config.tune import TunePolicy
from whet.domain.approvers import ApprovalRules
from whet.domain.call_policy import AccessRule, CallPolicy, CommandArgument
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.own_files import FILE_NAME
from whet.errors import BadConfig, EnvironmentProblem
from whet.files import MB, read_file


class Config(Section):
    """All settings: one section per table of whet.toml."""

    environment: Annotated[str, Field(pattern="^(development|production)$")] = "production"
    target: TargetPolicy = TargetPolicy()
    tests: TestsPolicy = TestsPolicy()
    sandbox: SandboxPolicy = SandboxPolicy()
    observe: ObservePolicy = ObservePolicy()
    sources: SourcesPolicy = SourcesPolicy()
    propose: ProposePolicy = ProposePolicy()
    checks: ChecksPolicy = ChecksPolicy()
    benchmarks: BenchmarksPolicy = BenchmarksPolicy()
    codemods: CodemodsPolicy = CodemodsPolicy()
    evaluations: EvaluationsPolicy = EvaluationsPolicy()
    formulas: FormulasPolicy = FormulasPolicy()
    tune: TunePolicy = TunePolicy()
    guard: GuardPolicy = GuardPolicy()
    budget: BudgetPolicy = BudgetPolicy()
    models: ModelsPolicy = ModelsPolicy()
    agent: AgentPolicy = AgentPolicy()
    approve: ApprovePolicy = ApprovePolicy()
    deploy: DeployPolicy = DeployPolicy()
    forge: ForgePolicy = ForgePolicy()
    retention: RetentionPolicy = RetentionPolicy()
    service: ServicePolicy = ServicePolicy()
    notify: NotifyPolicy = NotifyPolicy()
    project: tuple[PackagePolicy, ...] = ()

    @model_validator(mode="after")
    def _has_consistent_packages(self) -> "Config":
        consistent(self.project)
        if self.project and self.tests.runner != "pytest":
            raise ValueError(f'[[project]] tables need tests.runner = "pytest", and it is {self.tests.runner!r}')
        if self.project and self.tests.folders:
            raise ValueError("tests.folders has no meaning beside [[project]] tables: each has `folders` of its own")
        return self

    @model_validator(mode="after")
    def _keeps_what_a_trial_counts(self) -> "Config":
        """Refuse a trial that is longer than the totals per minute are kept."""
        if self.deploy.trial_limit_seconds >= self.retention.minutes_days * 86_400:
            raise ValueError(
                "a trial may not take as long as retention.minutes_days: its first calls would be forgotten"
            )
        return self

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
            proof={tier: getattr(self.approve.proof, tier) for tier in PROVED_TIERS},
            need={tier: seats_of(getattr(self.approve.need, tier)) for tier in PROVED_TIERS},
            roles=dict(self.approve.roles),
            supplier_counts=self.approve.supplier_counts,
            forge_logins=tuple(sorted((login.lower(), who) for login, who in self.approve.forge_logins.items())),
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
        values = tomllib.loads(raw.decode())
        if key := _unusable(values):
            raise BadConfig(f"{name}: {key}: a NUL character or an endless number", "remove or correct it")
        return Config.model_validate(values)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise BadConfig(
            f"{name} is not valid TOML: {problem}", "correct it; `whet init --print` shows how"
        ) from problem
    except ValidationError as problem:
        raise BadConfig(
            f"{name}: {_explain(problem)}", "remove or correct it; `whet init --print` shows every key"
        ) from problem


def _unusable(value: Any, key: str = "") -> str:
    """Return the key of the first value that no file name, command or record could hold; empty if there is none."""
    if isinstance(value, str | float):
        return key if (isinstance(value, float) and not math.isfinite(value)) or "\0" in str(value) else ""
    parts = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return next(
        (place for part, item in parts if (place := _unusable(item, f"{key}.{part}" if key else str(part)))), ""
    )


def _explain(problem: ValidationError) -> str:
    first = problem.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}"
    words = str(first["msg"]).removeprefix("Value error, ")
    return f"{key}: {words}" if key else words
