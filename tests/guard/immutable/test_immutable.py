from collections.abc import Callable

import pytest

from whet.config import Config, GuardPolicy, parse
from whet.domain.change import Change
from whet.errors import BadConfig
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import Submission
from whet.guard.immutable import immutable_section
from whet.guard.immutable.documents import Unreadable, documents
from whet.guard.immutable.sections import Value

Touch = Callable[..., Change]
Submit = Callable[..., Submission]
SECTIONS = ("safety", "tools.*.permissions")
POLICY = Config(guard=GuardPolicy(immutable={"config/agents.*": SECTIONS}))
YAML = """\
safety:
  level: 1
  words: [a, b]
  on: true
tools:
  shell:
    permissions: {read: true}
    text: x
  web:
    text: y
other: 1
"""
TOML = '[safety]\nlevel = 1\nwords = ["a", "b"]\n[tools.shell]\npermissions = {read = true}\n'
JSON = '{"safety": {"level": 1, "rate": 1.5, "words": ["a", "b"]}, "tools": {"shell": {"permissions": []}}, "x": 1}'
ANCHORS = "base: &b {level: 1, deep: 2}\nsafety:\n  <<: *b\n  deep: 3\ntools:\n  a: {permissions: *b}\n"
RESOLVED = "base: {level: 1, deep: 2}\nsafety: {deep: 3, level: 1}\ntools:\n  a:\n    permissions:\n      deep: 2\n      level: 1\n"
TWO = "safety: 1\ntools: {a: {permissions: 1}}\n---\nsafety: 2\n"

KEPT = {
    "another key": ("yaml", YAML, YAML.replace("other: 1", "other: 2")),
    "another order of keys": (
        "yaml",
        YAML,
        YAML.replace("  level: 1\n", "").replace("  on: true\n", "  on: true\n  level: 1\n"),
    ),
    "another way to write it": ("yaml", YAML, YAML.replace("[a, b]", "\n  - a\n  - 'b'")),
    "beside a section": ("yaml", YAML, YAML.replace("text: x", "text: z")),
    "a tool without permissions": ("yaml", YAML, YAML + "more: {}\n"),
    "comments": ("yaml", YAML, "# hello\n" + YAML),
    "anchors followed": ("yaml", ANCHORS, RESOLVED),
    "anchors brought in": ("yaml", RESOLVED, ANCHORS),
    "another number of zeros": ("json", JSON, JSON.replace("1.5", "1.50")),
    "json": ("json", JSON, JSON.replace('"x": 1', '"x": 2')),
    "json in another order": ("json", JSON, '{"x": 1, ' + JSON[1:].replace(', "x": 1', "")),
    "toml": ("toml", TOML, TOML + "[x]\ny = 1\n"),
    "another document": ("yaml", TWO, TWO + "---\nother: 1\n"),
    "yml": ("yml", YAML, YAML.replace("other: 1", "other: 2")),
}
CHANGED = {
    "a value": ("yaml", YAML, YAML.replace("level: 1", "level: 2")),
    "a float": ("yaml", YAML, YAML.replace("level: 1", "level: 1.0")),
    "a truth": ("yaml", YAML, YAML.replace("level: 1", "level: true")),
    "a text": ("yaml", YAML, YAML.replace("level: 1", 'level: "1"')),
    "a word of one version only": ("yaml", YAML, YAML.replace("on: true", "on: yes")),
    "an octal": ("yaml", YAML.replace("level: 1", "level: 8"), YAML.replace("level: 1", "level: 010")),
    "a number of one version only": ("yaml", YAML.replace("level: 1", "level: '1e3'"), YAML.replace("level: 1", "level: 1e3")),
    "an octal of one version only": ("yaml", YAML.replace("level: 1", "level: '0o7'"), YAML.replace("level: 1", "level: 0o7")),
    "a yes of one version only": ("yaml", YAML.replace("level: 1", "level: 'y'"), YAML.replace("level: 1", "level: y")),
    "nothing": ("yaml", YAML, YAML.replace("level: 1", "level:")),
    "the order of a list": ("yaml", YAML, YAML.replace("[a, b]", "[b, a]")),
    "a key less": ("yaml", YAML, YAML.replace("  level: 1\n", "")),
    "a key more": ("yaml", YAML, YAML.replace("  level: 1\n", "  level: 1\n  more: 1\n")),
    "a permission": ("yaml", YAML, YAML.replace("{read: true}", "{read: true, write: true}")),
    "new permissions": ("yaml", YAML, YAML.replace("    text: y", "    text: y\n    permissions: {}")),
    "a section that is gone": ("yaml", YAML, YAML.replace("safety:", "unsafe:")),
    "by an anchor": ("yaml", ANCHORS, ANCHORS.replace("level: 1", "level: 2")),
    "by a merge": ("yaml", ANCHORS, ANCHORS.replace("  deep: 3\n", "")),
    "in the second document": ("yaml", TWO, TWO.replace("safety: 2", "safety: 3")),
    "in a third document": ("yaml", TWO, TWO + "---\nsafety: 2\n"),
    "a document less": ("yaml", TWO, TWO.partition("---")[0]),
    "documents turned": ("yaml", "safety: 1\n---\nsafety: 2\ntools: {a: {permissions: 1}}\n",
                         "safety: 2\ntools: {a: {permissions: 1}}\n---\nsafety: 1\n"),
    "json float": ("json", JSON, JSON.replace('"level": 1', '"level": 1.0')),
    "json text": ("json", JSON, JSON.replace('"level": 1', '"level": "1"')),
    "json order": ("json", JSON, JSON.replace('["a", "b"]', '["b", "a"]')),
    "toml order": ("toml", TOML, TOML.replace('["a", "b"]', '["b", "a"]')),
    "json digits": ("json", JSON, JSON.replace("1.5", "1.50000000000000000001")),
    "toml value": ("toml", TOML, TOML.replace("level = 1", "level = 2")),
    "toml text": ("toml", TOML, TOML.replace("level = 1", 'level = "1"')),
    "toml float": ("toml", TOML, TOML.replace("level = 1", "level = 1.0")),
    "toml truth": ("toml", TOML, TOML.replace("level = 1", "level = true")),
}  # fmt: skip
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{last}'] * 10)}]\n" for last, name in zip("abcdef", "bcdefg", strict=True)
)
UNKNOWN = {
    "a key twice": ("yaml", YAML, YAML + "other: 2\n"),
    "a key twice in a section": ("yaml", YAML, YAML.replace("  level: 1\n", "  level: 1\n  level: 1\n")),
    "two merges": ("yaml", ANCHORS, ANCHORS.replace("  <<: *b\n", "  <<: *b\n  <<: *b\n")),
    "a merge of a word": ("yaml", ANCHORS, ANCHORS.replace("<<: *b", "<<: x")),
    "a tag": ("yaml", YAML, YAML.replace("other: 1", "other: !x 1")),
    "a python tag": ("yaml", YAML, YAML.replace("other: 1", "other: !!python/name:os.system x")),
    "a tagged table": ("yaml", YAML, YAML.replace("other: 1", "other: !x {}")),
    "a tagged list": ("yaml", YAML, YAML.replace("other: 1", "other: !x []")),
    "broken yaml": ("yaml", YAML, YAML + "  - x: [\n"),
    "broken before": ("yaml", "a: [", YAML),
    "an anchor that holds itself": ("yaml", YAML, YAML + "loop: &l [*l]\n"),
    "a thousand laughs": ("yaml", YAML, YAML + LAUGHS),
    "a json key twice": ("json", JSON, JSON.replace('"x": 1', '"x": 1, "x": 1')),
    "NaN": ("json", JSON, JSON.replace('"x": 1', '"x": NaN')),
    "a json comment": ("json", JSON, JSON + " // x"),
    "a toml key twice": ("toml", TOML, TOML + "[safety]\n"),
    "no section now": ("yaml", YAML.replace("safety:", "x:"), YAML),
    "no permissions now": ("yaml", YAML.replace("permissions", "x"), YAML),
    "another format": ("ini", "safety = 1\n", "safety = 1\n"),
    "not text": ("json", JSON, JSON.replace("x", "\ufffd")),
    "empty": ("yaml", YAML, ""),
}


def answer(touch: Touch, submit: Submit, kind: str, old: str, new: str) -> object:
    change = touch(f"config/agents.{kind}")
    return immutable_section(change, submit(change, texts={change.path: (old, new)}, policy=POLICY))


@pytest.mark.parametrize(("kind", "old", "new"), KEPT.values(), ids=KEPT.keys())
def test_another_text_with_the_same_values_is_allowed(
    touch: Touch, submit: Submit, kind: str, old: str, new: str
) -> None:
    assert answer(touch, submit, kind, old, new) == Allow()


@pytest.mark.parametrize(("kind", "old", "new"), CHANGED.values(), ids=CHANGED.keys())
def test_a_changed_value_is_refused(touch: Touch, submit: Submit, kind: str, old: str, new: str) -> None:
    result = answer(touch, submit, kind, old, new)
    assert isinstance(result, Refuse)
    assert result.code == "immutable_section"


@pytest.mark.parametrize(("kind", "old", "new"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_a_file_that_cannot_be_compared_is_refused(touch: Touch, submit: Submit, kind: str, old: str, new: str) -> None:
    result = answer(touch, submit, kind, old, new)
    assert isinstance(result, Refuse)
    assert result.code == ("immutable_section" if new == "" else "immutable_unknown")


@pytest.mark.parametrize("status", ["added", "deleted", "type_changed"])
def test_the_file_may_not_be_added_or_deleted(touch: Touch, submit: Submit, status: str) -> None:
    change = touch("config/agents.yaml", status)
    result = immutable_section(change, submit(change, texts={change.path: (YAML, YAML)}, policy=POLICY))
    assert isinstance(result, Refuse)
    assert result.code == "immutable_unknown"


def test_a_file_that_was_not_read_is_refused(touch: Touch, submit: Submit) -> None:
    change = touch("config/agents.yaml")
    assert isinstance(immutable_section(change, submit(change, policy=POLICY)), Refuse)


def test_another_spelling_of_the_path_is_covered_too(touch: Touch, submit: Submit) -> None:
    change = touch("Config/AGENTS.yaml")
    new = YAML.replace("level: 1", "level: 2")
    assert isinstance(
        immutable_section(change, submit(change, texts={change.path: (YAML, new)}, policy=POLICY)), Refuse
    )


def test_other_files_are_allowed(touch: Touch, submit: Submit) -> None:
    change = touch("config/other.yaml")
    assert immutable_section(change, submit(change, policy=POLICY)) == Allow()
    assert immutable_section(touch("config/agents.yaml"), submit(touch())) == Allow()


def test_the_reason_names_the_section(touch: Touch, submit: Submit) -> None:
    result = answer(touch, submit, "yaml", YAML, YAML.replace("read: true", "read: false"))
    assert result == Refuse(
        "config/agents.yaml changes its immutable section 'tools.*.permissions'", "immutable_section"
    )


def test_the_policy_lists_sections_in_a_table() -> None:
    policy = parse(b'[guard.immutable]\n"config/a.yaml" = ["safety", "tools.*.permissions"]\n')
    assert policy.guard.immutable == {"config/a.yaml": ("safety", "tools.*.permissions")}
    for bad in ('""', '"a..b"', '".a"', '" a"', "1"):
        with pytest.raises(BadConfig):
            parse(f'[guard.immutable]\n"a.yaml" = [{bad}]\n'.encode())


def test_the_reason_says_why_a_file_cannot_be_compared() -> None:
    with pytest.raises(Unreadable, match="a key occurs twice"):
        documents("a.json", '{"a": 1, "a": 2}')
    with pytest.raises(Unreadable, match="only YAML, TOML and JSON"):
        documents("a.cfg", "")
    with pytest.raises(Unreadable, match="an anchor contains itself"):
        documents("a.yaml", "a: &a [*a]")


LISTS = "servers:\n- {name: a, key: 1}\n- {name: b, key: 2}\nwords: x\n"


@pytest.mark.parametrize(
    ("section", "old", "new", "code"),
    [
        ("servers.*.key", "name: a", "name: z", ""),
        ("servers.*.key", "key: 2", "key: 3", "immutable_section"),
        ("servers.0.key", "key: 2", "key: 3", ""),
        ("servers.0.key", "key: 1", "key: 3", "immutable_section"),
        ("servers.1", "name: b", "name: z", "immutable_section"),
        ("servers", "- {name: b", "- {name: c, key: 3}\n- {name: b", "immutable_section"),
        ("words.x", "words: x", "words: y", "immutable_unknown"),
        ("words.*", "words: x", "words: y", "immutable_unknown"),
        ("servers.2", "key: 1", "key: 3", "immutable_unknown"),
        ("*", "words: x", "words: y", "immutable_section"),
        ("servers.*.key", "words: x", "1: x", ""),
    ],
)
def test_a_section_path_goes_through_lists_by_number(
    touch: Touch, submit: Submit, section: str, old: str, new: str, code: str
) -> None:
    policy = Config(guard=GuardPolicy(immutable={"a.yaml": (section,)}))
    change = touch("a.yaml")
    result = immutable_section(
        change, submit(change, texts={"a.yaml": (LISTS, LISTS.replace(old, new))}, policy=policy)
    )
    assert (result.code if isinstance(result, Refuse) else "") == code


@pytest.mark.parametrize(
    "value",
    ["~", "null", "true", "0", "-3", "+4", "1.50", "-2.5e3", "2024-01-01", "'x'", "0x1F", "1_000", "12:30", ".inf"],
)
def test_different_values_are_never_equal(value: str) -> None:
    every = [
        "~",
        "true",
        "false",
        "0",
        "7",
        "-3",
        "1.5",
        "2024-01-01",
        "2024-01-02",
        "'x'",
        "0x1F",
        "1_000",
        "12:30",
        ".inf",
        "[]",
        "{}",
    ]
    (document,) = documents("a.yaml", f"a: {value}")
    equal = [other for other in every if documents("a.yaml", f"a: {other}") == [document]]
    same = {"null": "~", "1.50": "1.5"}
    assert equal == [other for other in every if other == same.get(value, value)]


@pytest.mark.parametrize(
    ("value", "other"),
    [("true", "True"), ("null", "~"), ("null", ""), ("+4", "4"), ("1.50", "1.5"), ("1.0e+2", "100.0")],
)
def test_different_spellings_of_one_value_are_equal(value: str, other: str) -> None:
    assert documents("a.yaml", f"a: {value}") == documents("a.yaml", f"a: {other}")


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("1979-05-27", "1979-05-28"),
        ("07:32:00", "07:33:00"),
        ("1.5", "1.6"),
        ("inf", "nan"),
        ("1979-05-27", '"1979-05-27"'),
    ],
)
def test_different_toml_values_are_not_equal(value: str, other: str) -> None:
    assert documents("a.toml", f"a = {value}") == documents("a.toml", f"a = {value}")
    assert documents("a.toml", f"a = {value}") != documents("a.toml", f"a = {other}")


def test_a_large_file_is_read_but_not_one_that_anchors_make_huge() -> None:
    assert documents("a.yaml", "a: [" + "1," * 5_000 + "]")
    with pytest.raises(Unreadable, match="too large"):
        documents("a.yaml", "a: &a [" + "1," * 500 + "]\nb: [" + "*a," * 400 + "]")


def test_an_empty_document_is_null_and_ambiguous_words_keep_their_text() -> None:
    assert documents("a.yaml", "a: 2024-01-01") != documents("a.yaml", "a: 2024-01-02")
    assert documents("a.yaml", "a: 0x10") != documents("a.yaml", "a: 0x11")
    assert documents("a.yaml", "a: 1.5") != documents("a.yaml", "a: 1.6")
    assert documents("a.yaml", "--- \n...\n") == [Value("null", None)]
    assert documents("a.yaml", "") == []
