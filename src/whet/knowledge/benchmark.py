"""Run a declared benchmark on two trees in turn, and read the numbers that it prints."""

import random
import re
from collections.abc import Iterator

from whet.config import BenchmarkPolicy
from whet.errors import EnvironmentProblem
from whet.git.git import Git
from whet.target.command_files import CommandFiles
from whet.target.suite import Suite

_NUMBER = re.compile(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$", re.MULTILINE)

_TOO_LARGE = 1e100  # the ratio of two such numbers may be none


class Benchmark:
    """A declared benchmark. Its own files are taken from the base, so that a patch cannot change the measure."""

    def __init__(self, name: str, policy: BenchmarkPolicy, suite: Suite, git: Git) -> None:
        self.name, self._policy, self._suite = name, policy, suite
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
        command = [part.replace("{seed}", str(seed)) for part in self._policy.command]
        finished = self._suite.sandbox.run(self._suite.job(tree, command, self._policy.timeout_seconds))
        if finished.exit_code or finished.stopped_by:
            why = finished.problem or f"ended with {finished.exit_code}: {finished.output.strip()[-300:]}"
            raise EnvironmentProblem(f"the benchmark {self.name} {why}", "run its command by hand; see [benchmarks]")
        numbers = _NUMBER.findall(finished.output)
        if not numbers:
            raise EnvironmentProblem(
                f"the benchmark {self.name} printed no line with only a number on it",
                "print the measurement as one line",
            )
        return float(numbers[-1])

    def ratio(self, base: float, patched: float) -> float:
        """Return how much worse the patch is: above 1 is worse, whichever direction is better."""
        for number in (base, patched):
            if not 0 < number < _TOO_LARGE:
                raise EnvironmentProblem(
                    f"the benchmark {self.name} printed {number:g}", "a benchmark must print a number above 0"
                )
        return patched / base if self._policy.better == "lower" else base / patched


def _counted(first: int) -> Iterator[int]:
    while True:
        yield first
        first += 1
