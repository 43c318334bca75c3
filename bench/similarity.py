"""Compare the texts by which known fixes are ordered: character trigrams, and the embeddings of whet[embeddings].

    python -m bench.similarity collect bugs.json ...   run the tests that real fixes turned green, write bench/similar_failures.json
    python -m bench.similarity compare                 precision and recall of both on that set

A bug of the input is one of `bench.mine`. Two failures are labelled the same if one fix turned both tests green, and different if two fixes
did. At most `MOST_IDS` failures of a fix count, so that no fix decides alone. The committed set has every fix that turned several tests green, and
every third of the others. The suites run without a sandbox, as in `bench.mine`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from bench.environments import environment
from bench.repair import between_releases
from whet.knowledge.similarity import trigram_similarity

LABELLED = Path(__file__).with_name("similar_failures.json")
MOST_IDS, MOST_CHARACTERS, SECONDS = 4, 300, 120
THRESHOLD = 0.8
_PLUGIN = "bench_failures"
_WRITES_FAILURES = """\
import json, os, pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    yield
    if call.excinfo is not None:
        kind, text = type(call.excinfo.value).__name__, str(call.excinfo.value)
        with open(os.environ["BENCH_FAILURES"], "a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, kind, text]) + "\\n")
"""


def collect(bugs: Sequence[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield the failures on the base of the tests that each fix turned green."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        for number, bug in enumerate(bugs):
            root = Path(place) / f"{number}-{bug['package']}"
            between_releases(bug, Path(place) / "releases", root)
            python = environment(bug["package"], bug["next"], root, Path(place) / "environments")
            fix = f"{bug['package']} {bug['next']} {bug['function']}"
            failures = list(_failures(python, root, bug["must_turn_green"][:MOST_IDS]))
            print(f"{fix}: {len(failures)} failures", file=sys.stderr, flush=True)
            for kind, text in failures:
                yield {"fix": fix, "exception": kind, "message": text[:MOST_CHARACTERS].replace(str(root), "")}


def _failures(python: Path, root: Path, tests: Sequence[str]) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        (Path(place) / f"{_PLUGIN}.py").write_text(_WRITES_FAILURES)
        written = Path(place) / "failures"
        written.touch()
        environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": place, "BENCH_FAILURES": str(written)}
        command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", _PLUGIN, "-o", "addopts=", *tests]
        try:
            subprocess.run(command, cwd=root, env=environ, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return
        for _, kind, text in map(json.loads, written.read_text(encoding="utf-8").splitlines()):
            yield kind, text


def compare(similarity: Callable[[str, str], float], failures: Sequence[dict[str, str]]) -> dict[str, Any]:
    """Return how well a similarity separates pairs of the same fix from pairs of different fixes.

    `precision_at_1` is what the ranking needs: of the failures that share their fix with another one, the share whose most similar
    failure is of the same fix. `within_exception` counts only pairs with the same exception, which decides first in whet.
    """
    scores = [
        (similarity(left["message"], right["message"]), left["fix"] == right["fix"], left["exception"] == right["exception"])
        for left, right in combinations(failures, 2)
    ]  # fmt: skip
    return {
        "pairs": len(scores),
        "same": sum(same for _, same, _ in scores),
        "at_0.8": _at(THRESHOLD, [(score, same) for score, same, _ in scores]),
        "within_exception_at_0.8": _at(THRESHOLD, [(score, same) for score, same, kin in scores if kin]),
        "average_precision": _average_precision([(score, same) for score, same, _ in scores]),
        "average_precision_within_exception": _average_precision([(score, same) for score, same, kin in scores if kin]),
        "precision_at_1": _nearest(similarity, failures),
    }


def _at(threshold: float, scores: Sequence[tuple[float, bool]]) -> dict[str, float]:
    similar, same = [is_same for score, is_same in scores if score >= threshold], sum(same for _, same in scores)
    return {
        "precision": round(sum(similar) / len(similar), 3) if similar else 0.0,
        "recall": round(sum(similar) / same, 3) if same else 0.0,
        "similar": len(similar),
    }


def _average_precision(scores: Sequence[tuple[float, bool]]) -> float:
    ranked = sorted(scores, key=lambda pair: (-pair[0], pair[1]))  # ties count against the similarity
    seen, precisions = 0, []
    for place, (_, same) in enumerate(ranked, 1):
        seen += same
        if same:
            precisions.append(seen / place)
    return round(mean(precisions), 3) if precisions else 0.0


def _nearest(similarity: Callable[[str, str], float], failures: Sequence[dict[str, str]]) -> float:
    right = []
    for failure in failures:
        others = [other for other in failures if other is not failure]
        if any(other["fix"] == failure["fix"] for other in others):
            best = max(
                others,
                key=lambda other: (similarity(failure["message"], other["message"]), other["fix"] != failure["fix"]),
            )
            right.append(best["fix"] == failure["fix"])
    return round(mean(right), 3)


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == ["collect"]:
        bugs = {json.dumps(bug): bug for name in arguments[1:] for bug in json.loads(Path(name).read_text())["bugs"]}
        about = "Failures on the release before of tests that one fix of a real package turned green; from bench.similarity collect."
        LABELLED.write_text(
            json.dumps({"about": about, "failures": list(collect(list(bugs.values())))}, indent=1) + "\n"
        )
        return
    from whet.knowledge.embeddings import Embeddings

    failures = json.loads(LABELLED.read_text())["failures"]
    print(json.dumps({"failures": len(failures), "fixes": len({failure["fix"] for failure in failures})}))
    for name, similarity in (("trigrams", trigram_similarity), ("embeddings", Embeddings())):
        print(json.dumps({name: compare(similarity, failures)}))


if __name__ == "__main__":
    main(sys.argv[1:])
