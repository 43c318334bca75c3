import pytest

from tests.guard.content.rows import remarks
from whet.guard.content.passage import Passage
from whet.guard.content.removed_notices import removed_notices

HEAD = "# Copyright (c) 2019 Ann Author\n# SPDX-License-Identifier: MIT\nx = 1\n"
DOC = '"""A module.\n\n:copyright: (c) 2012 by Ann.\n"""\nx = 1\n'
NAMES = '"""A."""\n__copyright__ = "Copyright 2012 Ann"\n__license__ = "Apache License"\n'
QUIET = {
    "code": (HEAD, HEAD.replace("x = 1", "x = 2"), "a.py"),
    "another year": (HEAD, HEAD.replace("2019", "2019-2026"), "a.py"),
    "another comment mark": (HEAD, HEAD.replace("# Copyright", "#  Copyright"), "a.py"),
    "moved": (HEAD, "# Copyright (c) 2019 Ann Author\nimport re\n# SPDX-License-Identifier: MIT\nx = 1\n", "a.py"),
    "added": ("x = 1\n", HEAD, "a.py"),
    "a program about licences": ("x = 1\n" * 80 + "license = 'MIT license'\n", "x = 1\n" * 80, "a.py"),
    "a new file": ("", HEAD, "a.py"),
    "a notice that sinks": ("x\n" * 55 + "Copyright Ann\n", "x\n" * 90 + "Copyright Ann\n", "docs/a.md"),
    "code with such a name": ("x = 1\n", "x = 2\n", "src/license_parser.py"),
    "more code with such a name": ("x = 1\n", "x = 2\n", "src/notice.py"),
    "below the head": ("x\n" * 60 + "Copyright Ann\n", "x\n" * 60, "docs/a.md"),
    "a word in toml": ('copyright = "x"', "y = 1", "a.toml"),
    "a word in settings": ("copyright = x", "y = 1", "a.cfg"),
    "a word in ini": ("copyright = x", "y = 1", "a.ini"),
    "a word in yml": ("copyright: x", "y: 1", "a.yml"),
    "a word in yaml": ("copyright: x", "y: 1", "a.YAML"),
    "a word in data": ('{"copyright": "x"}', "{}", "a.json"),
    "an empty line of a licence": ("MIT\n\nfree\n", "MIT\nfree\n", "LICENSE"),
    "the year of a licence": ("Copyright 2019 Ann\n", "Copyright 2020 Ann\n", "LICENSE.txt"),
}
SPEAKS = {
    "the copyright": (HEAD, HEAD.replace("# Copyright (c) 2019 Ann Author\n", ""), "a.py"),
    "the licence": (HEAD, HEAD.replace("# SPDX-License-Identifier: MIT\n", ""), "a.py"),
    "another holder": (HEAD, HEAD.replace("Ann Author", "Bob"), "a.py"),
    "another licence": (HEAD, HEAD.replace("MIT", "Proprietary"), "a.py"),
    "in a docstring": (DOC, DOC.replace(":copyright: (c) 2012 by Ann.\n", ""), "a.py"),
    "in a name": (NAMES, NAMES.replace('__license__ = "Apache License"\n', ""), "a.py"),
    "one of two": ("# Copyright Ann\n" * 2, "# Copyright Ann\n", "a.py"),
    "far below, in a comment": ("x = 1\n" * 80 + "# Copyright Ann\n", "x = 1\n" * 80, "a.py"),
    "a line of the licence": ("MIT\nfree for all\n", "MIT\n", "LICENSE"),
    "a notice": ("thanks to Bob\n", "x\n", "NOTICE.md"),
    "a document": ("<!-- Copyright Ann -->\nx\n", "x\n", "docs/a.md"),
    "the last line of the head": ("x\n" * 59 + "Copyright Ann\n", "x\n" * 59, "docs/a.md"),
    "a licence by name": ("MIT\nfree\n", "MIT\n", "third_party/LICENSE-MIT.txt"),
    "a warranty": ("# WITHOUT WARRANTY of any kind\nx = 1\n", "x = 1\n", "a.py"),
    "in yaml": ("# Copyright Ann\na: 1\n", "a: 1\n", "a.yaml"),
}


@pytest.mark.parametrize(("old", "new", "path"), QUIET.values(), ids=QUIET.keys())
def test_a_kept_notice_is_not_remarked_on(old: str, new: str, path: str) -> None:
    assert remarks(removed_notices, new, old, path) == set()


@pytest.mark.parametrize(("old", "new", "path"), SPEAKS.values(), ids=SPEAKS.keys())
def test_a_removed_notice_is_blocked(old: str, new: str, path: str) -> None:
    assert remarks(removed_notices, new, old, path) == {("block", "notice_removed")}


def test_an_emptied_file_is_left_to_the_limits() -> None:
    assert remarks(removed_notices, "", HEAD) == set()


def test_the_remark_quotes_the_notice() -> None:
    (remark,) = removed_notices(Passage("a.py", HEAD, HEAD.replace("Ann Author", "Bob")))
    assert (remark.line, remark.what) == (1, "removes a copyright or licence notice: 'copyright c ann author'")
