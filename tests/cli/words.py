"""What a person may expect of a refusal: an exit code, one sentence, one way out; the same as an object with --json."""

from tests.support import Repo, Said

SMALL: dict[str, str | bytes] = {
    "m.py": "def f():\n    return 1\n",
    "tests/test_m.py": "from m import f\n\n\ndef test_f():\n    assert f() == 1\n",
    "whet.toml": '[tests]\nfolders = ["tests"]\n',
}


def refuses(said: Said, code: int, *words: str) -> None:
    lines = [line for line in said.err.splitlines() if "✓" not in line]
    assert said.code == code, (said.out, said.err)
    assert len(lines) == 2, said.err
    assert lines[0].startswith("whet: ")
    assert lines[1].startswith("      ")
    assert lines[1].strip()
    for word in words:
        assert word in said.err, said.err


def refuses_in_json(said: Said, code: int, name: str, *words: str) -> None:
    assert said.code == code, (said.out, said.err)
    assert set(said.json) == {"error"}
    error = said.json["error"]
    assert error["code"] == name
    assert error["message"]
    assert error["remedy"]
    for word in words:
        assert word in f"{error['message']}\n{error['remedy']}", error


def refuses_both_ways(repo: Repo, command: str, code: int, name: str, *words: str) -> None:
    refuses(repo.whet(*command.split()), code, *words)
    refuses_in_json(repo.whet(*command.split(), "--json"), code, name, *words)
