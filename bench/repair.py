"""Measure how often repair finds a patch, how often the patch is right, and how many candidates it tries a second.

    python -m bench.repair                     the corpus in bench/bugs, and the speed; part of `make bench`
    python -m bench.repair speed               only the speed
    python -m bench.repair corpus [CASE ...]   only the corpus, one line of JSON per case
    python -m bench.repair functions SET [...] short functions with injected bugs: dev, or held_out, whose cases nobody
                                               reads while edits are written; the figures go to standard error
    python -m bench.repair real BUGS.json [N]  bugs that real projects fixed between two releases: a list of objects
                                               with package, base, next, file, function, must_turn_green
                                               (bench/released.json is such a list; bench.mine finds more)
    python -m bench.repair FOLDER [TEST ...]   any checkout with a failing suite

Every run of cases leaves a record, one line of JSON per case, in build/bench. The speed is compared with a cold
`python -m pytest` per candidate, and with mutmut on the same package and tests.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.environments import environment
from bench.functions import BugCase
from bench.functions import cases as function_cases
from bench.releases import fetch
from bench.table import Row, show
from whet.app.cycles.repair import RepairSearch, search
from whet.app.project import open_project
from whet.domain.place import Place
from whet.errors import WhetError
from whet.git.git import Git
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints
from whet.target.warm_pool import WarmPool

BUGS = Path(__file__).parent / "bugs"
RECORDS = Path("build/bench")
_LINTERS = re.compile(r"^\s*addopts.*--(pep8|flake8|mypy|pylint|isort|black|pycodestyle|pydocstyle)\b", re.MULTILINE)
_COLLECTED = ("test_*.py", "*_test.py")
SECONDS = 60.0
FAST, CANDIDATES = "spelling_distance", 400
FAST_TESTS = [f"tests/test_{FAST}.py::test_extra_letters_in_front"]
FILES, ROUNDS = (50, 500), 3
POLICY = '[tests]\nfolders = ["tests"]\n'


@dataclass(frozen=True)
class CorpusResult:
    """The outcome of repair for one bug of the corpus.

    `first`, `seconds` and `cpu` are times in seconds. `doubtful` is the best patch of those that were not shown.
    """

    name: str
    kind: str
    green: bool
    shown: bool
    right: bool
    first: float
    seconds: float
    cpu: float
    tried: int
    note: str
    patch: str
    doubtful: str = ""


def corpus(names: Sequence[str] = ()) -> Iterator[CorpusResult]:
    """Repair every bug of the corpus."""
    folders = [folder for folder in sorted(BUGS.iterdir()) if folder.is_dir()]
    yield from repaired([_case(folder) for folder in folders], names)


def _case(folder: Path) -> BugCase:
    files = ("kind.txt", "wrong.py", "test_visible.py", "test_hidden.py")
    kind, wrong, shown, hidden = ((folder / name).read_text() for name in files)
    return BugCase(folder.name, kind.strip(), wrong, shown, hidden)


def repaired(cases: Sequence[BugCase], names: Sequence[str] = ()) -> Iterator[CorpusResult]:
    """Repair the cases, or those of the names, in one repository; a patch is right if the hidden tests pass."""
    chosen = [case for case in cases if not names or case.name in names]
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        root = Path(place)
        (root / "tests").mkdir()
        (root / "whet.toml").write_text(POLICY)
        for case in chosen:
            (root / f"{case.name}.py").write_text(case.wrong)
            (root / "tests" / f"test_{case.name}.py").write_text(case.shown)
        commit(root)
        for case in chosen:
            yield _repaired(root, case)


def _repaired(root: Path, case: BugCase) -> CorpusResult:
    project = open_project(root)
    began, cpu = time.perf_counter(), _cpu_seconds()
    searched = search(project, [f"tests/test_{case.name}.py"], SECONDS)
    seconds, cpu = time.perf_counter() - began, _cpu_seconds() - cpu
    patch = searched.build.patch if not searched.build.left_red else None
    right = patch is not None and passes_hidden(project.git.tar(patch.tree), case.hidden)
    doubtful = searched.build.unconvincing[:1]
    return CorpusResult(
        case.name, case.kind, is_green(searched), patch is not None, right, searched.build.first_seconds, seconds, cpu,
        searched.build.tried, searched.build.note, patch.diff if patch else "", *(item.diff for item in doubtful),
    )  # fmt: skip


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the processes that it waited for; on a loaded machine, wall time misleads."""
    return sum(os.times()[:4])


def is_green(searched: RepairSearch) -> bool:
    """True if a patch turned the tests green and broke no others, whether or not it was convincing."""
    build = searched.build
    return bool((build.patch and not build.left_red) or build.unconvincing)


def passes_hidden(tree: bytes, hidden: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        subprocess.run(["tar", "-xf", "-"], input=tree, cwd=place, check=True)
        (Path(place) / "test_hidden.py").write_text(hidden)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_hidden.py"]
        try:
            return subprocess.run(command, cwd=place, capture_output=True, check=False, timeout=60).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def commit(root: Path) -> None:
    git = Git(root)
    git.ask("init", "--quiet", "--initial-branch=main")
    git.ask("add", "--all", "--force")
    git.ask("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "base")


def measure() -> list[Row]:
    return [*speed(), *quality()]


def speed() -> list[Row]:
    """Measure candidates a second for one function and its tests. The rounds of the contestants alternate."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        small, large = (_package(Path(place) / str(files), files) for files in FILES)
        warm = [(_warm_rate(small), _cold_rate(small), _warm_rate(large)) for _ in range(ROUNDS)]
        shutil.copy(BUGS / FAST / "right.py", small / f"{FAST}.py")
        theirs = _mutmut_rate(small)
        ours = median([*(rate for rate, _, _ in warm), _warm_rate(small)])
    cold, big = median(rate for _, rate, _ in warm), median(rate for _, _, rate in warm)
    ratios = [rate / slow for rate, slow, _ in warm]
    return [
        Row("repair", "candidates a second", f"{ours:.0f}", f"cold pytest, as many workers {cold:.1f}", median(ratios)),
        Row("repair", "candidates a second", f"{ours:.0f}", f"mutmut {theirs:.1f}", ours / theirs),
        Row("repair", f"with {FILES[1]} files in the package", f"{big:.0f}", f"with {FILES[0]} files {ours:.0f}",
            median(large / rate for rate, _, large in warm)),
    ]  # fmt: skip


def _package(root: Path, files: int) -> Path:
    """Create a package of the case and many unrelated files, half of them tests."""
    (root / "tests").mkdir(parents=True)
    (root / "others").mkdir()
    (root / "whet.toml").write_text(POLICY)
    for number in range(files // 2 - 1):
        shutil.copy(BUGS / FAST / "right.py", root / "others" / f"part_{number}.py")
        (root / "tests" / f"test_part_{number}.py").write_text(
            f"from others.part_{number} import suggest\n\n\ndef test_part():\n    assert suggest('a', ['a']) == ['a']\n"
        )
    shutil.copy(BUGS / FAST / "wrong.py", root / f"{FAST}.py")
    shutil.copy(BUGS / FAST / "test_visible.py", root / "tests" / f"test_{FAST}.py")
    commit(root)
    return root


def _warm_rate(root: Path) -> float:
    """Measure as the search tries candidates: the failing tests of the case, on every core."""
    project = open_project(root)
    source = (BUGS / FAST / "wrong.py").read_text()
    places = [
        Place(path=f"{FAST}.py", line=line, function="", suspicion=0.5, why="")
        for line in range(1, len(source.splitlines()) + 1)
    ]
    batch = list(islice(candidates(f"{FAST}.py", source, places, Hints()), CANDIDATES))
    with WarmPool(project.kit.suite, project.git.tree_of("HEAD"), os.cpu_count() or 1, 600) as warm:
        # enough runs for every worker to start
        warm.run([{}] * 4 * warm.width, FAST_TESTS, 30.0, stop_early=True, swift=True)
        began = time.perf_counter()
        warm.run([{item.path: item.source} for item in batch], FAST_TESTS, 5.0, stop_early=True, swift=True)
        return len(batch) / (time.perf_counter() - began)


def _cold_rate(root: Path) -> float:
    """Measure the same tests, each run in a new process, with as many processes at a time."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *FAST_TESTS]
    width = os.cpu_count() or 1
    began = time.perf_counter()
    for _ in range(4):
        running = [subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) for _ in range(width)]
        for child in running:
            child.wait()
    return 4 * width / (time.perf_counter() - began)


def _mutmut_rate(root: Path) -> float:
    """Return the rate that mutmut reports. It has its own environment, since it does not run with every pytest."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        python = Path(place) / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "mutmut>=3.8,<4", "pytest<9"], check=True, capture_output=True
        )
        (root / "setup.cfg").write_text(
            f"[mutmut]\nsource_paths={FAST}.py\npytest_add_cli_args_test_selection=tests/test_{FAST}.py\n"
        )
        process = subprocess.run([python, "-m", "mutmut", "run"], cwd=root, capture_output=True, text=True, check=True)
    rate = re.search(r"([\d.]+) mutations/second", process.stdout)
    if rate is None:
        raise SystemExit(f"mutmut did not report its rate: {process.stdout[-500:]}")
    return float(rate[1])


def quality() -> list[Row]:
    return corpus_rows(list(corpus()), "corpus")


def corpus_rows(results: Sequence[CorpusResult], what: str) -> list[Row]:
    green = [result for result in results if result.green]
    right, shown = (sum(values) for values in zip(*((result.right, result.shown) for result in results), strict=True))
    firsts, seconds = [result.first for result in green], [result.seconds for result in results]
    share = len(results)
    return [
        Row("repair", f"{what} of {share}: green", str(len(green)), f"of {share}", len(green) / share),
        Row("repair", f"{what}: right by hidden tests", str(right), f"of {share}", right / share),
        Row("repair", f"{what}: right where shown", str(right), f"of {shown}", right / max(shown, 1)),
        *(_spread(f"{what}: {kind}", values) for kind, values in (("first green", firsts), ("final answer", seconds))),
    ]


def _spread(what: str, values: list[float]) -> Row:
    middle, late = (median(values), _p95(values)) if values else (0.0, 0.0)
    return Row("repair", f"{what}, median", f"{middle:.1f} s", f"p95 {late:.1f} s", middle / late if late else 1.0)


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def real(bugs: Path, numbers: Sequence[str]) -> Iterator[tuple[dict[str, Any], RepairSearch | str, float]]:
    """Repair the source of each release with the tests of the next one; yield the bug, the result and the seconds."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        folder = Path(place)
        listed = json.loads(bugs.read_text())
        for number, bug in enumerate(listed["bugs"] if isinstance(listed, dict) else listed):
            if numbers and str(number) not in numbers:
                continue
            root = folder / f"{bug['package']}-{number}"
            between_releases(bug, folder / "releases", root)
            python = environment(bug["package"], bug["next"], root, folder / "environments")
            (root / "whet.toml").write_text(f'[target]\ninterpreter = "{python}"\n{_tests(bug, root)}')
            commit(root)
            began = time.perf_counter()
            try:
                yield bug, search(open_project(root), bug["must_turn_green"], SECONDS), time.perf_counter() - began
            except WhetError as problem:
                yield bug, problem.message, time.perf_counter() - began


def _tests(bug: dict[str, Any], root: Path) -> str:
    """Return test settings that name files which pytest would not collect, and switch off linters that run as tests."""
    files = {test.partition("::")[0] for test in bug["must_turn_green"]}
    unusual = {file for file in files if not any(fnmatch(Path(file).name, usual) for usual in _COLLECTED)}
    settings = [path.read_text(errors="replace") for path in root.iterdir() if path.suffix in (".cfg", ".ini", ".toml")]
    args = ["-o", "addopts="] if any(map(_LINTERS.search, settings)) else []
    return f"[tests]\nfolders = {json.dumps(sorted(unusual))}\nargs = {json.dumps(args)}\n"


def between_releases(bug: dict[str, Any], releases: Path, root: Path) -> None:
    """Create a checkout with the source of one release and the tests of the next."""
    base, following = (fetch(bug["package"], bug[which], releases) for which in ("base", "next"))
    shutil.copytree(base, root, symlinks=True)
    for path in [path for path in root.rglob("*") if path.is_file() and is_test(path.relative_to(root))]:
        path.unlink()
    for path in following.rglob("*"):
        place = path.relative_to(following)
        if path.is_file() and is_test(place):
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / place)


def is_test(path: Path) -> bool:
    folders = {"tests", "test", "testing"}.intersection(path.parts[:-1])
    return bool(folders) or path.name.startswith("test_") or path.name in ("tests.py", "conftest.py")


def _show(searched: RepairSearch, *, seconds: float) -> None:
    patch = searched.build.patch
    print(f"{len(searched.tests)} failing; {searched.build.note}; {seconds:.1f} s")
    print(patch.diff if patch else "no patch")
    for unconvincing in searched.build.unconvincing[:1]:
        print(f"not shown, because it is not convincing:\n{unconvincing.diff}")
    sys.stdout.flush()


def _measured(results: Sequence[tuple[RepairSearch | str, float]], what: str) -> list[Row]:
    """Return the rows of a measurement without hidden tests, which cannot say whether a patch is right."""
    tried = [(result, seconds) for result, seconds in results if not isinstance(result, str)]
    green = [searched for searched, _ in tried if is_green(searched)]
    shown = sum(searched.build.patch is not None for searched in green)
    return [
        Row("repair", f"{what}: green", str(len(green)), f"of {len(results)}", len(green) / max(len(results), 1)),
        Row("repair", f"{what}: shown", str(shown), f"of {len(green)} green", shown / max(len(green), 1)),
        _spread(f"{what}: first green", [searched.build.first_seconds for searched in green]),
        _spread(f"{what}: final answer", [seconds for _, seconds in tried]),
    ]


def _checkout(folder: Path, tests: Sequence[str]) -> list[tuple[RepairSearch | str, float]]:
    project = open_project(folder)
    if not tests:
        report = project.kit.suite.run(project.git.tree_of(project.git.resolve(project.ref)), fresh=False)
        tests = sorted({test.partition("[")[0] for test in report.red if "::" in test})
    results: list[tuple[RepairSearch | str, float]] = []
    for test in tests:
        began = time.perf_counter()
        searched = search(project, [test], SECONDS)
        results.append((searched, time.perf_counter() - began))
        _show(searched, seconds=results[-1][1])
    return results


def _releases(bugs: Path, numbers: Sequence[str]) -> list[tuple[RepairSearch | str, float]]:
    results: list[tuple[RepairSearch | str, float]] = []
    keep = recorder("real")
    for bug, result, seconds in real(bugs, numbers):
        keep({"bug": bug, "seconds": seconds, **_plain(result)})
        print(f"== {bug['package']} {bug['base']} {bug['function']}")
        if isinstance(result, str):
            print(f"not tried: {result}")
        else:
            _show(result, seconds=seconds)
        results.append((result, seconds))
    return results


def _functions(arguments: Sequence[str]) -> Iterator[CorpusResult]:
    name, *names = arguments
    return repaired(function_cases(name), names)


def recorder(what: str) -> Callable[[dict[str, Any]], None]:
    """Return a function that adds an object to the record of this run: a new file of JSON lines in `RECORDS`."""
    RECORDS.mkdir(parents=True, exist_ok=True)
    path = RECORDS / f"repair-{what.replace(' ', '-')}-{time.strftime('%Y%m%dT%H%M%S')}.jsonl"
    print(f"the record of this run is {path}", file=sys.stderr)

    def keep(item: dict[str, Any]) -> None:
        with path.open("a") as file:
            file.write(json.dumps(item) + "\n")

    return keep


def _plain(result: RepairSearch | str) -> dict[str, Any]:
    if isinstance(result, str):
        return {"not_tried": result}
    build = result.build
    doubtful = [patch.diff for patch in build.unconvincing[:1]]
    return {
        "tests": result.tests, "green": is_green(result), "patch": build.patch.diff if build.patch else "",
        "doubtful": doubtful, "note": build.note, "tried": build.tried, "first": build.first_seconds,
    }  # fmt: skip


def _record(results: Iterable[CorpusResult], what: str) -> None:
    """Print one line of JSON per result, and the figures to standard error."""
    done, keep = [], recorder(what)
    for result in results:
        keep(vars(result))
        print(json.dumps(vars(result)), flush=True)
        done.append(result)
    print(show(corpus_rows(done, what)), file=sys.stderr)


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        print(show(measure()))
    elif arguments[0] == "speed":
        print(show(speed()))
    elif arguments[0] in ("corpus", "functions"):
        _record((corpus if arguments[0] == "corpus" else _functions)(arguments[1:]), " ".join(arguments[:2]))
    elif arguments[0] == "real":
        print(show(_measured(_releases(Path(arguments[1]), arguments[2:]), "real bugs")))
    else:
        print(show(_measured(_checkout(Path(arguments[0]).resolve(), arguments[1:]), "checkout")))


if __name__ == "__main__":
    main(sys.argv[1:])
