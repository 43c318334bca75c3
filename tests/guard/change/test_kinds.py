"""The kind of a change is what the patch does, not what the proposal says."""

import pytest

from whet.config import Config, FormulasPolicy, TargetPolicy
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.domain.proposal import ProposalKind
from whet.domain.risk import Risk
from whet.guard.answer import Allow, Raise
from whet.guard.change.kinds import formulas_in, kind_fits, kind_of
from whet.guard.change.submission import Submission

RATE = "RATE = 0.2\nLIMITS = (1, 2)\n"
KINDS = [
    ("pkg/constants.py", RATE, RATE.replace("0.2", "0.25"), ProposalKind.CONSTANT_TUNE),
    ("pkg/constants.py", RATE, RATE.replace("(1, 2)", "(3, 4)"), ProposalKind.CONSTANT_TUNE),
    ("pkg/constants.py", RATE, f"# why\n{RATE}", ProposalKind.CONSTANT_TUNE),
    ("pkg/constants.py", "LIMIT = 1\n", "LIMIT = 1.5\n", ProposalKind.CONSTANT_TUNE),
    ("pkg/constants.py", "LIMIT = 1\n", "LIMIT = None\n", ProposalKind.FORMULA_CHANGE),
    ("pkg/settings.py", "NAME = 'a'\n", "NAME = 'b'\n", ProposalKind.CONSTANT_TUNE),
    ("pkg/constants.py", RATE, RATE.replace("0.2", "0.1 + 0.1"), ProposalKind.FORMULA_CHANGE),
    ("pkg/constants.py", RATE, RATE.replace("(1, 2)", "(1, 2, 3)"), ProposalKind.FORMULA_CHANGE),
    ("pkg/constants.py", RATE, RATE.replace("0.2", "__import__('os').getpid()"), ProposalKind.FORMULA_CHANGE),
    ("pkg/constants.py", "DEBUG = False\n", "DEBUG = True\n", ProposalKind.FORMULA_CHANGE),
    ("pkg/constants.py", RATE, f"import os\n{RATE}", ProposalKind.BEHAVIOR_FIX),
    ("pkg/constants.py", RATE, RATE.replace("RATE", "SHARE"), ProposalKind.BEHAVIOR_FIX),
    ("pkg/constants.py", "def f():\n    return 1\n", "def f():\n    return 2\n", ProposalKind.BEHAVIOR_FIX),
    ("pkg/constants.py", "D['a'] = 1\n", "D['a'] = 2\n", ProposalKind.BEHAVIOR_FIX),
    ("pkg/constants.py", RATE, "RATE = (\n", ProposalKind.BEHAVIOR_FIX),
    ("pkg/constants.py", "", RATE, ProposalKind.BEHAVIOR_FIX),
    ("pkg/core.py", "x = 1\n", "x = 2\n", ProposalKind.BEHAVIOR_FIX),
    ("api.yaml", "a: 1\n", "a: 2\n", ProposalKind.PROTOCOL_UPDATE),
    ("pkg/prompts/ask.txt", "a\n", "b\n", ProposalKind.SKILL_IMPROVE),
]


@pytest.mark.parametrize(("path", "before", "after", "kind"), KINDS)
def test_the_kind_follows_from_the_change(path: str, before: str, after: str, kind: ProposalKind) -> None:
    assert kind_of(path, before, after, TargetPolicy()) is kind


DRAG = "AIR = 1.2\n\ndef force(speed):\n    return AIR * speed\n\ndef other():\n    return 1\n"
FORMULAS = [
    ("src/physics/drag.py", DRAG.replace("* speed", "* speed ** 2"), ProposalKind.FORMULA_CHANGE),
    ("src/physics/drag.py", DRAG.replace("return 1", "return 2"), ProposalKind.BEHAVIOR_FIX),
    ("src/physics/drag.py", DRAG.replace("1.2", "1.3"), ProposalKind.BEHAVIOR_FIX),
    ("src/physics/drag.py", DRAG.replace("force(speed)", "force(speed, area)"), ProposalKind.BEHAVIOR_FIX),
    ("src/physics/drag.py", DRAG.replace("def force", "@cache\ndef force"), ProposalKind.BEHAVIOR_FIX),
    ("src/physics/drag.py", f"import os\n{DRAG}", ProposalKind.BEHAVIOR_FIX),
    ("src/metaphysics/drag.py", DRAG.replace("* speed", "* speed ** 2"), ProposalKind.BEHAVIOR_FIX),
    (
        "physics/constants.py",
        DRAG.replace("* speed", "* speed ** 2").replace("1.2", "1.3"),
        ProposalKind.FORMULA_CHANGE,
    ),
    ("physics/constants.py", DRAG.replace("1.2", "1.3"), ProposalKind.CONSTANT_TUNE),
    ("physics/constants.py", DRAG.replace("return 1", "return 2"), ProposalKind.BEHAVIOR_FIX),
]


@pytest.mark.parametrize(("path", "after", "kind"), FORMULAS)
def test_a_change_in_a_declared_formula_alone_is_a_formula_change(path: str, after: str, kind: ProposalKind) -> None:
    declared = {"function": "physics.drag:force", "upper": 9, "arguments": {"speed": {"low": 0, "high": 1}}}
    in_constants = {**declared, "function": "physics.constants:force"}
    policy = FormulasPolicy.model_validate({"declared": {"drag": declared, "other": in_constants}})
    assert kind_of(path, DRAG, after, TargetPolicy(), formulas_in(path, policy)) is kind


def submission(path: str, before: str, after: str, kind: ProposalKind | None) -> Submission:
    change = Change(
        path=path, status=ChangeStatus.MODIFIED, old_mode="100644", new_mode="100644", old_blob="", new_blob="",
        added_lines=1, removed_lines=1,
    )  # fmt: skip
    texts = {path: (before, after)}
    return Submission(
        changes=(change,), category=Category.BUG_FIX, risk=Risk.LOW, policy=Config(), texts=texts, kind=kind
    )


TUNED, DERIVED = RATE.replace("0.2", "0.3"), RATE.replace("0.2", "1 / 5")
FITS = [
    ("constants.py", TUNED, ProposalKind.CONSTANT_TUNE),
    ("constants.py", TUNED, ProposalKind.FORMULA_CHANGE),
    ("constants.py", DERIVED, ProposalKind.FORMULA_CHANGE),
    ("constants.py", DERIVED, ProposalKind.BEHAVIOR_FIX),
    ("core.py", TUNED, ProposalKind.BEHAVIOR_FIX),
    ("core.py", TUNED, None),
]
DOES_NOT_FIT = [
    ("constants.py", DERIVED, ProposalKind.CONSTANT_TUNE),
    ("core.py", TUNED, ProposalKind.CONSTANT_TUNE),
    ("core.py", TUNED, ProposalKind.FORMULA_CHANGE),
    ("core.py", TUNED, ProposalKind.SKILL_IMPROVE),
    ("core.py", TUNED, ProposalKind.PROTOCOL_UPDATE),
    ("constants.py", TUNED, ProposalKind.PROTOCOL_UPDATE),
]


@pytest.mark.parametrize(("path", "after", "kind"), FITS)
def test_a_change_of_the_stated_kind_is_allowed(path: str, after: str, kind: ProposalKind | None) -> None:
    assert kind_fits(submission(path, RATE, after, kind)) == Allow()


@pytest.mark.parametrize(("path", "after", "kind"), DOES_NOT_FIT)
def test_a_change_of_another_kind_raises_the_tier(path: str, after: str, kind: ProposalKind) -> None:
    answer = kind_fits(submission(path, RATE, after, kind))
    assert isinstance(answer, Raise) and answer.code == "kind_does_not_fit"
