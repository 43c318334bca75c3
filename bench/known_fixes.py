"""Measure known fixes: second occurrences that they mend, their time against repair, and false findings.

    python -m bench.known_fixes twins [CASE ...]    bugs of bench/bugs with other variable names, after the fix of the original
    python -m bench.known_fixes rewrites            the same without a sandbox: is the right rewrite among those that are tried,
                                                    with the fixes of all other bugs in the library and no place known?
    python -m bench.known_fixes clones FOLDER [N]   clone findings per 1,000 files of real packages, every Nth file

A twin is a second occurrence of the same bug: all local variables have other names, the function is the same, and the hidden tests
decide whether the patch is right. Every clone finding in an unrelated package counts as false.
"""

import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench.repair import BUGS, POLICY, commit, passes_hidden
from whet.app.cycles.repair import search
from whet.app.project import Project, open_project
from whet.config import ProposePolicy
from whet.domain.fix_example import FixExample
from whet.domain.pattern import Pattern
from whet.domain.place import Place
from whet.errors import WhetError
from whet.knowledge import clones
from whet.knowledge.candidates import FailureText, candidates
from whet.knowledge.examples import example_from
from whet.knowledge.library import Library, read_library
from whet.knowledge.rewrite import meaning
from whet.knowledge.similarity import similarity_of
from whet.knowledge.syntax import local_names
from whet.phases.diagnose.step import diagnose, find
from whet.phases.observe.step import observe
from whet.phases.propose.known_fix import KnownFix

SECONDS = 60.0


def examples() -> dict[str, FixExample]:
    """Return the bugs of the corpus whose fix has a rule."""
    found = {}
    for case in sorted(folder for folder in BUGS.iterdir() if folder.is_dir()):
        before, after = (case / "wrong.py").read_text(), (case / "right.py").read_text()
        if example := example_from(before, after, f"{case.name}.py", proposal=f"p-{case.name}", engine="repair"):
            found[case.name] = example
    return found


def renamed(source: str, line: int) -> str:
    """Return the source with other names for the local variables of the function around a line."""
    names, _ = local_names(source, line)
    for name in names - {"self", "cls"}:
        source = re.sub(rf"(?<![\w.'\"]){name}(?![\w'\"]|=[^=])", f"{name}_2", source)
    return source


def twins(names: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    for name, example in examples().items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
            root = Path(place)
            source = (BUGS / name / "wrong.py").read_text()
            line = source[: source.find(example.core_before.splitlines()[0])].count("\n") + 1
            (root / "tests").mkdir()
            (root / "whet.toml").write_text(POLICY)
            (root / f"{name}.py").write_text(renamed(source, line))
            shutil.copy(BUGS / name / "test_visible.py", root / "tests" / f"test_{name}.py")
            commit(root)
            yield _mended(open_project(root, local=True), name, example)


def rewrites() -> dict[str, Any]:
    """Count the twins whose right rewrite is among the candidates, if every line is equally suspicious."""
    known = examples()
    project_patterns = _library(known)
    found, first, offered = 0, 0, []
    for name, example in known.items():
        before, after = (BUGS / name / "wrong.py").read_text(), (BUGS / name / "right.py").read_text()
        line = before[: before.find(example.core_before.splitlines()[0])].count("\n") + 1
        twin, right = renamed(before, line), meaning(renamed(after, line))
        lines = range(1, len(twin.splitlines()) + 1)
        places = [Place(path=name, line=at, function="", suspicion=0.5, why="") for at in lines]
        tried = candidates(project_patterns, FailureText("", ""), places, {name: twin}, similarity_of(ProposePolicy()))
        ranks = [rank for rank, candidate in enumerate(tried) if meaning(candidate.source) == right]
        found, first = found + bool(ranks), first + (ranks[:1] == [0])
        offered.append(len(tried))
    return {"bugs": len(known), "right_among_tried": found, "right_first": first, "median_tried": median(offered)}


def _library(known: dict[str, FixExample]) -> Library:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        (Path(place) / "whet.toml").write_text(POLICY)
        commit(Path(place))
        project = open_project(Path(place), local=True)
        for name, example in known.items():
            project.ledger.append("learn", example, subject=name, key=f"{name}/learn/example")
        return read_library(project.ledger)


def _mended(project: Project, name: str, example: FixExample) -> dict[str, Any]:
    project.ledger.append("learn", example, subject=example.proposal, key=f"{example.proposal}/learn/example")
    base = project.git.resolve("HEAD")
    analyzers = project.engines.analyzers
    sources = {"tests": project.engines.sources["tests"]}
    findings = find(observe(base, sources, project.progress), analyzers, base)
    diagnoses = diagnose(findings, analyzers, base, project.policy.target, top=1)
    engine, began = KnownFix(project.kit), time.perf_counter()
    proposals = [proposal for each in diagnoses for proposal in engine.propose(each, base, "c-1")]
    seconds = time.perf_counter() - began
    patch = engine.build(proposals[0], frozenset()).patch if proposals else None
    began = time.perf_counter()
    try:
        repaired = search(project, [f"tests/test_{name}.py"], SECONDS).build
    except WhetError:
        repaired = None
    return {
        "case": name,
        "known_fix": patch is not None,
        "right": bool(patch and _is_right(project.git.tar(patch.tree), name)),
        "known_fix_seconds": round(seconds, 1),
        "repair": bool(repaired and repaired.patch),
        "repair_seconds": round(time.perf_counter() - began, 1),
    }


def _is_right(tree: bytes, name: str) -> bool:
    return passes_hidden(tree, (BUGS / name / "test_hidden.py").read_text())


def false_clones(folder: Path, every: int) -> dict[str, Any]:
    """Search real packages for clones of the corpus's bugs."""
    patterns: Sequence[Pattern] = _library(examples()).patterns
    files = [path for path in sorted(folder.rglob("*.py")) if path.stat().st_size < 500_000][::every]
    began, hits = time.perf_counter(), 0
    for path in files:
        hits += sum(1 for _ in clones.clones_in(path.read_text(errors="replace"), patterns))
    return {
        "patterns": len(patterns),
        "specific_enough": sum(bool(clones.clone_rules(pattern)) for pattern in patterns),
        "files": len(files),
        "findings": hits,
        "per_1000_files": round(1000 * hits / len(files), 2),
        "seconds": round(time.perf_counter() - began, 1),
    }


def main(arguments: Sequence[str]) -> None:
    if arguments[:1] == ["clones"]:
        print(json.dumps(false_clones(Path(arguments[1]), int(arguments[2]) if len(arguments) > 2 else 1)))
        return
    if arguments[:1] == ["rewrites"]:
        print(json.dumps(rewrites()))
        return
    for row in twins(arguments[1:]):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
