"""Replay with earlier versions shows which layer, and which unit of it, holds a cause."""

import json
from dataclasses import replace

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import Project, open_project
from whet.domain.attribution import Attribution, Replayed
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.payload import FailingTest
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.knowledge.earlier_units import earlier_units
from whet.phases.diagnose.layers import Layers
from whet.phases.diagnose.step import find
from whet.phases.propose.step import wrong_layer

CART = """import json
from pathlib import Path

from constants import TAX

SETTINGS = json.loads((Path(__file__).parent / "config.json").read_text())
PROMPT = (Path(__file__).parent / "prompts/greet.md").read_text()


def total(price):
    return price * SETTINGS["rates"]["eur"] + TAX


def greet(name):
    return PROMPT.replace("{name}", name).strip()
"""
FILES: dict[str, str | bytes] = {
    "constants.py": "TAX = 2\nUNUSED = 1\n",
    "config.json": '{\n  "rates": {"eur": 3, "usd": 4},\n  "title": "shop"\n}\n',
    "prompts/greet.md": "Hello {name}\n",
    "cart.py": CART,
    "tests/test_cart.py": (
        "import os, sys\nsys.path.insert(0, os.getcwd())\nfrom cart import greet, total\n\n\n"
        "def test_total():\n    assert total(10) == 32\n\n\ndef test_greet():\n    assert greet('Ann') == 'Hello Ann'\n"
    ),
    "whet.toml": '[target]\nbranch = "main"\n[observe]\nsources = ["tests"]\n',
}
NOISE: dict[str, str | bytes] = {  # changes beside the cause, one in every layer, that decide nothing
    "constants.py": "TAX = 2\nUNUSED = 5\n",
    "config.json": '{\n  "rates": {"eur": 3, "usd": 5},\n  "title": "shop"\n}\n',
    "prompts/greet.md": "Hello {name}\n\n",
    "cart.py": CART + "\n\ndef spare():\n    return 1\n",
}
BROKEN: dict[Layer, dict[str, str | bytes]] = {
    Layer.CONSTANTS: {"constants.py": "TAX = 7\nUNUSED = 5\n"},
    Layer.PROTOCOL: {"config.json": '{\n  "rates": {"eur": 4, "usd": 5},\n  "title": "shop"\n}\n'},
    Layer.SKILL: {"prompts/greet.md": "Goodbye {name}\n"},
    Layer.BEHAVIOR: {"cart.py": CART.replace("] + TAX", "] - TAX") + "\n\ndef spare():\n    return 1\n"},
}
OTHERS = (Layer.CONSTANTS, Layer.SKILL, Layer.BEHAVIOR)
UNITS = {
    Layer.CONSTANTS: ("constants.py", "TAX"),
    Layer.PROTOCOL: ("config.json", "rates.eur"),
    Layer.SKILL: ("prompts/greet.md", ""),
    Layer.BEHAVIOR: ("cart.py", "total"),
}


def attributed(repo: Repo) -> Attribution | None:
    project = open_project(repo.root)
    return Layers(project.kit).attribute(finding_of(project, repo), repo.head)


def finding_of(project: Project, repo: Repo) -> Finding:
    signals = project.engines.sources["tests"].observe(repo.head)
    [finding] = find(signals, project.engines.analyzers, repo.head)
    return finding


@pytest.mark.parametrize("layer", [Layer.PROTOCOL, *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)])
def test_the_layer_and_the_unit_that_broke_the_test_are_named_although_all_layers_changed(
    make_repo: MakeRepo, layer: Layer
) -> None:
    repo = make_repo(FILES)
    repo.commit({**NOISE, **BROKEN[layer]}, "break it")
    attribution = attributed(repo)
    assert attribution is not None
    assert (attribution.layer, attribution.replayed) == (layer, Replayed.UNIT)
    assert (attribution.path, attribution.unit) == UNITS[layer]
    assert sum("they still fail" in sentence for sentence in attribution.evidence) == 3


@pytest.mark.long
def test_what_later_commits_change_does_not_hide_the_one_that_broke_it(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    good = repo.head
    repo.commit(BROKEN[Layer.CONSTANTS], "break it")
    for number in range(4):
        repo.commit({"spare.py": f"NUMBER = {number}\n"}, f"go on {number}")
    attribution = attributed(repo)
    assert attribution is not None
    assert (attribution.unit, attribution.earlier) == ("TAX", good)


@pytest.mark.long
def test_two_causes_in_two_layers_are_told_from_one(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    repo.commit({**BROKEN[Layer.CONSTANTS], **BROKEN[Layer.PROTOCOL]}, "break it twice")
    attribution = attributed(repo)
    assert attribution is not None
    assert (attribution.replayed, attribution.decided) == (Replayed.TOGETHER, False)


def test_a_test_that_never_passed_has_no_attribution(make_repo: MakeRepo) -> None:
    repo = make_repo({**FILES, **BROKEN[Layer.CONSTANTS]})
    repo.commit({"spare.py": "A = 1\n"}, "go on")
    assert attributed(repo) is None


@pytest.mark.long
def test_one_section_of_the_settings_is_taken_back_by_a_proposal_of_its_kind(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    repo.commit({**NOISE, **BROKEN[Layer.PROTOCOL]}, "break it")
    done = repo.whet("run", "--json", "--dry-run")
    [shown] = json.loads(done.out)
    proposal = shown["proposal"]
    assert (proposal["engine"], proposal["kind"]) == ("restore", "protocol_update")
    assert shown["evidence"]["verdict"] == "passed", shown["evidence"]["reasons"]


@pytest.fixture
def diagnosed(make_repo: MakeRepo) -> tuple[Project, Diagnosis]:
    """Return a diagnosis whose cause is a section of the settings, as replay shows it; nothing is run."""
    repo = make_repo(FILES)
    earlier = repo.head
    repo.commit({**NOISE, **BROKEN[Layer.PROTOCOL]}, "break it")
    test = "tests/test_cart.py::test_total"
    signal = Signal.of("tests", test, FailingTest(outcome="failed"), now())
    finding = Finding(
        id="f-1", kind="failing_test", signature="s", title="test_total fails", category=Category.BUG_FIX,
        subjects=(test,), paths=(), signals=(signal,), score=1.0, reasons=("a test",), minimum_signals=1,
    )  # fmt: skip
    known = Attribution(
        layer=Layer.PROTOCOL, replayed=Replayed.UNIT, earlier=earlier, evidence=("it was seen",),
        path="config.json", unit="rates.eur",
    )  # fmt: skip
    place = Place(path="cart.py", line=11, function="total", suspicion=0.9, why="a test runs it")
    project = open_project(repo.root)
    return project, Diagnosis(
        finding=finding, layer=Layer.PROTOCOL, places=(place,), evidence=(), confidence=0.9, attribution=known
    )


def test_an_engine_that_cannot_change_the_layer_is_not_asked(diagnosed: tuple[Project, Diagnosis]) -> None:
    project, diagnosis = diagnosed
    engines = project.engines.proposers
    refusing = {name for name, engine in engines.items() if wrong_layer(diagnosis, engine)}
    assert refusing == {"repair", "known_fix"}
    assert diagnosis.attribution is not None
    unsure = replace(diagnosis, attribution=replace(diagnosis.attribution, replayed=Replayed.SEVERAL))
    assert not any(wrong_layer(unsure, engine) for engine in engines.values())
    assert not any(wrong_layer(replace(diagnosis, attribution=None), engine) for engine in engines.values())


def test_only_the_section_that_decides_is_restored_and_never_after_a_rejection(
    diagnosed: tuple[Project, Diagnosis],
) -> None:
    project, diagnosis = diagnosed
    engine = project.engines.proposers["restore"]
    [proposal] = engine.propose(diagnosis, project.git.resolve("HEAD"), "c-1")
    patch = engine.build(proposal, frozenset()).patch
    assert patch is not None
    assert project.git.read(patch.tree, "config.json") == str(NOISE["config.json"]).encode()
    assert patch.paths == ("config.json",)
    assert engine.build(proposal, frozenset({patch.digest})).patch is None


@pytest.mark.parametrize(
    ("path", "before", "after", "units"),
    [
        ("a.py", "A = 1\nB = 1\n", "A = 2\nB = 1\n", {"A": "A = 1\nB = 1\n"}),
        ("a.py", "@d\ndef f():\n    return 1\n", "X = 1\ndef f():\n    return 2\n", {"f": "X = 1\n@d\ndef f():\n    return 1\n"}),
        ("a.py", "class A:\n    def f(self):\n        return 1\n", "class A:\n    def f(self):\n        return 2\n",
         {"A.f": "class A:\n    def f(self):\n        return 1\n"}),
        ("a.py", "A = 1\n", "A = (\n", {"": "A = 1\n"}),
        ("a.json", '{"a": 1, "b": {"c": 1}}', '{"a": 2, "b": {"c": 2}}',
         {"a": '{"a": 1, "b": {"c": 2}}', "b.c": '{"a": 2, "b": {"c": 1}}'}),
        ("a.json", '{"a": 1}', '{"a": 1, "new": 2}', {"new": '{"a": 1}'}),
        ("a.json", '{"a": {"b": [1,  2]}}', '{ "a": {"b": [3,  4],  "c": 1} }',
         {"a.b": '{ "a": {"b": [1, 2],  "c": 1} }', "a.c": '{"a": {"b": [3, 4]}}'}),
        ("a.json", '{"a": "é", "b": 1}', '{"a": "ü\\n", "b": 1}', {"a": '{"a": "é", "b": 1}'}),
        ("a.json", "[1]", "[2]", {"": "[1]"}),
        ("a.yaml", "a: 1  # one\nb: 2\n", "a: 3  # three\nb: 2\n", {"a": "a: 1  # three\nb: 2\n"}),
        ("a.toml", "[t]\na = 1\n", "# now\n[t]\na = 2\n", {"t.a": "# now\n[t]\na = 1\n"}),
        ("a.yaml", "a: [", "a: 1", {"": "a: ["}),
        ("a.md", "one", "two", {"": "one"}),
    ],
)  # fmt: skip
def test_units_of_a_file(path: str, before: str, after: str, units: dict[str, str]) -> None:
    found = earlier_units(path, before.encode(), after.encode())
    assert {unit.name: unit.content.decode() for unit in found} == units
