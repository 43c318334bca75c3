"""Numbers in files are replaced in place; everything else stays."""

import pytest

from whet.errors import UsageError
from whet.knowledge.constants import read_constants, with_constants

PYTHON = (
    '# sizes\nBATCH = 2  # ü items\nRATE: float = 0.5\n\n\ndef send(items, retries=3, *, wait=1.5):\n    return "é"\n'
)
TOML = '# limits\n[queue]\nsize = 10  # at most\nname = "a"\n[queue.retry]\nwait = 0.5\n'
YAML = "# agents\nqueue:\n  size: 10  # at most\n  name: 'a'\n  retry: {wait: 0.5, times: 2}\n"
JSON = '{\n  "queue": {"size": 10, "name": "a",\n    "retry": {"wait": 0.5}}\n}\n'


@pytest.mark.parametrize(
    ("path", "text", "values", "old", "new"),
    [
        ("a.py", PYTHON, {"BATCH": 7.0}, "BATCH = 2 ", "BATCH = 7 "),
        ("a.py", PYTHON, {"RATE": 0.25}, "RATE: float = 0.5", "RATE: float = 0.25"),
        ("a.py", PYTHON, {"send.retries": 9, "send.wait": 2}, "retries=3, *, wait=1.5", "retries=9, *, wait=2.0"),
        ("a.toml", TOML, {"queue.size": 64}, "size = 10 ", "size = 64 "),
        ("a.toml", TOML, {"queue.retry.wait": 0.1}, "wait = 0.5", "wait = 0.1"),
        ("a.yaml", YAML, {"queue.size": 64}, "size: 10 ", "size: 64 "),
        ("a.yml", YAML, {"queue.retry.wait": 0.1}, "wait: 0.5", "wait: 0.1"),
        ("a.json", JSON, {"queue.size": 64, "queue.retry.wait": 0.1}, "", ""),
    ],
)
def test_only_the_number_changes(path: str, text: str, values: dict[str, float], old: str, new: str) -> None:
    changed = with_constants(path, text, values)
    expected = text.replace(old, new) if old else JSON.replace("10", "64").replace("0.5", "0.1")
    assert changed == expected
    assert list(read_constants(path, changed, values).values()) == list(values.values())


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.py", PYTHON, "MISSING"),
        ("a.py", PYTHON, "send.items"),
        ("a.py", "X = True\n", "X"),
        ("a.py", "X = f()\n", "X"),
        ("a.py", "X = (\n", "X"),
        ("a.toml", TOML, "queue.name"),
        ("a.toml", TOML, "queue"),
        ("a.toml", "= 1", "x"),
        ("a.yaml", YAML, "queue.none"),
        ("a.yaml", "a: [", "a"),
        ("a.txt", "X = 1", "X"),
    ],
)
def test_what_is_not_a_number_in_a_known_kind_of_file_is_refused(path: str, text: str, name: str) -> None:
    with pytest.raises(UsageError):
        read_constants(path, text, {name: None})
