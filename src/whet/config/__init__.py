"""The settings. `load` reads whet.toml into a frozen `Config`; an unknown key is an error.

Some settings come from the environment, because whet.toml comes with a repository: the address of a shared database
(`store_url`), the hosts that keys of models may be sent to (`model_hosts`) and those of forges (`forge_hosts`).

Each table of whet.toml is a class in the file of its name.
"""

from whet.config.approve import ApprovePolicy, NeedPolicy, Person, ProofPolicy, Quorum, seats_of
from whet.config.benchmarks import BenchmarkPolicy, BenchmarksPolicy
from whet.config.budget import BudgetPolicy, Money
from whet.config.codemods import CodemodPolicy, CodemodsPolicy
from whet.config.deploy import DeployPolicy, RetentionPolicy
from whet.config.environment import (
    FORGE_HOSTS,
    FORGE_REPOSITORIES,
    HEALTH_HOSTS,
    MODEL_HOSTS,
    STORE_URL,
    forge_hosts,
    forge_repositories,
    health_hosts,
    model_hosts,
    store_url,
    witness_folder,
)
from whet.config.evaluations import EvaluationPolicy, EvaluationsPolicy
from whet.config.forge import ForgePolicy
from whet.config.formulas import ArgumentPolicy, FormulaCase, FormulaPolicy, FormulasPolicy
from whet.config.guard import SUFFIXES, GuardPolicy, ShellTool, ToolGlob, ToolRule
from whet.config.models import AgentPolicy, ModelInput, ModelPolicy, ModelsPolicy
from whet.config.notify import NotifyPolicy
from whet.config.packages import PackagePolicy
from whet.config.phases import ChecksPolicy, ObservePolicy, ProposePolicy
from whet.config.section import Section
from whet.config.service import ServicePolicy
from whet.config.sources import EventStream, HealthProbe, LanguageServer, SourcesPolicy
from whet.config.target import SandboxPolicy, TargetPolicy, TestsPolicy
from whet.config.tune import Bounds, TunedPolicy, TunePolicy
from whet.config.whet_toml import Config, load, parse

__all__ = [
    "FORGE_HOSTS",
    "FORGE_REPOSITORIES",
    "HEALTH_HOSTS",
    "MODEL_HOSTS",
    "STORE_URL",
    "SUFFIXES",
    "AgentPolicy",
    "ApprovePolicy",
    "ArgumentPolicy",
    "BenchmarkPolicy",
    "BenchmarksPolicy",
    "Bounds",
    "BudgetPolicy",
    "ChecksPolicy",
    "CodemodPolicy",
    "CodemodsPolicy",
    "Config",
    "DeployPolicy",
    "EvaluationPolicy",
    "EvaluationsPolicy",
    "EventStream",
    "ForgePolicy",
    "FormulaCase",
    "FormulaPolicy",
    "FormulasPolicy",
    "GuardPolicy",
    "HealthProbe",
    "LanguageServer",
    "ModelInput",
    "ModelPolicy",
    "ModelsPolicy",
    "Money",
    "NeedPolicy",
    "NotifyPolicy",
    "ObservePolicy",
    "PackagePolicy",
    "Person",
    "ProofPolicy",
    "ProposePolicy",
    "Quorum",
    "RetentionPolicy",
    "SandboxPolicy",
    "Section",
    "ServicePolicy",
    "ShellTool",
    "SourcesPolicy",
    "TargetPolicy",
    "TestsPolicy",
    "ToolGlob",
    "ToolRule",
    "TunePolicy",
    "TunedPolicy",
    "forge_hosts",
    "forge_repositories",
    "health_hosts",
    "load",
    "model_hosts",
    "parse",
    "seats_of",
    "store_url",
    "witness_folder",
]
