"""The agent engine: lets a coding agent write the change, and takes nothing but its diff."""

from collections.abc import Iterable, Sequence

from whet.cases.regression import failures_of, has_target, regression_of, targets_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.proposal import Proposal, ValidationPlan, kind_of_fix
from whet.domain.redact import redact
from whet.domain.reservation import Resource
from whet.domain.risk import Risk
from whet.domain.sanitize import one_line
from whet.errors import AgentMissing
from whet.guard.answer import Refuse
from whet.guard.paths.protected import protected_path
from whet.kit import Kit
from whet.phases.propose.agent.changes import MOST_BYTES, MOST_FILES, AgentChanges, read_changes
from whet.phases.propose.agent.installed import find_agent
from whet.phases.propose.agent.presets import preset_of
from whet.phases.propose.agent.run import AgentRun, run_agent
from whet.phases.propose.agent.task import task_text

_MOST_FILES = 5  # suspicious files that are named to the agent on its command line
_OUTPUT_SHOWN = 300


class Agent:
    """The proposer that runs a coding agent in the sandbox. Without `[agent]` in whet.toml it can help with nothing."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.agent

    @property
    def build_seconds(self) -> float:
        """Return the time limit of one build."""
        return float(self._policy.seconds)

    def can_help(self, finding: Finding) -> bool:
        return bool(self._policy.preset) and has_target(finding)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        regression = regression_of(finding, self._git.tree_of(base), self._kit)
        targets = regression.red if regression else finding.subjects
        paths = self._suspects(diagnosis.places) or finding.paths
        if not paths:
            self._kit.progress.note(
                f"{finding.title}: no file of the project is suspicious, so the agent is not started"
            )
            return
        yield Proposal(
            id=f"p-{digest([cycle, 'agent', finding.signature])[:8]}",
            engine="agent",
            kind=kind_of_fix(diagnosis),
            category=finding.category,
            target=tuple(paths[:_MOST_FILES]),
            title=f"Let {self._policy.preset} fix {finding.title}"[:200],
            rationale=f"{count(len(targets), 'failing test')}: {', '.join(targets[:3])}. {self._policy.preset} with the model "
            f"{self._policy.model} works on a copy of the tree in the sandbox.",
            risk=Risk.MEDIUM,
            expected_gain=max(0.05, round(0.5 * diagnosis.confidence, 3)),
            plan=ValidationPlan(targets=targets_of(finding, targets)),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe=to_plain(regression) if regression else {},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        tests = _written_tests(proposal)
        tree = (
            self._git.with_files(self._git.tree_of(proposal.base), tests) if tests else self._git.tree_of(proposal.base)
        )
        places = [place for place in proposal.diagnosis.places if not self._kit.is_test(place.path)]
        task = task_text(_targets(proposal), failures_of(proposal.diagnosis.finding), places, self._test_command())
        files = [path for path in self._suspects(places) if path in self._git.files(tree)]
        try:
            agent = find_agent(self._policy, self._git.root)
            run = run_agent(self._kit, agent, tree, task, files[:_MOST_FILES], proposal.id)
        except AgentMissing as problem:
            return Build(patch=None, note=f"{problem.message}; {problem.remedy}")
        return self._judge(proposal, tree, run, avoid)

    def _judge(self, proposal: Proposal, tree: str, run: AgentRun, avoid: frozenset[str]) -> Build:
        changes = read_changes(run.finished.lines)
        seconds = run.finished.seconds
        if problem := self._problem(run, changes):
            return Build(patch=None, note=self._note(problem, run), seconds=seconds)
        kept = changes.without(self._reason_against)
        if not kept.files:
            words = "made no change that can be used" if kept.dropped else "made no change"
            return Build(
                patch=None,
                note=self._note(f"{words}{kept.dropped_in_words}{self._ending(changes)}", run),
                seconds=seconds,
            )
        patch = self._git.patch(proposal.base, self._git.with_files(tree, kept.files), proposal.title)
        if patch.digest in avoid or not patch.changes:
            words = "made a change that was rejected before" if patch.digest in avoid else "made no change"
            return Build(patch=None, note=self._note(words, run), tried=1, seconds=seconds)
        note = f"changed {count(len(kept.files), 'file')}{kept.dropped_in_words}{self._ending(changes)}"
        trusted = (str(proposal.recipe["path"]),) if proposal.recipe else ()
        return Build(
            patch=patch, note=self._note(note, run), tried=1, seconds=seconds, trusted_tests=trusted, foreign=True
        )

    def _problem(self, run: AgentRun, changes: AgentChanges) -> str:
        """Return why there is nothing to take from a run, as the rest of a sentence; empty if there is something."""
        if run.finished.problem:
            return run.finished.problem
        if changes.started:
            return f"could not be started in the sandbox: {one_line(changes.started)}"
        if changes.complete:
            return ""
        if changes.changed:
            return f"changed more than can be taken: at most {MOST_FILES} files with {MOST_BYTES:,} bytes"
        return f"left no report of its changes (exit code {run.finished.exit_code})"

    def _ending(self, changes: AgentChanges) -> str:
        """Return how the agent ended, if not by itself and well."""
        if changes.exit_code is None:
            return f"; it was ended after {self._policy.seconds} s (agent.seconds)"
        return f"; it ended with exit code {changes.exit_code}" if changes.exit_code else ""

    def _note(self, words: str, run: AgentRun) -> str:
        allowance = run.allowance
        spent = (
            f"{count(allowance.requests, 'request')}, {allowance.used.tokens:,} tokens, "
            f"{Resource.MONEY.shown(allowance.money)} of money"
        )
        parts = [f"{self._policy.preset} {words} ({spent})"]
        parts += [f"it was cut off: {allowance.exhausted}"] if allowance.exhausted else []
        parts += [run.last_problem] if run.last_problem else []
        output = one_line(redact(run.finished.output.strip())[-_OUTPUT_SHOWN:])
        silent = words.startswith("changed ") or not output
        return "; ".join(parts) if silent else f"{'; '.join(parts)}; it printed: {output}"

    def _reason_against(self, path: str) -> str:
        """Return why a changed file is dropped: it is a test, protected, or the agent's own; empty if it is kept."""
        if path.startswith(preset_of(self._policy).leftovers or ("\0",)):
            return "the agent's own file"
        if self._kit.is_test(path):
            return "a test"
        return "protected" if isinstance(protected_path(path, self._kit.policy), Refuse) else ""

    def _suspects(self, places: Sequence[Place]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(place.path for place in places if not self._kit.is_test(place.path)))

    def _test_command(self) -> str:
        tests = self._kit.policy.tests
        module = {"pytest": "pytest", "unittest": "unittest"}.get(tests.runner)
        return f"{self._kit.interpreter.path} -m {module}" if module else " ".join(tests.command) or "(no command)"


def _written_tests(proposal: Proposal) -> dict[str, bytes | None]:
    """Return the test files that whet wrote for a proposal: from its finding, and from people's decisions."""
    recipe = proposal.recipe
    own = {str(recipe["path"]): str(recipe["text"])} if recipe else {}
    texts = own | {regression.path: regression.text for regression in proposal.decided}
    return {path: text.encode() for path, text in texts.items()}


def _targets(proposal: Proposal) -> tuple[str, ...]:
    """Return the tests that the change must turn green."""
    return (*proposal.plan.targets["tests"], *(test for regression in proposal.decided for test in regression.red))
