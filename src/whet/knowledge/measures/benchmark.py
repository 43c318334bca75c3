"""Run a benchmark on two trees in turn, and read the numbers that it prints."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import PurePosixPath

from whet.config import BenchmarkPolicy
from whet.domain.timed_calls import TimedCalls
from whet.errors import EnvironmentProblem, UsageError
from whet.git.git import Git
from whet.kit import Kit
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.statistics.paired import PairedResult, compare, interval
from whet.target.command_files import CommandFiles
from whet.target.suite import NO_OVERLAY, Overlay, Suite

_NUMBER = re.compile(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$", re.MULTILINE)

_TOO_LARGE = 1e100  # the ratio of two such numbers may be none
_FRESH = 1_000_000  # the first seed of a confirmation; searches stay far below it


class Benchmark:
    """A declared benchmark. Its own files are taken from the base, so that a patch cannot change the measure.

    `planted` are files that replace those of every tree: the script of a benchmark that whet wrote itself.
    """

    def __init__(
        self, name: str, policy: BenchmarkPolicy, suite: Suite, git: Git, planted: Overlay = NO_OVERLAY
    ) -> None:
        self.name, self._policy, self._suite, self._planted = name, policy, suite, planted
        self._own = CommandFiles(f"the benchmark {name}", policy.command, policy.files, git)

    def pairs(self, base: str, patched: str, first_seed: int) -> Iterator[tuple[float, float]]:
        """Yield (base, patched) measurements, each pair with the same new seed, in random order. Never ends by itself."""
        held = self._own.from_base(patched, base)
        order = random.Random(first_seed)  # noqa: S311 - decides only which of two runs comes first
        for seed in _counted(first_seed):
            if order.random() < 0.5:
                left = self.measure(base, seed)
                yield left, self.measure(held, seed)
            else:
                right = self.measure(held, seed)
                yield self.measure(base, seed), right

    def measure(self, tree: str, seed: int) -> float:
        """Run the benchmark once in the sandbox. Raise EnvironmentProblem if it fails or prints no number."""
        numbers = _NUMBER.findall(self._run(tree, self._command(seed), self._policy.timeout_seconds))
        if not numbers:
            raise EnvironmentProblem(
                f"the benchmark {self.name} printed no line with only a number on it",
                "print the measurement as one line",
            )
        return float(numbers[-1])

    def holds(self, path: str) -> bool:
        """True if the path is a part of the measure and not of the measured program."""
        return path in self._planted or self._own.hold(path)

    def profile(self, tree: str) -> str:
        """Run the benchmark once under Python's profiler and return its output; `inside/time_functions.py` writes the last line."""
        python, *rest = self._command(0)
        starts_python = PurePosixPath(python).name.startswith("python")
        if not starts_python or not rest or (rest[0].startswith("-") and rest[0] != "-m"):
            raise UsageError(
                f"the command of {self.name} does not start a Python script or module, so nothing shows where its time goes",
                "begin the command with `python SCRIPT` or `python -m MODULE`",
            )
        command = [python, f"{INSIDE_AT}/time_functions.py", *rest]
        return self._run(tree, command, 10 * self._policy.timeout_seconds)

    def _command(self, seed: int) -> list[str]:
        return [part.replace("{seed}", str(seed)) for part in self._policy.command]

    def _run(self, tree: str, command: list[str], seconds: int) -> str:
        finished = self._suite.sandbox.run(self._suite.job(tree, command, seconds, self._planted))
        if finished.exit_code or finished.stopped_by:
            why = finished.problem or f"ended with {finished.exit_code}: {finished.output.strip()[-300:]}"
            raise EnvironmentProblem(f"the benchmark {self.name} {why}", "run its command by hand; see [benchmarks]")
        return finished.output

    def ratio(self, base: float, patched: float) -> float:
        """Return how much worse the patch is: above 1 is worse, whichever direction is better."""
        for number in (base, patched):
            if not 0 < number < _TOO_LARGE:
                raise EnvironmentProblem(
                    f"the benchmark {self.name} printed {number:g}", "a benchmark must print a number above 0"
                )
        return patched / base if self._policy.better == "lower" else base / patched


def declared_benchmark(name: str, kit: Kit) -> Benchmark:
    return Benchmark(name, kit.policy.benchmarks.declared[name], kit.suite, kit.git)


def benchmark_of_calls(timed: TimedCalls, kit: Kit) -> Benchmark:
    """Return the benchmark that runs a tool's captured calls; its script replaces a file of that name in every tree."""
    policy = BenchmarkPolicy(command=("python", timed.path, "{seed}"))
    return Benchmark(timed.name, policy, kit.suite, kit.git, {timed.path: timed.text.encode()})


class BenchmarkObjective:
    """A benchmark as the objective of a search: `margin` is the least gain that counts."""

    def __init__(self, benchmark: Benchmark, kit: Kit) -> None:
        self._benchmark, self._policy, self._progress = benchmark, kit.policy.benchmarks, kit.progress
        self.margin = self._policy.margin_percent / 100
        self.measure: Callable[[str, int], float] = benchmark.measure
        self.ratio: Callable[[float, float], float] = benchmark.ratio

    def confirm(self, base: str, changed: str) -> tuple[PairedResult, str]:
        """Compare the trees with seeds that the search has not used."""
        most, ratios = self._policy.most_pairs, list[float]()
        comparison = PairedResult.OPEN
        for before, after in islice(self._benchmark.pairs(base, changed, _FRESH), most):
            ratios.append(self._benchmark.ratio(before, after))
            self._progress.advance("confirming", len(ratios), most)
            comparison = compare(ratios, self.margin)
            if comparison in (PairedResult.BETTER, PairedResult.WORSE):
                break
        return comparison, f"{comparison} by {interval(ratios)} in {len(ratios)} pairs"


def _counted(first: int) -> Iterator[int]:
    while True:
        yield first
        first += 1
