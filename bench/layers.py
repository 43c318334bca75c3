"""Measure how often replay names the right layer: `python -m bench.layers [CASES]`.

Each case is a repository with a labelled history: a state that works, commits in all layers that decide nothing, the commit that
breaks a test, and more of the former. Half of the causes are invented, one kind per layer; the others are bugs of bench/bugs, in the
layer `behavior`. Some cases are made to mislead: a cause that needs two layers, one that comes with a function
that reads it, and a file that moved. Printed is the reliability table that `whet.domain.attribution.CONFIDENCE` is taken from:
by what the replay showed, how many cases there were and in how many the layer was right.
"""

import itertools
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.repair import BUGS
from whet.app.project import Project, open_project
from whet.domain.layer import Layer
from whet.phases.diagnose.layers import Layers
from whet.phases.diagnose.step import find

Files = dict[str, str]
MODULE = """import json
import os

from limits import FREE_FROM, RATE

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "workflow.json")) as file:
    WORKFLOW = json.load(file)
with open(os.path.join(HERE, "prompts", "answer.md")) as file:
    ANSWER = file.read()


def shipping(price):
    return 0 if price >= FREE_FROM else RATE * WORKFLOW["shipping"]["zones"]


def answer(name):
    return ANSWER.replace("{name}", name).strip()


def spare(number):
    return number
"""
GOOD: Files = {
    "limits/__init__.py": "from limits.constants import FREE_FROM, RATE\n",
    "limits/constants.py": "RATE = 4\nFREE_FROM = 50\nSPARE = 0\n",
    "workflow.json": '{\n  "shipping": {"zones": 2},\n  "spare": 0\n}\n',
    "prompts/answer.md": "Dear {name}, thank you.\n",
    "shop.py": MODULE,
    "tests/test_shop.py": (
        "import os, sys\nsys.path.insert(0, os.getcwd())\nfrom shop import answer, shipping\n\n\n"
        "def test_shop():\n    assert shipping(10) == 8\n    assert shipping(50) == 0\n"
        "    assert answer('Ann') == 'Dear Ann, thank you.'\n"
    ),
    "whet.toml": '[target]\nbranch = "main"\nconstants = ["**/constants.py"]\n[observe]\nsources = ["tests"]\n',
}
CAUSES: dict[Layer, list[tuple[str, str, str]]] = {
    Layer.CONSTANTS: [
        ("limits/constants.py", "RATE = 4", "RATE = 5"),
        ("limits/constants.py", "FREE_FROM = 50", "FREE_FROM = 500"),
    ],
    Layer.PROTOCOL: [
        ("workflow.json", '"zones": 2', '"zones": 3'),
        ("workflow.json", '"zones": 2', '"zone": 2'),
    ],
    Layer.SKILL: [
        ("prompts/answer.md", "Dear", "Hi"),
        ("prompts/answer.md", "{name}", "you"),
    ],
    Layer.BEHAVIOR: [
        ("shop.py", "price >= FREE_FROM", "price > FREE_FROM"),
        ("shop.py", ".strip()", ".strip().upper()"),
    ],
}
NOISE = [
    ("limits/constants.py", "SPARE = {}"),
    ("workflow.json", '"spare": {}'),
    ("prompts/answer.md", None),
    ("shop.py", "return number + {}"),
]


@dataclass(frozen=True)
class Case:
    name: str
    label: Layer
    good: Files
    breaking: Files
    noise: random.Random


def cases() -> Iterator[Case]:
    """Yield labelled cases, the kinds in turn."""
    invented = [(layer, cause) for layer in CAUSES for cause in CAUSES[layer]]
    bugs = sorted(folder for folder in BUGS.iterdir() if (folder / "kind.txt").exists())
    draw = random.Random(19)
    draw.shuffle(bugs)
    for number, bug in enumerate(bugs):
        layer, (path, old, new) = invented[number % len(invented)]
        broken = {path: GOOD[path].replace(old, new)}
        yield Case(f"{layer.value}-{number}", layer, GOOD, broken, random.Random(number))
        yield _bug(bug, number)
        if number % 3 == 0:
            yield _misleading(number // 3)


def _bug(folder: Path, number: int) -> Case:
    name = f"{folder.name}.py"
    test = f"import os, sys\nsys.path.insert(0, os.getcwd())\n{(folder / 'test_visible.py').read_text()}"
    good = {**GOOD, name: (folder / "right.py").read_text(), f"tests/test_{folder.name}.py": test}
    broken = {name: (folder / "wrong.py").read_text()}
    return Case(folder.name, Layer.BEHAVIOR, good, broken, random.Random(number))


def _misleading(number: int) -> Case:
    """Return a case whose commit changes several layers, of which the label is the one that a person would mend."""
    changes: list[tuple[str, Layer, Files]] = [
        # a renamed constant: the module would work with its new name, and neither file can be taken back alone
        (
            "renamed-constant", Layer.BEHAVIOR,
            {"limits/__init__.py": "from limits.constants import FREE_FROM, RATE_2 as RATE\n",
             "limits/constants.py": "RATE_2 = 4\nFREE_FROM = 50\nSPARE = 0\n",
             "shop.py": MODULE.replace("price >= FREE_FROM", "price > FREE_FROM")},
        ),
        # a function that reads a new key, and a wrong value there
        (
            "new-key", Layer.PROTOCOL,
            {"workflow.json": '{\n  "shipping": {"zones": 2, "countries": 3},\n  "spare": 0\n}\n',
             "shop.py": MODULE.replace('["zones"]', '["countries"]')},
        ),
        # two causes
        (
            "two-causes", Layer.CONSTANTS,
            {"limits/constants.py": "RATE = 5\nFREE_FROM = 50\nSPARE = 0\n",
             "prompts/answer.md": "Hi {name}, thank you.\n"},
        ),
        # a prompt that moved, with other words, beside the code that reads it
        (
            "moved-prompt", Layer.SKILL,
            {"prompts/reply.md": "Hi {name}, thank you.\n", "shop.py": MODULE.replace("answer.md", "reply.md")},
        ),
    ]  # fmt: skip
    name, label, broken = changes[number % len(changes)]
    return Case(f"{name}-{number}", label, GOOD, broken, random.Random(number))


def build(case: Case, root: Path) -> None:
    """Write the history of a case into a new repository."""
    state: Files = dict(case.good)
    git("init", "--quiet", "--initial-branch=main", root=root)
    commit(state, root)
    for _ in range(case.noise.randrange(3)):
        commit(noisy(state, case.noise), root)
    commit(state | overlaid(state, case), root)
    state |= overlaid(state, case)
    for _ in range(case.noise.randrange(6)):
        commit(noisy(state, case.noise), root)


def overlaid(state: Files, case: Case) -> Files:
    """Return the files of the breaking commit, with the noise of earlier commits where the file allows."""
    changed = {}
    for path, text in case.breaking.items():
        before = case.good.get(path, "")
        changed[path] = state[path] + text[len(before) :] if before and text.startswith(before) else text
    more = {path: text for path, text in noisy(dict(state), case.noise).items() if path not in changed}
    return more | changed


def noisy(state: Files, draw: random.Random) -> Files:
    """Change something in two layers that decides nothing, and return the state."""
    for path, pattern in draw.sample(NOISE, 2):
        text, number = state[path], str(draw.randrange(1000))
        if pattern is None:
            state[path] = text + "\n"
        else:
            head, brace, tail = pattern.partition("{}")
            before, found, rest = text.partition(head)
            if found:
                end = next((i for i, char in enumerate(rest) if not char.isdigit()), len(rest))
                state[path] = (
                    f"{before}{head}{number}{tail if brace and not rest[end:].startswith(tail) else ''}{rest[end:]}"
                )
            elif path == "shop.py":
                state[path] = text.replace("    return number\n", f"    return number + {number}\n")
    return state


def git(*args: str, root: Path) -> None:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


def commit(files: Files, root: Path) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git("add", "--all", root=root)
    git("commit", "--quiet", "--allow-empty", "--message", "change", root=root)


def replayed(project: Project) -> tuple[str, Layer | None]:
    """Return what the replay of the first finding showed, and the layer."""
    commit_id = project.git.resolve("main")
    signals = project.engines.sources["tests"].observe(commit_id)
    findings = find(signals, project.engines.analyzers, commit_id)
    if not findings:
        return "no red test", None
    attribution = Layers(project.kit).attribute(findings[0], commit_id)
    return (attribution.replayed.value, attribution.layer) if attribution else ("none", None)


def main(most: int) -> None:
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for case in itertools.islice(cases(), most):
        root = Path(tempfile.mkdtemp(prefix="whet-layers-"))
        try:
            build(case, root)
            how, layer = replayed(open_project(root))
        finally:
            shutil.rmtree(root, ignore_errors=True)
        seen[how] += 1
        right[how] += layer is case.label
        print(f"{case.name:30} {case.label.value:10} {how:10} {layer.value if layer else '-'}", flush=True)
    print(f"\n{'replay showed':14} {'cases':>6} {'right':>6} {'share':>6}  (right + 1) / (cases + 2)")
    for how, number in seen.most_common():
        share = right[how] / number
        print(f"{how:14} {number:6} {right[how]:6} {share:6.2f}  {(right[how] + 1) / (number + 2):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
