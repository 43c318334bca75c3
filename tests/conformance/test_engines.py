"""One suite per Protocol; every engine that comes in by an entry point runs it."""

import inspect
from typing import Any

import pytest

from tests.models.scripted_server import ScriptedModel
from tests.support import Repo
from whet import plugins
from whet.app.findings.suggest import suggest
from whet.app.project import Project, open_project
from whet.app.setup.sample_repository import without_bugs
from whet.domain.build import Build
from whet.domain.canonical import to_plain
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.finding import Finding, FindingKind
from whet.domain.proposal import Proposal
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import UnknownEngine
from whet.knowledge.examples import example_from
from whet.phases.approve import Approver
from whet.phases.deploy import Target
from whet.phases.diagnose import Analyzer
from whet.phases.diagnose.step import diagnose, find
from whet.phases.learn import Learner
from whet.phases.observe import Source
from whet.phases.propose import Proposer
from whet.phases.validate import Check, Claim
from whet.store.codec import decode

PROTOCOLS: dict[str, type[Any]] = {
    "whet.sources": Source,
    "whet.analyzers": Analyzer,
    "whet.proposers": Proposer,
    "whet.checks": Check,
    "whet.approvers": Approver,
    "whet.targets": Target,
    "whet.learners": Learner,
}
NEED_SETTINGS = (
    "agent",
    "codemod",
    "improve",
    "restore",
    "speed",
    "tune",
)  # restore needs earlier versions, speed a slow tool
ENGINES = [(group, name) for group in plugins.GROUPS for name in plugins.known(group)]


@pytest.fixture
def project(sample: Repo) -> Project:
    sample.commit({"lint.py": "import os\nimport sys\nimport json\n\nVALUE = 1\n"})
    return open_project(sample.root)


@pytest.mark.parametrize(("group", "name"), ENGINES)
def test_an_engine_has_every_method_of_its_protocol_with_the_same_parameters(
    group: str, name: str, project: Project
) -> None:
    engine = plugins.load(group, [name], project.kit)[name]
    protocol = PROTOCOLS[group]
    for method, declared in inspect.getmembers(protocol, inspect.isfunction):
        if method.startswith("_"):
            continue
        parameters = list(inspect.signature(getattr(engine, method)).parameters)
        assert parameters == list(inspect.signature(declared).parameters)[1:], method


def test_an_unknown_engine_is_an_error_that_lists_the_known_ones(project: Project) -> None:
    with pytest.raises(
        UnknownEngine, match="autofix, codemod, improve, known_fix, model, repair, restore, speed, supplied_patch, tune"
    ):
        plugins.load("whet.proposers", ["oracle"], project.kit)


@pytest.mark.parametrize("name", plugins.known("whet.sources"))
def test_a_source_gives_signals_that_survive_the_ledger(name: str, project: Project) -> None:
    source = plugins.load("whet.sources", [name], project.kit)[name]
    signals = source.observe(project.git.resolve("HEAD"))
    assert isinstance(signals, tuple)
    assert decode(tuple[Signal, ...], to_plain(signals)) == signals


@pytest.mark.parametrize("name", plugins.known("whet.proposers"))
def test_a_proposer_declines_a_finding_it_cannot_help(name: str, project: Project) -> None:
    suggestion = Suggestion(id="s-1", text="?", where="", by="x", at=now())
    signal = Signal.of("suggestions", "s-1", suggestion, now())
    vague = Finding(
        id="f-1", kind=FindingKind.SUGGESTED, signature="s-1", title="make it nicer", category=Category.REFACTORING,
        subjects=("s-1",), paths=(), signals=(signal,), score=0.1, reasons=("asked for",), minimum_signals=1,
    )  # fmt: skip
    proposer = plugins.load("whet.proposers", [name], project.kit)[name]
    assert proposer.can_help(vague) is False


@pytest.mark.parametrize("name", plugins.known("whet.proposers"))
def test_a_proposer_builds_a_patch_on_its_base_and_never_one_to_avoid(
    name: str, project: Project, request: pytest.FixtureRequest
) -> None:
    if name == "model":
        project = _with_a_model(project, request)
    base = project.git.resolve("HEAD")
    proposer = plugins.load("whet.proposers", [name], project.kit)[name]
    if name == "known_fix":
        before, after = "def f(m):\n    return range(2, m)\n", "def f(m):\n    return range(2, m + 1)\n"
        example = example_from(before, after, "f.py", proposal="p-0", engine="repair")
        project.ledger.append("learn", example, subject="p-0", key="p-0/learn/example")
    if name == "supplied_patch":
        suggest(project, "factorial leaves n out", "calculator.py", "factorial(5) == 120", "", _fixed_by_hand(project))
    signals = [signal for source in project.engines.sources.values() for signal in source.observe(base)]
    analyzers = project.engines.analyzers
    helped = next((finding for finding in find(signals, analyzers, base) if proposer.can_help(finding)), None)
    if name in NEED_SETTINGS:
        assert helped is None, "without its settings it can help with nothing; tests/cycle runs it with them"
        return
    assert helped is not None
    [diagnosis] = diagnose([helped], analyzers, base, project.policy.target, top=1)
    proposal: Proposal = next(iter(proposer.propose(diagnosis, base, "c-1")))
    assert decode(Proposal, to_plain(proposal)) == proposal
    built: Build = proposer.build(proposal, frozenset())
    assert built.patch is not None, built.note
    assert built.patch.base == base
    assert built.patch.changes == project.git.changes(base, built.patch.tree)
    avoid = frozenset({built.patch.digest, *(rival.digest for rival in built.rivals)})
    again = proposer.build(proposal, avoid)
    assert again.patch is None or again.patch.digest not in avoid


def _with_a_model(project: Project, request: pytest.FixtureRequest) -> Project:
    """Open the project again with a scripted model that gives the right file."""
    source = (project.git.root / "calculator.py").read_text()
    model = ScriptedModel([f"WHOLE FILE: calculator.py\n```python\n{without_bugs(source)}```\n"])
    request.addfinalizer(model.close)
    settings = project.git.root / "whet.toml"
    author = (
        f'[models.author]\nname = "openai:scripted"\nbase_url = "{model.url}"\nprice_input = "0"\nprice_output = "0"\n'
    )
    settings.write_text(f"{settings.read_text()}\n{author}")
    return open_project(project.git.root)


def _fixed_by_hand(project: Project) -> str:
    base = project.git.resolve("HEAD")
    fixed = without_bugs((project.git.root / "calculator.py").read_text())
    return project.git.diff(base, project.git.with_files(base, {"calculator.py": fixed.encode()})).decode()


@pytest.mark.parametrize("name", plugins.known("whet.checks"))
def test_a_check_sees_no_red_in_a_change_of_a_comment(name: str, project: Project) -> None:
    base = project.git.resolve("HEAD")
    tree = project.git.with_files(project.git.tree_of(base), {"calculator.py": _commented(project)})
    claim = Claim(patch=project.git.patch(base, tree, "a comment"), targets={})
    result: CheckResult | None = plugins.load("whet.checks", [name], project.kit)[name].check(claim)
    if result is None:  # the sample configures no linter, no type checker, no benchmark, no evaluation and no formula
        assert name in ("diagnostics", "benchmarks", "structure", "evaluations", "formulas")
        return
    assert result.verdict is not Verdict.FAILED, result.reason
    assert not result.saw_red


@pytest.mark.parametrize(
    "name", sorted({*plugins.known("whet.checks")} - {"diagnostics", "structure"})
)  # these have no targets
def test_a_check_refuses_a_target_that_is_not_red_on_the_base(name: str, project: Project) -> None:
    base = project.git.resolve("HEAD")
    tree = project.git.with_files(project.git.tree_of(base), {"calculator.py": _commented(project)})
    patch = project.git.patch(base, tree, "a comment")
    claim = Claim(patch=patch, targets={name: ("tests/test_calculator.py::test_mean",)})
    assert plugins.load("whet.checks", [name], project.kit)[name].check(claim).verdict is not Verdict.PASSED


def _commented(project: Project) -> bytes:
    source = project.git.read("HEAD", "calculator.py")
    assert source is not None
    return source + b"\n# nothing else\n"
