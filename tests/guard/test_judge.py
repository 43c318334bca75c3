from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from whet import config
from whet.config import Config, GuardPolicy
from whet.domain.category import Category
from whet.domain.change import Change
from whet.domain.evidence import GuardFinding
from whet.domain.risk import Risk
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change.submission import Description, GuardContext
from whet.guard.declared.reference import Declared, Role
from whet.guard.judge import explain, judge, refusals

Touch = Callable[..., Change]


class Plain(dict[str, tuple[str, str]]):
    """Texts of a change in which every file has the same harmless content."""

    def get(self, key: str, default: Any = None) -> tuple[str, str]:
        return "", "x = 1\n"


SELF = Config(guard=GuardPolicy(categories=tuple(Category)))
NOTHING_DENIED = Config(guard=GuardPolicy(denied=()))
ENTRY_POINT = GuardContext(declared={"src/app.py": (Declared(Role.ENTRY_POINT, "pyproject.toml", "main"),)})
FIXED = Config(guard=GuardPolicy(immutable={"a.json": ("x",)}))


def judged(*changes: Change, **facts: Any) -> set[tuple[str, str, str]]:
    defaults: dict[str, Any] = {"category": Category.BUG_FIX, "risk": Risk.LOW, "policy": Config()}
    texts = facts.pop("texts", None) or Plain()
    findings = judge(changes, texts, **{**defaults, **facts})
    return {(finding.rule, finding.severity, finding.path) for finding in findings}


def test_an_ordinary_change_gives_no_findings(touch: Touch) -> None:
    assert judged(touch(), touch("docs/a.md", "added")) == set()


def test_an_empty_change_is_refused() -> None:
    assert judge((), {}, category=Category.BUG_FIX, risk=Risk.LOW, policy=Config()) == (
        GuardFinding(rule="empty_change", severity="block", path="", reason="the change is empty"),
    )


# One row per rule: taking a rule out of the lists in whet.guard.judge fails here.
EVERY_RULE: list[tuple[list[dict[str, Any]], dict[str, Any], tuple[str, str, str]]] = [
    ([{"path": "../a.py"}], {}, ("path_unsafe", "block", "'../a.py'")),
    ([{"path": "setup.py"}], {}, ("path_protected", "block", "setup.py")),
    ([{"path": "src/auth.py"}], {"policy": NOTHING_DENIED}, ("path_guarding", "require", "src/auth.py")),
    ([{}], {"texts": {"src/app.py": ("", "def login(): pass\n")}}, ("category_denied", "block", "src/app.py")),
    ([{}], {"context": ENTRY_POINT}, ("entry_point", "raise", "src/app.py")),
    ([{"path": "secrets.json"}], {}, ("secret_file", "block", "secrets.json")),
    ([{"path": "a.sh"}], {}, ("diff_suffix_not_allowed", "block", "a.sh")),
    ([{"new_mode": "120000"}], {}, ("symlink", "block", "src/app.py")),
    ([{"new_mode": "100755"}], {}, ("executable", "raise", "src/app.py")),
    ([{"binary": True}], {}, ("binary_file", "block", "src/app.py")),
    ([{}], {"category": Category.DOCUMENTATION}, ("category_does_not_fit", "block", "src/app.py")),
    ([{"path": "tests/test_a.py"}], {}, ("tests_touched", "block", "tests/test_a.py")),
    ([{"path": "json.py", "status": "added"}], {}, ("shadows_module", "block", "json.py")),
    ([{}], {"texts": {"src/app.py": ("", "import pytest\n")}}, ("needs_review", "raise", "src/app.py")),
    ([{"path": f"src/a{n}.py"} for n in range(11)], {}, ("too_many_files", "block", "")),
    ([{"added_lines": 401}], {}, ("too_many_lines", "block", "")),
    (
        [{"path": f"src/a{n}.py", "status": "added"} for n in range(4)],
        {},
        ("too_many_new_files", "block", ""),
    ),
    ([{"status": "deleted"}], {}, ("too_many_deleted_files", "block", "")),
    ([{}], {"policy": Config(guard=GuardPolicy(categories=()))}, ("category_not_allowed", "block", "")),
    ([{}], {"risk": Risk.HIGH}, ("risk_not_allowed", "block", "")),
    ([{}, {}], {}, ("path_collision", "block", "")),
    (
        [{"path": "src/APP.py", "status": "added"}],
        {"context": GuardContext(paths=frozenset({"src/app.py"}))},
        ("path_collision", "block", ""),
    ),
    ([{}], {"context": GuardContext(attributes={"": "*.py filter=x"})}, ("path_filtered", "block", "src/app.py")),
    ([{"status": "added"}], {"context": GuardContext(ignores={"": "*.py"})}, ("path_ignored", "raise", "src/app.py")),
    ([{}], {"context": GuardContext(is_whet=True)}, ("changes_itself", "block", "")),
    ([{}], {"context": GuardContext(is_whet=True), "policy": SELF}, ("changes_itself", "require", "")),
    ([{"path": "src/whet/a.py"}], {"policy": SELF}, ("changes_itself", "require", "src/whet/a.py")),
    ([{"path": "a.json"}], {"policy": FIXED}, ("immutable_unknown", "block", "a.json")),
    ([{}], {"description": Description(words="x", target=())}, ("not_named", "raise", "src/app.py")),
    (
        [{}],
        {"description": Description(words="a typo", target=("src/app.py",))},
        ("understated", "block", "src/app.py"),
    ),
    ([{}], {"description": Description(words="bypass the guard", target=("src/app.py",))}, ("deceives", "block", "")),
    (
        [{}],
        {"texts": {"src/app.py": ("", "f(verify=False)\n")}, "policy": NOTHING_DENIED},
        ("tls_disabled", "block", "src/app.py"),
    ),
    (
        [{}],
        {
            "texts": {"src/app.py": ("", "def login(): pass\n")},
            "category": Category.REFACTORING,
            "policy": NOTHING_DENIED,
        },
        ("category_doubtful", "raise", "src/app.py"),
    ),
]


@pytest.mark.parametrize(("changes", "facts", "finding"), EVERY_RULE)
def test_every_rule_is_in_the_lists(
    changes: list[dict[str, Any]], facts: dict[str, Any], finding: tuple[str, str, str], touch: Touch
) -> None:
    assert judged(*(touch(**change) for change in changes), **facts) == {finding}


def test_every_rule_judges_every_change(touch: Touch) -> None:
    changes = [touch("tests/auth/test_a.py", new_mode="100755"), touch(), touch("whet.toml", binary=True)]
    assert judged(*changes, risk=Risk.CRITICAL) == {
        ("risk_not_allowed", "block", ""),
        ("path_guarding", "require", "tests/auth/test_a.py"),
        ("executable", "raise", "tests/auth/test_a.py"),
        ("tests_touched", "block", "tests/auth/test_a.py"),
        ("path_protected", "block", "whet.toml"),
        ("binary_file", "block", "whet.toml"),
    }


def test_both_ends_of_a_rename_are_judged(touch: Touch) -> None:
    findings = judged(touch("setup.py", "deleted"), touch("src/setup_old.py", "added"))
    assert ("path_protected", "block", "setup.py") in findings


def test_a_trusted_new_test_may_come_with_a_fix(touch: Touch) -> None:
    changes = [touch(), touch("tests/test_recorded.py", "added")]
    assert judged(*changes, trusted_new_tests=["tests/test_recorded.py"]) == set()
    assert judged(*changes) == {("tests_touched", "block", "tests/test_recorded.py")}
    assert judged(*changes, trusted_new_tests="tests/test_recorded.py") != set()


@pytest.mark.parametrize("status", ["added", "modified"])
def test_tests_of_an_outsider_are_only_noted(status: str, touch: Touch) -> None:
    change = touch("tests/test_a.py", status)
    assert judged(change, author="outsider") == {("tests_touched", "note", "tests/test_a.py")}
    assert judged(change, author="engine") == {("tests_touched", "block", "tests/test_a.py")}


@pytest.mark.parametrize("author", ["Outsider", "", "human", None])
def test_an_unknown_author_is_judged_as_an_engine(author: str, touch: Touch) -> None:
    assert judged(touch("tests/test_a.py"), author=author) == {("tests_touched", "block", "tests/test_a.py")}


@pytest.mark.parametrize("finding", [row for row in EVERY_RULE if row[2][0] != "tests_touched"])
def test_all_other_findings_are_the_same_for_an_outsider(finding: Any, touch: Touch) -> None:
    changes, facts, expected = finding
    assert judged(*(touch(**change) for change in changes), **facts, author="outsider") == {expected}


def test_an_unknown_severity_blocks() -> None:
    findings = [
        GuardFinding(rule="x", severity=severity, path="", reason="x")
        for severity in ("block", "raise", "require", "note", "", "Note", "unknown")
    ]
    assert [finding.severity for finding in refusals(findings)] == ["block", "", "Note", "unknown"]


SETUP_OPEN = Config(guard=GuardPolicy(open=("setup.py",)))
AUTH_OPEN = Config(guard=GuardPolicy(open=("auth/setup.py",)))
IN_SPEC = Config(tests=config.TestsPolicy(paths=("spec/**",)))
EXPLAINED: list[tuple[str, Config, type[Allow | Raise | Refuse], str]] = [
    ("src/app.py", Config(), Allow, "no rule applies to src/app.py"),
    ("whet.toml", Config(), Refuse, "whet.toml is protected"),
    ("../a", Config(), Refuse, "'../a' has a '..' segment"),
    ("src/auth.py", Config(), Raise, "src/auth.py guards access ('auth.py')"),
    ("auth/a.sh", Config(), Refuse, "auth/a.sh: the policy does not list the suffix '.sh'"),
    ("auth/NOTES", Config(), Refuse, "auth/NOTES: the policy does not list a file named 'NOTES'"),
    ("setup.py", SETUP_OPEN, Allow, "setup.py is opened by the policy ('setup.py')"),
    (
        "auth/setup.py",
        AUTH_OPEN,
        Raise,
        "auth/setup.py guards access ('**/auth/**'); the policy opens it ('auth/setup.py')",
    ),
    ("x/prod.env", Config(), Refuse, "x/prod.env is a file for secrets ('*.env')"),
    (
        "tests/auth/a.py",
        Config(),
        Refuse,
        "tests/auth/a.py is a test ('tests/**'): it may be added, never altered",
    ),
    ("spec/a.py", IN_SPEC, Refuse, "spec/a.py is a test ('spec/**'): it may be added, never altered"),
]


@pytest.mark.parametrize(("path", "policy", "kind", "reason"), EXPLAINED)
def test_explain_returns_the_deciding_answer(
    path: str, policy: Config, kind: type[Allow | Raise | Refuse], reason: str
) -> None:
    answer = explain(path, policy)
    assert isinstance(answer, kind)
    assert answer.reason == reason


def test_explain_and_judge_give_the_same_code(touch: Touch) -> None:
    for path in ("whet.toml", "a/../b", "a.sh", "secrets.json", "tests/a.py", "src/auth.py"):
        answer = explain(path, Config())
        assert not isinstance(answer, Allow)
        assert answer.code in {rule for rule, _, _ in judged(touch(path))}


@pytest.mark.parametrize("answer", [Allow("x"), Raise("x", "y"), Refuse("x", "y")])
def test_an_answer_cannot_be_changed(answer: Allow | Raise | Refuse) -> None:
    with pytest.raises(FrozenInstanceError):
        answer.reason = "z"  # type: ignore[misc]  # that is the point


def test_rubbish_in_a_field_is_refused_without_an_exception(touch: Touch) -> None:
    """A parser with a bug may pass anything on: the answer must be a refusal and not an exception."""
    rubbish: list[Any] = [None, "", "x", -1, 1.5, float("nan"), True, b"x", "\udc80", "../x"]
    for field in ("path", "status", "old_mode", "new_mode", "added_lines", "removed_lines", "binary"):
        for value in rubbish:
            harmless = (field, value) in [("path", "x"), ("binary", False)] or (
                field.endswith("lines") and value is True
            )
            findings = judge(
                [replace(touch(), **{field: value})],
                Plain(),
                category=Category.BUG_FIX,
                risk=Risk.LOW,
                policy=Config(),
            )
            assert refusals(findings) or harmless, (field, value)


@pytest.mark.parametrize(
    ("path", "policy", "pattern", "setting"),
    [
        ("src/app.py", Config(), "", ""),
        ("whet.toml", Config(), "whet.toml", ""),
        ("setup.py", Config(), "setup.py", ""),
        ("legal/a.md", Config(guard=GuardPolicy(protected=("legal/**",))), "legal/**", "guard.protected"),
        ("setup.py", SETUP_OPEN, "setup.py", "guard.open"),
        ("src/auth.py", Config(), "auth.py", ""),
        ("src/money.py", Config(guard=GuardPolicy(sensitive=("money.py",))), "money.py", "guard.sensitive"),
        ("a.sh", Config(), "", "guard.suffixes"),
        ("x/prod.env", Config(), "*.env", ""),
        ("spec/a.py", IN_SPEC, "spec/**", "tests.paths"),
        ("tests/a.py", IN_SPEC, "tests/**", ""),
        ("src/whet/a.py", SELF, "**/src/whet/**", "guard.categories"),
    ],
)
def test_explain_names_the_list_that_decided(path: str, policy: Config, pattern: str, setting: str) -> None:
    answer = explain(path, policy)
    assert (answer.pattern, answer.setting) == (pattern, setting)


@pytest.mark.parametrize(("path", "severity"), [("src/app.py", "block"), ("tests/test_new.py", "raise")])
def test_a_token_blocks_in_code_and_raises_the_tier_in_a_test(touch: Touch, path: str, severity: str) -> None:
    token = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
    findings = judge(
        [touch(path, "added")],
        {path: ("", f'x = "{token}"\n')},
        category=Category.TEST_COVERAGE,
        risk=Risk.LOW,
        policy=Config(),
    )
    assert ("secret_in_text", severity) in {(finding.rule, finding.severity) for finding in findings}
