import ast

from whet.guard.content.passage import Passage
from whet.guard.content.rules import CONTENT_CODES, CONTENT_RULES, findings

OLD = "import os\ndef f():\n    return os.sep\n"


def test_moved_and_reindented_lines_are_not_added_text() -> None:
    assert Passage("a.py", "a\nb\n", "b\na\n").added_text == ()
    assert Passage("a.py", "a\n", "if x:\n    a\n    a\n").added_text == ((1, "if x:"), (3, "    a"))
    assert Passage("a.py", "a\na\n", "a\nb\n").added_text == ((2, "b"),)
    assert Passage("a.py", "a\na\n", "if x:\n    a\n    a\n").added_text == ((1, "if x:"),)


def test_only_nodes_on_added_lines_are_touched() -> None:
    passage = Passage("a.py", OLD, OLD + "@d(1)\ndef g():\n    return h(2)\n")
    assert {name for _, name in passage.calls()} == {"d", "h"}
    assert {node.id for node in passage.touched(ast.Name)} == {"d", "h"}


def test_a_changed_decorator_is_touched_without_its_function() -> None:
    old = "@d(1)\ndef g():\n    return h(2)\n"
    assert [name for _, name in Passage("a.py", old, old.replace("1", "9")).calls()] == ["d"]


def test_a_node_over_several_lines_is_touched_by_any_of_them() -> None:
    old = "f(\n    1,\n    2,\n)\n"
    assert [name for _, name in Passage("a.py", old, old.replace("2", "3")).calls()] == ["f"]


def test_a_node_is_new_if_there_are_more_of_it_than_before() -> None:
    passage = Passage("a.py", "f(1)\n", "f(1)\nf(1)\ng(2)\n")
    assert [passage.is_new(call) for call, _ in passage.calls()] == [True, True]
    moved = Passage("a.py", "f(1)\ng(2)\n", "g(2)\nf(1)\n")
    assert [moved.is_new(call) for call, _ in moved.calls()] == [False]


def test_a_text_that_is_not_python_has_no_tree() -> None:
    for text in ("def f(:\n", "x = '\0'\n"):
        passage = Passage("a.py", OLD, text)
        assert passage.tree is None
        assert list(passage.calls()) == []
    assert Passage("a.md", "", "x = 1").tree is None
    assert all(Passage(path, "", "x = 1").tree is not None for path in ("A.PY", "a.pyi", "a.pyw"))


def test_everything_is_new_if_the_old_text_was_not_python() -> None:
    passage = Passage("a.py", "def f(:\n", "f(1)\n")
    assert all(passage.is_new(call) for call, _ in passage.calls())


def test_there_is_one_finding_per_rule_and_severity_and_it_names_the_lines() -> None:
    text = "import requests\n" + "".join(f"requests.get({n}, verify=False)\n" for n in range(6))
    (finding,) = findings(Passage("src/a.py", "", text))
    assert (finding.rule, finding.severity, finding.path) == ("tls_disabled", "block", "src/a.py")
    assert finding.reason.startswith("src/a.py disables certificate checks: `verify=False` (line 2), ")
    assert finding.reason.endswith("(line 5) and 2 more")


def test_the_worst_finding_comes_first() -> None:
    text = "import requests, pickle\ntry:\n    pickle.loads(x)\nexcept KeyError:\n    pass\nrequests.get(1, verify=False)\n"
    assert [finding.severity for finding in findings(Passage("src/a.py", "", text))] == ["block", "raise", "note"]


def test_every_code_is_listed() -> None:
    assert {finding.rule for finding in findings(Passage("src/a.py", "", "f(verify=False)\n"))} <= CONTENT_CODES
    assert len(CONTENT_RULES) == len(set(CONTENT_RULES)) == 13
