"""The edits in an answer: what is read, what is applied, and what is refused."""

import pytest

from whet.phases.propose.model.apply import Reader, apply_edits
from whet.phases.propose.model.edits import MOST_CHARACTERS, MOST_EDITS, FileEdit, parse_answer

OLD, NEW = "    return a - b\n", "    return a + b\n"


def block(path: str, search: str, replace: str) -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n"


READ = {
    "a path above the fence": (block("src/a.py", OLD, NEW), [FileEdit("src/a.py", OLD, NEW)]),
    "prose around it": (f"Sure!\n\n{block('a.py', OLD, NEW)}\nThat is all.", [FileEdit("a.py", OLD, NEW)]),
    "a decorated path": (block("**`src/a.py`**:", OLD, NEW), [FileEdit("src/a.py", OLD, NEW)]),
    "a path with a label": (block("path: a.py", OLD, NEW), [FileEdit("a.py", OLD, NEW)]),
    "a blank line under the path": (block("a.py\n", OLD, NEW), [FileEdit("a.py", OLD, NEW)]),
    "a path in the fence": (
        f"```python a.py\n<<<<<<< SEARCH\n{OLD}=======\n{NEW}>>>>>>> REPLACE\n```",
        [FileEdit("a.py", OLD, NEW)],
    ),
    "no fence at all": (f"a.py\n<<<<<<< SEARCH\n{OLD}=======\n{NEW}>>>>>>> REPLACE\n", [FileEdit("a.py", OLD, NEW)]),
    "two blocks under one path": (
        f"a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n<<<<<<< SEARCH\n{OLD}=======\n{NEW}>>>>>>> REPLACE\n```",
        [FileEdit("a.py", "x\n", "y\n"), FileEdit("a.py", OLD, NEW)],
    ),
    "two files": (block("a.py", "x\n", "y\n") + block("b.py", OLD, NEW), [FileEdit("a.py", "x\n", "y\n"), FileEdit("b.py", OLD, NEW)]),
    "a new file": (block("pkg/new.py", "", NEW), [FileEdit("pkg/new.py", "", NEW)]),
    "a removal": (block("a.py", OLD, ""), [FileEdit("a.py", OLD, "")]),
    "carriage returns": (block("a.py", OLD, NEW).replace("\n", "\r\n"), [FileEdit("a.py", OLD, NEW)]),
    "fences in the code": (block("a.py", '"""\n```\n"""\n', '"""\n~~~\n"""\n'), [FileEdit("a.py", '"""\n```\n"""\n', '"""\n~~~\n"""\n')]),
    "a whole file": (f"WHOLE FILE: a.py\n```python\n{NEW}```", [FileEdit("a.py", None, NEW)]),
    "a whole file with fences": ("WHOLE FILE: a.md\n````\n```\nx\n```\n````", [FileEdit("a.md", None, "```\nx\n```\n")]),
    "an underlined heading": (block("a.md", "Title\n=====\n", "Name\n"), [FileEdit("a.md", "Title\n=====\n", "Name\n")]),
    "longer markers": (block("a.py", OLD, NEW).replace("<<<<<<<", "<<<<<<<<<").replace(">>>>>>>", ">>>>>"), [FileEdit("a.py", OLD, NEW)]),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "edits"), READ.values(), ids=READ)
def test_an_answer_is_read(answer: str, edits: list[FileEdit]) -> None:
    parsed = parse_answer(answer)
    assert (list(parsed.edits), parsed.problem) == (edits, "")


NOT_READ = {
    "prose": ("I think the minus should be a plus.", "no SEARCH/REPLACE block"),
    "nothing": ("", "no SEARCH/REPLACE block"),
    "JSON": ('{"path": "a.py", "search": "x", "replace": "y"}', "no SEARCH/REPLACE block"),
    "a unified diff": ("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n", "no SEARCH/REPLACE block"),
    "no path": ("```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```", "has no path"),
    "prose instead of a path": (block("Here is the fix", "x\n", "y\n"), "has no path"),
    "no divider": ("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n", "no ======="),
    "no end": ("a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n", "no >>>>>>> REPLACE"),
    "a block in a block": (
        "a.py\n<<<<<<< SEARCH\nx\n<<<<<<< SEARCH\ny\n=======\nz\n>>>>>>> REPLACE\n",
        "no >>>>>>> REPLACE",
    ),
    "two dividers": ("a.md\n<<<<<<< SEARCH\nx\n=======\ny\n=======\nz\n>>>>>>> REPLACE\n", "several ======="),
    "a whole file that is cut off": ("WHOLE FILE: a.py\n```python\nx = 1\n", "no closing fence"),
    "a whole file without a fence": ("WHOLE FILE: a.py\nx = 1\n", "does not begin with a fence"),
    "10 MB": ("x" * 10_000_000, f"{MOST_CHARACTERS} are the most"),
    "endless blocks": (block("a.py", "x\n", "y\n") * (MOST_EDITS + 1), f"more than {MOST_EDITS} edits"),
}


@pytest.mark.parametrize(("answer", "problem"), NOT_READ.values(), ids=NOT_READ)
def test_an_answer_is_not_read(answer: str, problem: str) -> None:
    assert problem in parse_answer(answer).problem


ADD = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n\n\nx = 1\n"


def reader(**files: str) -> Reader:
    return lambda path: files.get(path.replace("/", "_").removesuffix(".py"))


APPLIED = {
    "exactly": (ADD, "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n", ADD.replace("a - b", "a + b", 1)),
    "without its indentation": (ADD, "x = 1\n", "x = 2\n", ADD.replace("x = 1", "x = 2")),
    "indented otherwise": ("class A:\n    def f(self):\n        return 1\n", "def f(self):\n    return 1\n", "def f(self):\n    return 2\n", "class A:\n    def f(self):\n        return 2\n"),
    "spaces for tabs": ("def f():\n\treturn 1\n", "    return 1\n", "    return 2\n", "def f():\n\treturn 2\n"),
    "other spaces in a line": ("x  =  [1,2]\n", "x = [1, 2]\n", "x = [1, 2, 3]\n", "x = [1, 2, 3]\n"),
    "carriage returns stay": ("a = 1\r\nb = 2\r\n", "b = 2\n", "b = 3\n", "a = 1\r\nb = 3\r\n"),
    "no newline at the end": ("a = 1\nb = 2", "b = 2\n", "b = 3\n", "a = 1\nb = 3"),
    "removed lines": ("a = 1\nb = 2\n", "b = 2\n", "", "a = 1\n"),
    "letters beyond ASCII": ("name = 'Ä€😀'\n", "name = 'Ä€😀'\n", "name = 'ö'\n", "name = 'ö'\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "search", "replace", "after"), APPLIED.values(), ids=APPLIED)
def test_an_edit_is_applied(before: str, search: str, replace: str, after: str) -> None:
    applied = apply_edits([FileEdit("a.py", search, replace)], reader(a=before))
    assert applied.misfits == ()
    assert applied.files == {"a.py": after}


REFUSED = {
    "twice in the file": (FileEdit("a.py", OLD, NEW), "occurs 2 times"),
    "twice but for spaces": (FileEdit("a.py", "return a-b\n", "return a+b\n"), "occurs 2 times"),
    "not in the file": (FileEdit("a.py", "    return c - d\n", NEW), "does not occur"),
    "an empty search in a file": (FileEdit("a.py", "", NEW), "exists already"),
    "a missing file": (FileEdit("none.py", OLD, NEW), "there is no file none.py"),
    "a large file as a whole": (FileEdit("big.py", None, NEW), "too long to replace"),
    "a parent folder": (FileEdit("../a.py", "", NEW), "'..' segment"),
    "a parent folder inside": (FileEdit("src/../../a.py", "", NEW), "'..' segment"),
    "an absolute path": (FileEdit("/etc/passwd", "", NEW), "is absolute"),
    "a hidden character": (FileEdit("a\u200b.py", "", NEW), "do not show"),
    "a backslash": (FileEdit("..\\a.py", "", NEW), "not every file system"),
    "an option": (FileEdit("-rf.py", "", NEW), "option"),
    "a folder twice": (FileEdit("src//a.py", "", NEW), "empty segment"),
    "a redacted secret": (FileEdit("a.py", "x = 1\n", "x = '[redacted: password]'\n"), "redacted secret"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "reason"), REFUSED.values(), ids=REFUSED)
def test_an_edit_is_refused(edit: FileEdit, reason: str) -> None:
    applied = apply_edits([edit], reader(a=ADD, big="x = 1\n" * 151))
    assert applied.files == {}
    [misfit] = applied.misfits
    assert reason in misfit.reason


def test_a_search_that_misses_gets_the_nearest_lines() -> None:
    source = (
        "def total(prices):\n    result = 0\n    for price in prices:\n        result -= price\n    return result\n"
    )
    [misfit] = apply_edits([FileEdit("a.py", "        result -= prices\n", "")], reader(a=source)).misfits
    assert "result -= price" in misfit.nearest


def test_an_edit_without_effect_is_dropped_and_the_others_are_applied() -> None:
    same = FileEdit("a.py", "x = 1\n", "x = 1\n")
    applied = apply_edits([same, FileEdit("a.py", "x = 1\n", "x = 2\n")], reader(a=ADD))
    assert applied.misfits == ()
    assert applied.files == {"a.py": ADD.replace("x = 1", "x = 2")}
    assert apply_edits([same], reader(a=ADD)).files == {}


def test_overlapping_edits_leave_the_second_unapplied() -> None:
    edits = [FileEdit("a.py", "x = 1\n", "x = 2\n"), FileEdit("a.py", "\n\nx = 1\n", "\n\nx = 3\n")]
    applied = apply_edits(edits, reader(a=ADD))
    assert [misfit.edit for misfit in applied.misfits] == [edits[1]]


def test_a_large_file_may_be_replaced_after_two_misses() -> None:
    applied = apply_edits([FileEdit("big.py", None, NEW)], reader(big="x = 1\n" * 151), whole_files=True)
    assert applied.files == {"big.py": NEW}


def test_a_path_that_begins_in_this_folder_is_the_same_file() -> None:
    assert apply_edits([FileEdit("./a.py", "x = 1\n", "x = 2\n")], reader(a=ADD)).files.keys() == {"a.py"}
