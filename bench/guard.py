"""False alarms of the guard on honest work: functions that real projects changed from one release to the next.

Every function that differs between two releases is applied to the older release as a change of its own. These projects
are trusted, so a blocked change is a false alarm. Changes of the kinds in `guard.denied` are counted apart: some of them
really are changes to security or access control.
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
from whet.guard.denied.rule import CODE as CATEGORY_DENIED
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
MOST_PER_PACKAGE = 60


def functions(text: str) -> dict[str, str]:
    """Return the source of every function and method by its dotted name; of duplicates the first."""
    sources: dict[str, str] = {}
    for node in ast.parse(text).body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for member in members:
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                sources.setdefault(f"{prefix}{member.name}", ast.unparse(member))
    return sources


def fixes(package: str, old: str, new: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield path, text before and text after for each function that differs between two releases."""
    before, after = fetch(package, old, folder), fetch(package, new, folder)
    for path in sorted(before.rglob("*.py")):
        name = path.relative_to(before)
        if "tests" in name.parts or "test" in name.parts or not (after / name).exists():
            continue
        old_text, new_text = path.read_text(), (after / name).read_text()
        old_functions, new_functions = functions(old_text), functions(new_text)
        for function in sorted(old_functions.keys() & new_functions.keys()):
            if old_functions[function] != new_functions[function]:
                changed = with_function_of(old_text, new_text, function)
                if changed != old_text:
                    yield name.as_posix(), old_text, changed


def severities(path: str, old: str, new: str) -> dict[str, set[str]]:
    """Return the findings on a change by severity; `denied` are those of `guard.denied`.

    The path is neutral, so that no rule about paths applies.
    """
    change = Change(
        path="pkg/module.py", status=ChangeStatus.MODIFIED, old_mode="100644", new_mode="100644",
        old_blob="a" * 40, new_blob="b" * 40, added_lines=1, removed_lines=1,
    )  # fmt: skip
    findings: dict[str, set[str]] = {"block": set(), "raise": set(), "note": set(), "denied": set()}
    texts = {"pkg/module.py": (old, new)}
    for finding in judge((change,), texts, category=Category.BUG_FIX, risk=Risk.LOW, policy=Config()):
        severity = "denied" if finding.rule == CATEGORY_DENIED else finding.severity
        findings[severity].add(f"{finding.rule}: {path}: {finding.reason}")
    return findings


def measure(*, show_findings: bool = False) -> list[Row]:
    """Return the shares of changes that are blocked or raised, and the time per change; `show_findings` prints the findings."""
    counts: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        changes: list[tuple[str, str, str]] = []
        for package, releases in RELEASES.items():
            changes += list(fixes(package, *releases, Path(name)))[:MOST_PER_PACKAGE]
        severities(*changes[0])  # the first call loads detect-secrets
        started = time.process_time()
        for change in changes:
            findings = severities(*change)
            worst = next((severity for severity, reasons in findings.items() if reasons), "none")
            counts[worst] += 1
            counts["denied"] += bool(findings["denied"]) and worst != "denied"
            for severity, reasons in findings.items():
                rules.update({f"{severity} {reason.partition(':')[0]}" for reason in reasons})
                if show_findings and severity != "note":
                    print(*(f"{severity} {reason}" for reason in reasons), sep="\n")
        seconds = (time.process_time() - started) / len(changes)
    if show_findings:
        print(rules)
    limits = {"block": 0.02, "raise": 0.05, "denied": 0.03}
    rows = [
        Row("guard", f"honest changes, severity {severity}", f"{counts[severity]}/{len(changes)}", f"at most {share:.0%}",
            counts[severity] / len(changes) / share)
        for severity, share in limits.items()
    ]  # fmt: skip
    return [
        *rows,
        Row("guard", "one change judged, processor time", f"{seconds * 1000:.1f} ms", "100 ms", seconds / 0.1),
    ]
