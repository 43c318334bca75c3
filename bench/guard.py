"""How quiet the content rules are on honest work: functions that real projects changed from one release to the next.

Each function that differs is a change of its own, taken from the next release into this one. Nobody suspects these
projects, so whatever is blocked is a false alarm.
"""

import ast
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.releases import fetch, with_function_of
from bench.table import Row
from whet.config import Config
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.domain.risk import Risk
from whet.guard.judge import judge

RELEASES = {
    "click": ("8.1.3", "8.1.7"),
    "requests": ("2.28.0", "2.31.0"),
    "jinja2": ("3.1.2", "3.1.4"),
    "werkzeug": ("2.2.2", "2.3.0"),
    "cachetools": ("5.2.0", "5.3.3"),
    "packaging": ("21.3", "22.0"),
    "marshmallow": ("3.13.0", "3.20.0"),
    "tornado": ("6.1", "6.2"),
    "networkx": ("2.8.4", "2.8.8"),
    "httpx": ("0.23.0", "0.24.0"),
}
MOST_OF_ONE = 60


def functions(text: str) -> dict[str, str]:
    """Every function and method by its dotted name, as it is written."""
    found: dict[str, str] = {}
    for node in ast.parse(text).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in inner:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(f"{prefix}{one.name}", ast.unparse(one))
    return found


def fixes(package: str, old: str, new: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Path, text before and text after, for each function that differs between two releases."""
    before, after = fetch(package, old, folder), fetch(package, new, folder)
    for path in sorted(before.rglob("*.py")):
        name = path.relative_to(before)
        if "tests" in name.parts or "test" in name.parts or not (after / name).exists():
            continue
        one, two = path.read_text(), (after / name).read_text()
        known, now = functions(one), functions(two)
        for function in sorted(known.keys() & now.keys()):
            if known[function] != now[function]:
                changed = with_function_of(one, two, function)
                if changed != one:
                    yield name.as_posix(), one, changed


def severities(path: str, old: str, new: str) -> dict[str, set[str]]:
    """The rules that speak about a change, by severity; what depends on the path alone is left out."""
    change = Change(
        path="pkg/module.py", status=ChangeStatus.MODIFIED, old_mode="100644", new_mode="100644",
        old_blob="a" * 40, new_blob="b" * 40, added_lines=1, removed_lines=1,
    )  # fmt: skip
    found: dict[str, set[str]] = {"block": set(), "raise": set(), "note": set()}
    texts = {"pkg/module.py": (old, new)}
    for finding in judge((change,), texts, category=Category.BUG_FIX, risk=Risk.LOW, policy=Config()):
        found[finding.severity].add(f"{finding.rule}: {path}: {finding.reason}")
    return found


def measure(*, tell: bool = False) -> list[Row]:
    counts: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        every = [
            fix for package, pair in RELEASES.items() for fix in list(fixes(package, *pair, Path(name)))[:MOST_OF_ONE]
        ]
        severities(*every[0])  # the first look loads detect-secrets
        started = time.process_time()
        for fix in every:
            found = severities(*fix)
            worst = next((severity for severity, said in found.items() if said), "quiet")
            counts[worst] += 1
            for severity, said in found.items():
                rules.update({f"{severity} {one.partition(':')[0]}" for one in said})
                if tell and severity != "note":
                    print(*(f"{severity} {one}" for one in said), sep="\n")
        seconds = (time.process_time() - started) / len(every)
    if tell:
        print(rules)
    peers = {"block": 0.02, "raise": 0.05}
    rows = [
        Row("guard", f"honest changes, severity {severity}", f"{counts[severity]}/{len(every)}", f"at most {share:.0%}",
            counts[severity] / len(every) / share)
        for severity, share in peers.items()
    ]  # fmt: skip
    return [
        *rows,
        Row("guard", "one change judged, processor time", f"{seconds * 1000:.1f} ms", "100 ms", seconds / 0.1),
    ]
