"""Measure how well messages are grouped by template: `python -m bench.templates FOLDER`.

FOLDER holds the 2,000-line samples of Loghub 2.0 (`2k_dataset/`, from github.com/logpai/loghub-2.0; its licence asks for a notice
and allows research, so the data is not part of this repository). Printed are the grouping accuracy (GA: the share of lines whose
group is exactly right) and the F1 of groups (FGA), as the benchmark defines them.
"""

import csv
import sys
import time
from collections import defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path

from whet.statistics.drain import Drain

BAR = (0.775, 0.786)  # drain3 0.9.11 with eight masks, on the same files


def groups(labels: Sequence[Hashable]) -> set[frozenset[int]]:
    lines: dict[Hashable, list[int]] = defaultdict(list)
    for number, label in enumerate(labels):
        lines[label].append(number)
    return {frozenset(numbers) for numbers in lines.values()}


def accuracy(truth: Sequence[Hashable], found: Sequence[Hashable]) -> tuple[float, float]:
    """Return GA and FGA."""
    right, ours = groups(truth), groups(found)
    both = right & ours
    share = sum(map(len, both)) / len(truth)
    precision, recall = len(both) / len(ours), len(both) / len(right)
    return share, 2 * precision * recall / (precision + recall) if both else 0.0


def rows(folder: Path) -> list[tuple[str, list[str], list[str]]]:
    """Return for each system its name, its messages and their true templates."""
    result = []
    for path in sorted(folder.rglob("*_2k.log_structured_corrected.csv")):
        with path.open(newline="", encoding="utf-8") as stream:
            lines = list(csv.DictReader(stream))
        result.append(
            (path.parent.name, [line["Content"] for line in lines], [line["EventTemplate"] for line in lines])
        )
    return result


def main(folder: Path) -> int:
    total, results = 0.0, []
    for name, messages, truth in rows(folder):
        drain = Drain()
        began = time.process_time()
        found = [id(drain.cluster_of(message)) for message in messages]
        total += (time.process_time() - began) / len(messages)
        results.append(accuracy(truth, found))
        print(
            f"{name:14} GA {results[-1][0]:.3f}  FGA {results[-1][1]:.3f}  groups {len(set(found))} of {len(set(truth))}"
        )
    if not results:
        print(f"{folder} has no *_2k.log_structured_corrected.csv")
        return 2
    mean = [sum(column) / len(results) for column in zip(*results, strict=True)]
    print(
        f"{len(results)} systems: GA {mean[0]:.3f} (bar {BAR[0]}), FGA {mean[1]:.3f} (bar {BAR[1]}), {total / len(results) * 1e6:.0f} us a line"
    )
    return 0 if mean[0] >= BAR[0] and mean[1] >= BAR[1] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
