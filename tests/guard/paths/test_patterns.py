import subprocess
from pathlib import Path

import pytest

from whet import path_lists
from whet.domain.call_policy import SENSITIVE, TEST_PATHS
from whet.guard.change.categories import NOT_DOCUMENTS, TEST_HOOKS
from whet.guard.paths.patterns import fold, patterns
from whet.guard.paths.protected import CORE, OWN

COVERED = [
    ("secrets/**", "secrets/a.py"),
    ("secrets/**", "secrets/deep/er/a.py"),
    ("secrets/", "secrets/a.py"),
    ("secrets", "secrets/a.py"),
    ("secrets", "deep/secrets/a.py"),
    ("secrets/*", "secrets/deep/a.py"),
    ("./secrets/**", "secrets/a.py"),
    ("/secrets/**", "secrets/a.py"),
    ("**/auth/**", "auth/a.py"),
    ("**/auth/**", "src/deep/auth/b/a.py"),
    ("*.pem", "deep/er/a.pem"),
    ("a/**/z.py", "a/z.py"),
    ("a/**/z.py", "a/b/c/z.py"),
    ("**", "a.py"),
    ("*", "deep/a.py"),
    ("**/", "deep/a.py"),
    ("file?.py", "file1.py"),
    ("[ab].py", "b.py"),
    ("[!a].py", "b.py"),
    ("[a-c]x.py", "bx.py"),
    ("Secrets/**", "secrets/a.py"),
    ("secrets/**", "SECRETS/a.py"),
    ("[!a-z]x.py", "Ax.py"),
    ("straße/**", "STRASSE/a.py"),
    ("secrets/**", "ſecrets/a.py"),
    ("cafe\u0301/**", "caf\u00e9/a.py"),
]
NOT_COVERED = [
    ("secrets/**", "src/secrets/a.py"),
    ("/secrets", "src/secrets/a.py"),
    ("secrets/**", "secrets2/a.py"),
    ("*.pem", "a.pem.py"),
    ("a/*/z.py", "a/b/c/z.py"),
    ("**/", "a.py"),
    ("[!a].py", "a.py"),
    ("file?.py", "file.py"),
    ("a.py", "axpy"),
    ("./secrets/**", "src/a.py"),
    ("X/**", "src/a.py"),
]
UNREADABLE = [
    "", " ", "/", "//", "#secrets", "!secrets", "secrets\\**", "secrets/{a,b}.py", "a, b", "a|b",
    "../secrets/**", "secrets/../x", "secrets/./x", "secrets//x", " secrets/**", "secrets/** ",
    "secrets/**\n", "secrets/\x00", "a[1", "a]", "[z-a].py", "[[:alpha:]].py", "[--a].py", "[]a].py",
    "~/secrets", ".", "..", "se\u200bcrets", "[a-]x",
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "path"), COVERED)
def test_a_protecting_pattern_covers_every_spelling_of_a_path(pattern: str, path: str) -> None:
    assert patterns((pattern,)).catches(path) == pattern


@pytest.mark.parametrize(("pattern", "path"), NOT_COVERED)
def test_a_protecting_pattern_does_not_cover_other_paths(pattern: str, path: str) -> None:
    assert patterns((pattern,)).catches(path) is None


@pytest.mark.parametrize("pattern", UNREADABLE)
def test_an_unreadable_pattern_protects_everything_and_opens_nothing(pattern: str) -> None:
    among_others = patterns(("docs/**", pattern))
    assert among_others.catches("src/app.py") == pattern
    assert among_others.names("src/app.py") is None
    assert patterns((pattern,)).names("src/app.py") is None


def test_an_opening_pattern_opens_one_spelling_only() -> None:
    opened = patterns(("pyproject.toml", "Docs/**"))
    assert opened.names("pyproject.toml") == "pyproject.toml"
    assert opened.names("PyProject.toml") is None
    assert opened.names("docs/a.md") is None


def test_the_matching_pattern_is_returned() -> None:
    assert patterns(("docs/**", "*.pem", "src/**")).catches("src/app.py") == "src/**"


def test_an_empty_list_covers_nothing() -> None:
    assert patterns(()).catches("src/app.py") is None


@pytest.mark.parametrize(
    "lines", [*map(path_lists.lines, path_lists.NAMES), TEST_PATHS, SENSITIVE, CORE, OWN, NOT_DOCUMENTS, TEST_HOOKS]
)
def test_every_default_pattern_is_readable(lines: tuple[str, ...]) -> None:
    assert patterns(lines).unreadable == ()


def test_folding_twice_changes_nothing_more() -> None:
    for text in ("WHET.TOML", "ſtraße", "ﬁle", "Ａ.py", "İ", "plain"):
        assert fold(fold(text)) == fold(text)


def test_patterns_match_as_in_git(tmp_path: Path) -> None:
    """Compare with git itself: every readable pattern as an ignore rule against every path."""
    lines = {*path_lists.lines(*path_lists.NAMES), *TEST_PATHS, *SENSITIVE, *CORE, *OWN}
    lines |= {pattern.removeprefix("./") for pattern, _ in COVERED + NOT_COVERED if pattern.isascii()}
    paths = {path for _, path in COVERED + NOT_COVERED if path.isascii()}
    paths |= {
        "whet.toml",
        "a/whet.toml",
        "src/whet/x/y.md",
        "whet/a",
        "docs/whet/a.md",
        "b/test/a.py",
        "a_test.py",
        ".env.x/a",
    }
    environment = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, env=environment)
    for line in sorted(lines):
        (tmp_path / ".git/info/exclude").write_text(line + "\n")
        command = ["git", "-c", "core.ignorecase=false", "check-ignore", "--no-index", "--stdin"]
        listed = "".join(path + "\n" for path in sorted(paths)).encode()
        answer = subprocess.run(command, cwd=tmp_path, env=environment, input=listed, capture_output=True, check=False)
        ours = {path for path in paths if patterns((line,)).names(path)}
        assert ours == set(answer.stdout.decode().split()), line
