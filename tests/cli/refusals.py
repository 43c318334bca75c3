"""Assertions about refusals: an exit code, a message and a remedy; with --json the same as an object."""

from tests.support import CommandResult, Repo

SMALL: dict[str, str | bytes] = {
    "m.py": "def f():\n    return 1\n",
    "tests/test_m.py": "from m import f\n\n\ndef test_f():\n    assert f() == 1\n",
    "whet.toml": '[tests]\nfolders = ["tests"]\n',
}


def refuses(result: CommandResult, code: int, *words: str) -> None:
    # On a loaded machine a step may take long enough to report its progress ("…").
    lines = [line for line in result.err.splitlines() if not line.strip().startswith(("✓", "…"))]
    assert result.code == code, (result.out, result.err)
    assert len(lines) == 2, result.err
    assert lines[0].startswith("whet: ")
    assert lines[1].startswith("      ")
    assert lines[1].strip()
    for word in words:
        assert word in result.err, result.err


def refuses_in_json(result: CommandResult, code: int, name: str, *words: str) -> None:
    assert result.code == code, (result.out, result.err)
    assert set(result.json) == {"error"}
    error = result.json["error"]
    assert error["code"] == name
    assert error["message"]
    assert error["remedy"]
    for word in words:
        assert word in f"{error['message']}\n{error['remedy']}", error


def refuses_both_ways(repo: Repo, command: str, code: int, name: str, *words: str) -> None:
    refuses(repo.whet(*command.split()), code, *words)
    refuses_in_json(repo.whet(*command.split(), "--json"), code, name, *words)
