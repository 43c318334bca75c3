"""A text without one of its parts is otherwise the same text."""

import pytest

from whet.knowledge.ablation import without_each_part

PROMPT = """# Title

Be kind.

## Style
- short words
  over two lines
- no jargon

```
## no heading
- no item
```

## Rules

1. first
2. second
"""


def test_sections_and_items_of_markdown_are_left_out_one_at_a_time() -> None:
    versions = {shorter.change: shorter.text for shorter in without_each_part("prompts/a.md", PROMPT)}
    assert sorted(versions) == [
        "without the item '- no jargon'",
        "without the item '- short words'",
        "without the item '1. first'",
        "without the item '2. second'",
        "without the section 'Rules'",
        "without the section 'Style'",
    ]
    assert versions["without the section 'Style'"] == PROMPT.replace(
        PROMPT[PROMPT.index("## Style") : PROMPT.index("## Rules")], ""
    )
    assert versions["without the item '- short words'"] == PROMPT.replace("- short words\n  over two lines\n", "")


def test_list_items_of_yaml_are_left_out_with_comments_and_order_kept() -> None:
    text = "# top\nsteps:\n  # the first\n  - name: a\n    run: x   # why\n  - name: b\n    tags:\n      - one\n      - two\n\nlimit: 3 # end\n"
    versions = {shorter.change: shorter.text for shorter in without_each_part("flow.yaml", text)}
    assert versions["""without '{"name": "a", "run": "x"}' in steps"""] == text.replace(
        "  - name: a\n    run: x   # why\n", ""
    )
    assert versions["""without '"two"' in steps.1.tags"""] == text.replace("      - two\n", "")
    assert len(versions) == 4


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"steps": ["a", "b"]}'),  # on one line: lines cannot be left out
        ("a.yaml", "steps: [a, b]\n"),
        ("a.yaml", "steps:\n- a\n- b\n  c: ]["),  # not YAML
        ("a.toml", "steps = [1, 2]\n"),
        ("a.md", "# Only a title\n\ntext\n"),
    ],
)
def test_what_cannot_be_cut_line_by_line_gives_no_version(path: str, text: str) -> None:
    assert list(without_each_part(path, text)) == []


def test_json_lists_over_several_lines_keep_their_commas_right() -> None:
    text = '{\n  "steps": [\n    "a",\n    "b"\n  ]\n}\n'
    assert [shorter.text for shorter in without_each_part("a.json", text)] == ['{\n  "steps": [\n    "b"\n  ]\n}\n']
