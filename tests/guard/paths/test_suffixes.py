import pytest

from whet.config import Config, GuardPolicy
from whet.guard.answer import Allow, Refuse
from whet.guard.paths.suffixes import suffix_of, unlisted_suffix

ALLOWED = ["a.py", "src/a.b.py", "a.md", "a.json", "a.yaml", "a.cfg", ".hidden.py", "a.tar.py"]
REFUSED = [
    "a.sh", "a.so", "a.PY", "a.py3", "a.pyc", "a.exe", "a.py.sh", "Makefile", "src/Makefile", ".gitignore",
    ".py", "py", "a.py/run", "a.tar.gz", "a", "a.ipynb", "a.c", "a.pyx",
]  # fmt: skip


@pytest.mark.parametrize("path", ALLOWED)
def test_a_listed_suffix_is_allowed(path: str) -> None:
    assert unlisted_suffix(path, Config()) == Allow()


@pytest.mark.parametrize("path", [path for path in REFUSED if path != ".py"])
def test_an_unlisted_suffix_is_refused(path: str) -> None:
    answer = unlisted_suffix(path, Config())
    assert isinstance(answer, Refuse)
    assert answer.code == "diff_suffix_not_allowed"


@pytest.mark.parametrize(
    "spelling", ["", " ", ".", "*", "**", "*.py", "py", ".PY", " .py", ".py ", "PY", ".py,.md", "a."]
)
def test_a_misspelt_suffix_in_the_policy_allows_nothing(spelling: str) -> None:
    policy = Config(guard=GuardPolicy(suffixes=(spelling,)))
    for path in ("a.py", "a.sh", "Makefile", "a"):
        assert isinstance(unlisted_suffix(path, policy), Refuse)


@pytest.mark.parametrize(
    ("listed", "path", "allowed"),
    [
        ("Makefile", "Makefile", True),
        ("Makefile", "src/Makefile", True),
        ("Makefile", "makefile", False),
        ("Makefile", "Makefile.sh", False),
        ("Makefile", "Makefile/a", False),
        (".gitignore", ".gitignore", True),
        (".gitignore", ".gitignored", False),
        ("a.sh", "a.sh", False),
        (".sh", "a.sh", True),
    ],
)
def test_a_file_without_suffix_is_listed_by_its_whole_name(listed: str, path: str, allowed: bool) -> None:
    assert isinstance(unlisted_suffix(path, Config(guard=GuardPolicy(suffixes=(listed,)))), Allow) is allowed


def test_the_suffix_begins_at_the_last_dot_of_the_name() -> None:
    expected = {"a.py": ".py", "d.x/a": "", ".a": "", ".a.b": ".b", "a.b.c": ".c", "a": "", "a.": ""}
    assert {path: suffix_of(path) for path in expected} == expected
