"""Measure a language model as the author of fixes, next to repair alone, on bench/bugs or on any checkout with a failing suite.

    python -m bench.models --name openai:qwen3-coder --base-url http://127.0.0.1:8080/v1 [CASE ...]
    python -m bench.models --name anthropic:... --record ANSWERS.json [CASE ...]   and keep the answers
    python -m bench.models --replay ANSWERS.json [CASE ...]                        with recorded answers, without a model
    python -m bench.models --replay ANSWERS.json --folder CHECKOUT [TEST ...]      any checkout that has a whet.toml

ANSWERS.json is an object: for each case the answers in their order. Each case is one line; the last lines are the sums. `green`
is a patch that passes the suite, `proven` one whose proof passes, `right` one that passes the hidden tests too. The money is in the
unit of the prices. A replay measures the answers in the file, whoever wrote them.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from bench.repair import BUGS, POLICY, commit, is_green, passes_hidden
from tests.models.scripted_server import ScriptedModel, scripted
from whet.app.cycles.dry_run import DryRun, run_unrecorded
from whet.app.cycles.repair import search
from whet.app.project import Project, open_project
from whet.domain.model_answer import ModelAnswer
from whet.domain.reservation import Resource
from whet.domain.verdict import Verdict
from whet.errors import WhetError
from whet.workflow.steps import Engines

REPAIR_SECONDS = 30.0
AUTHOR = '[models]\nsamples = {samples}\n[models.author]\nname = "{name}"\nbase_url = "{url}"\n{prices}'
FREE = 'price_input = "0"\nprice_output = "0"\n'
NO_LIMITS = "[budget]\ntokens_per_day = 1000000000\nmoney_per_day = 1000000\nwall_seconds_per_day = 1000000\n"


@dataclass(frozen=True)
class CaseResult:
    """The outcome of repair and of the model for one case; `right` is None where there are no hidden tests."""

    name: str
    repair_green: bool
    repair_right: bool | None
    green: bool
    proven: bool
    right: bool | None
    answers: tuple[str, ...]
    tokens: int
    cost: Decimal
    seconds: float
    note: str

    @property
    def line(self) -> str:
        marks = {True: "yes", False: "no", None: "-"}
        return (
            f"{self.name:<24} repair: green {marks[self.repair_green]}, right {marks[self.repair_right]}   "
            f"model: green {marks[self.green]}, proven {marks[self.proven]}, right {marks[self.right]}, "
            f"{len(self.answers)} answers, {self.tokens} tokens, {self.cost:f}, {self.seconds:.0f} s   {self.note}"
        )


def main() -> None:
    options = _options()
    replay: Mapping[str, Sequence[str]] = json.loads(options.replay.read_text()) if options.replay else {}
    results = []
    for result in _results(options, replay):
        results.append(result)
        print(result.line, flush=True)
    for name, share in summary(results).items():
        print(f"{name:<24} {share}")
    if options.record:
        options.record.write_text(json.dumps({result.name: result.answers for result in results}, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="openai:replay")
    parser.add_argument("--base-url", default="")
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--replay", type=Path)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("cases", nargs="*")
    return parser.parse_args()


def _results(options: argparse.Namespace, replay: Mapping[str, Sequence[str]]) -> Iterator[CaseResult]:
    if options.folder:
        yield _measured(options.folder.name, options.folder, options.cases, options, replay, None)
        return
    for case in sorted(BUGS.iterdir()):
        known = case.name in (options.cases or (replay if options.replay else [case.name]))
        if case.is_dir() and known:
            with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
                root = Path(place) / case.name
                (root / "tests").mkdir(parents=True)
                shutil.copy(case / "wrong.py", root / f"{case.name}.py")
                shutil.copy(case / "test_visible.py", root / "tests" / f"test_{case.name}.py")
                (root / "whet.toml").write_text(POLICY)
                commit(root)
                yield _measured(case.name, root, [f"tests/test_{case.name}.py"], options, replay, case)


def _hidden(case: Path) -> str:
    return (case / "test_hidden.py").read_text()


def _measured(
    name: str,
    root: Path,
    tests: Sequence[str],
    options: argparse.Namespace,
    replay: Mapping[str, Sequence[str]],
    case: Path | None,
) -> CaseResult:
    """Run repair, then the model, on the failing tests of one checkout. The settings of the model are not committed."""
    searched = search(open_project(root), tests, REPAIR_SECONDS)
    repaired = searched.build.patch if not searched.build.left_red else None
    with scripted(*replay.get(name, ("no answer is recorded",))) if options.replay else nullcontext() as server:
        policy = (root / "whet.toml").read_text()
        try:
            (root / "whet.toml").write_text(_policy(policy, options, server))
            project = open_project(root)
            began = time.perf_counter()
            run, problem = _asked(project, searched.tests)
            seconds = time.perf_counter() - began
        finally:
            (root / "whet.toml").write_text(policy)
    preview = run.previews[0] if run and run.previews else None
    patch = preview.build.patch if preview and preview.build else None
    proven = bool(preview and preview.evidence and preview.evidence.verdict is Verdict.PASSED)
    answers = [entry.read(ModelAnswer) for entry in run.ledger.entries(kind="ModelAnswer")] if run else []
    cost = sum(answer.cost for answer in answers)
    return CaseResult(
        name=name,
        repair_green=is_green(searched),
        repair_right=None
        if case is None
        else bool(repaired and passes_hidden(project.git.tar(repaired.tree), _hidden(case))),
        green=patch is not None,
        proven=proven,
        right=None if case is None else bool(patch and passes_hidden(project.git.tar(patch.tree), _hidden(case))),
        answers=tuple(answer.edits for answer in answers),
        tokens=sum(answer.input_tokens + answer.output_tokens for answer in answers),
        cost=Decimal(cost) / Resource.MONEY.units_in_one,
        seconds=seconds,
        note=problem or (preview.build.note if preview and preview.build else "not asked"),
    )


def _policy(policy: str, options: argparse.Namespace, server: ScriptedModel | None) -> str:
    url = server.url if server else options.base_url
    prices = FREE if url else ""
    limits = "" if "[budget]" in policy else NO_LIMITS
    return policy + limits + AUTHOR.format(samples=options.samples, name=options.name, url=url, prices=prices)


def _asked(project: Project, tests: tuple[str, ...]) -> tuple[DryRun | None, str]:
    def only_model(engines: Engines) -> Engines:
        return replace(engines, proposers={"model": engines.proposers["model"]}, learners={})

    try:
        return run_unrecorded(project, tests=tests, prepare=only_model), ""
    except WhetError as problem:
        return None, problem.message


def summary(results: Sequence[CaseResult]) -> dict[str, str]:
    """Return how many cases each engine and both together fix, and what it costs."""
    total = len(results)
    counts = {
        "repair, green": sum(result.repair_green for result in results),
        "repair, right": sum(bool(result.repair_right) for result in results),
        "model, green": sum(result.green for result in results),
        "model, proven": sum(result.proven for result in results),
        "model, right": sum(bool(result.right) for result in results),
        "either, right": sum(bool(result.right or result.repair_right) for result in results),
    }
    shares = {name: f"{number} of {total}" for name, number in counts.items()}
    money = sum((result.cost for result in results), Decimal(0))
    seconds = sum(result.seconds for result in results)
    return {**shares, "model, cost": f"{money:f}", "model, time": f"{seconds:.0f} s"}


if __name__ == "__main__":
    main()
