import pytest

from whet.guard.answer import Allow, Refuse
from whet.guard.paths.names import safe_name, shown

ALLOWED = [
    "a.py", "src/app.py", "src/deep/er/a_b-c.py", ".gitignore", "src/.hidden/a.py", "a b.py",
    "docs/Über uns.md", "docs/日本語.md", "caf\u00e9.md", "a..b.py", "..a.py", "...a", "src/[id].py",
    "a@b.py", "X.py",
    "x" * 1024,
]  # fmt: skip
REFUSED = [
    ("", "is not a path"),
    ("..", "'..' segment"),
    ("../a.py", "'..' segment"),
    ("src/../whet.toml", "'..' segment"),
    ("src/..", "'..' segment"),
    (".", "'.' segment"),
    ("./whet.toml", "'.' segment"),
    ("src/./a.py", "'.' segment"),
    ("src//a.py", "empty segment"),
    ("src/", "empty segment"),
    ("/etc/passwd", "absolute"),
    ("//host/a", "absolute"),
    ("C:/a.py", "not every file system"),
    (".git::$INDEX_ALLOCATION/config", "not every file system"),
    ("src\\a.py", "not every file system"),
    ("..\\whet.toml", "not every file system"),
    ("a*.py", "not every file system"),
    ("a?.py", "not every file system"),
    ('"a.py"', "not every file system"),
    ("a<b", "not every file system"),
    ("a>b", "not every file system"),
    ("a|b", "not every file system"),
    ("a\x00.py", "do not show"),
    ("a\n.py", "do not show"),
    ("a\t.py", "do not show"),
    ("a\x1b[2K.py", "do not show"),
    ("a\x7f.py", "do not show"),
    ("a\x85.py", "do not show"),
    ("a\u00a0.py", "do not show"),
    ("a\u2028.py", "do not show"),
    ("a\u202eyp.txt", "do not show"),
    ("a\u2066.py", "do not show"),
    (".g\u200cit/config", "do not show"),
    ("whet\u200b.toml", "do not show"),
    ("\ufeffwhet.toml", "do not show"),
    ("a\u00ad.py", "do not show"),
    ("a\u3164.py", "do not show"),
    ("a\ufe0f.py", "do not show"),
    ("a\u034f.py", "do not show"),
    ("a\U000e0041.py", "do not show"),
    ("a\udc80.py", "do not show"),
    ("a\ue000.py", "do not show"),
    ("cafe\u0301.md", "normal form"),
    ("\u212b.md", "normal form"),
    ("src/con.py", "device on Windows"),
    ("src/AUX", "device on Windows"),
    ("nul.tar.gz", "device on Windows"),
    ("lpt1/a.py", "device on Windows"),
    ("whet.toml ", "begins or ends"),
    (" whet.toml", "begins or ends"),
    ("whet.toml.", "begins or ends"),
    (".git./config", "begins or ends"),
    (".git /config", "begins or ends"),
    ("a/.../b", "begins or ends"),
    ("-rf", "option"),
    ("--config=x.py", "option"),
    ("x" * 1025, "too long"),
]


@pytest.mark.parametrize("path", ALLOWED)
def test_a_plain_name_is_allowed(path: str) -> None:
    assert safe_name(path) == Allow()
    assert shown(path) == path


@pytest.mark.parametrize(("path", "problem"), REFUSED)
def test_a_misleading_name_is_refused(path: str, problem: str) -> None:
    answer = safe_name(path)
    assert isinstance(answer, Refuse)
    assert answer.code == "path_unsafe"
    assert problem in answer.reason


@pytest.mark.parametrize(("path", "problem"), REFUSED)
def test_the_reason_is_safe_to_print(path: str, problem: str) -> None:
    answer = safe_name(path)
    assert isinstance(answer, Refuse)
    assert answer.reason.isascii()
    assert answer.reason.isprintable()
    assert len(answer.reason) < 300


def test_a_path_that_is_not_a_string_is_refused() -> None:
    for path in (None, 7, b"a.py", ["a.py"]):
        assert isinstance(safe_name(path), Refuse)  # type: ignore[arg-type]  # an engine in error may hand on anything


def test_every_control_and_format_character_is_refused() -> None:
    for point in (
        *range(0x20),
        *range(0x7F, 0xA1),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x2030),
        *range(0x2060, 0x2070),
    ):
        assert isinstance(safe_name(f"a{chr(point)}b.py"), Refuse), hex(point)
