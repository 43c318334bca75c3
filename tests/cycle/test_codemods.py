"""A declared rewrite is proposed package by package, and proved as a refactoring."""

import pytest

from tests.support import MakeRepo, Repo
from whet.config import parse
from whet.errors import BadConfig

POLICY = """[tests]
folders = ["tests"]
[codemods.declared.plain_get]
search = "$D.get($K, None)"
replace = "$D.get($K)"
why = "None is the default"
"""
FIRST = "def price(book, item):\n    found = book.get(item, None)  # may be missing\n    return 0 if found is None else found\n"
SECOND = "def name(record):\n    return record.get('name', None)\n\n\ndef both(a, b, k):\n    return a.get(k, None), b.get(k, None)\n"
FILES = {
    "whet.toml": POLICY,
    "shop/__init__.py": "",
    "shop/prices.py": FIRST,
    "desk/__init__.py": "",
    "desk/inner/__init__.py": "",
    "desk/inner/names.py": SECOND,
    "tests/test_shop.py": "from shop.prices import price\nfrom desk.inner.names import name\n\n\ndef test_price():\n    assert price({'a': 3}, 'a') == 3\n"
    "    assert price({}, 'a') == 0\n\n\ndef test_name():\n    assert name({'name': 'Ann'}) == 'Ann'\n    assert {}.get('x', None) is None\n",
}


def test_the_places_are_listed_by_package_and_tests_are_left_alone(make_repo: MakeRepo) -> None:
    repo = make_repo({**FILES})
    found = repo.whet("codemod", "plain_get", "--json").json
    assert [(finding["title"], finding["paths"]) for finding in found] == [
        ("plain_get is not done in 3 places of desk", ["desk/inner/names.py"]),
        ("plain_get is not done in 1 place of shop", ["shop/prices.py"]),
    ]
    assert "declared are plain_get" in repo.whet("codemod", "other").err


CODEMOD = """import libcst
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand


class RenameCalls(VisitorBasedCodemodCommand):
    DESCRIPTION = "Rename calls of a function."

    def __init__(self, context: CodemodContext, old: str, new: str) -> None:
        super().__init__(context)
        self.old, self.new = old, new

    def leave_Call(self, original_node, updated_node):
        if isinstance(updated_node.func, libcst.Name) and updated_node.func.value == self.old:
            return updated_node.with_changes(func=libcst.Name(self.new))
        return updated_node
"""
BY_LIBCST = """[tests]
folders = ["tests"]
[codemods.declared.rename]
libcst = "tools.codemods:RenameCalls"
arguments = { old = "add_up", new = "sum" }
paths = ["shop/*.py"]
"""


def by_libcst(make_repo: MakeRepo, **files: str) -> Repo:
    shop = "def add_up(values):\n    return sum(values)\n\n\ndef total(prices):\n    return add_up(prices)  # kept\n"
    test = "from shop.bills import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
    tree = {"whet.toml": BY_LIBCST, "tools/codemods.py": CODEMOD, "shop/bills.py": shop, "tests/test_bills.py": test}
    return make_repo({**tree, **files})


@pytest.mark.long
@pytest.mark.full_proof
@pytest.mark.whets_python
def test_a_libcst_codemod_of_the_project_runs_in_the_sandbox_and_is_proven(make_repo: MakeRepo) -> None:
    repo = by_libcst(make_repo)
    [finding] = repo.whet("codemod", "rename", "--json").json
    assert (finding["title"], finding["paths"]) == ("rename is not done in 1 place of shop", ["shop/bills.py"])
    assert repo.whet("run", "--finding", finding["id"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("codemod", "passed")
    assert "+    return sum(prices)  # kept" in repo.whet("diff", proposal["proposal"]).out


@pytest.mark.long
@pytest.mark.whets_python
def test_a_codemod_that_cannot_run_or_writes_no_python_changes_nothing(make_repo: MakeRepo) -> None:
    missing = by_libcst(make_repo, **{"tools/codemods.py": ""})
    assert "tools.codemods:RenameCalls cannot be imported" in missing.whet("codemod", "rename").err
    assert "tools.codemods:RenameCalls cannot be imported" in missing.whet("scan").out
    missing.commit({"tools/codemods.py": CODEMOD.replace("isinstance(updated", "1 / 0 and isinstance(updated")})
    assert "shop/bills.py: ZeroDivisionError" in missing.whet("codemod", "rename").err
    missing.commit(
        {
            "tools/codemods.py": CODEMOD
            + "\n    def transform_module(self, tree):\n        return type('T', (), {'bytes': b'def ('})\n"
        }
    )
    assert missing.whet("codemod", "rename", "--json").json == []


def test_a_link_is_no_file_of_a_rewrite(make_repo: MakeRepo) -> None:
    """Its target reads like Python too: a rewrite would point the link elsewhere."""
    repo = make_repo(
        {"whet.toml": '[codemods.declared.one]\nsearch = "$A / b"\nreplace = "$A / c"\n', "a.py": "x = a / b\n"}
    )
    (repo.root / "b.py").symlink_to("a/b")
    repo.commit({}, "link")
    assert [finding["paths"] for finding in repo.whet("codemod", "--json").json] == [["a.py"]]


@pytest.mark.parametrize(
    ("rewrite", "words"),
    [
        ('libcst = "a:B"\nsearch = "f($A)"', "give `libcst`, or `search` and `replace`"),
        ('libcst = "a.py"', "String should match pattern"),
        ('search = "f($A)"\nreplace = "g($A)"\narguments = { a = 1 }', "are those of a `libcst` class"),
        ('search = "("\nreplace = "x"', "`search` is not Python"),
        ('search = " "\nreplace = "x"', "`search` is not Python"),
        ('search = "f($A)"\nreplace = "g("', "`replace` is not Python"),
        ('search = "f($A)"\nreplace = "g($B)"', "uses $B, which `search` does not have"),
        ('search = "f($A)"\nreplace = "f($A)"', "`replace` is what `search` finds"),
        ('search = "f($A)"\nreplace = "g($A)"\npaths = []', "at least 1 item"),
        ('search = "f($A)"\nreplace = "g($A)"\npaths = ["{a,b}.py"]', "is not a pattern as in .gitignore"),
    ],
)
def test_a_rewrite_that_could_never_be_done_is_refused(rewrite: str, words: str) -> None:
    with pytest.raises(BadConfig) as refused:
        parse(f"[codemods.declared.a]\n{rewrite}\n".encode())
    assert words in refused.value.message


@pytest.mark.parametrize(
    "rewrite",
    [
        'search = "log($$$A)"\nreplace = ""',
        'search = "return $A or None"\nreplace = "return $A"',
        'search = "except:"\nreplace = "except Exception:"',
    ],
)
def test_rewrites_of_parts_of_statements_are_accepted(rewrite: str) -> None:
    assert parse(f"[codemods.declared.a]\n{rewrite}\n".encode()).codemods.declared


@pytest.mark.full_proof
def test_a_rewrite_that_changes_no_behaviour_is_proven_as_a_refactoring(make_repo: MakeRepo) -> None:
    repo = make_repo({**FILES})
    [_, shop] = repo.whet("codemod", "--json").json
    assert repo.whet("run", "--finding", shop["id"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    shown = repo.whet("show", proposal["proposal"], "--all").out
    assert (proposal["engine"], proposal["verdict"]) == ("codemod", "passed"), shown
    assert "refactoring" in shown
    assert "+    found = book.get(item)  # may be missing" in repo.whet("diff", proposal["proposal"]).out


@pytest.mark.long
@pytest.mark.full_proof
def test_a_rewrite_that_changes_an_answer_does_not_pass(make_repo: MakeRepo) -> None:
    wrong = POLICY.replace('"$D.get($K)"', '"$D[$K]"')
    repo = make_repo(
        {
            **FILES,
            "whet.toml": wrong,
            "tests/test_shop.py": "from shop.prices import price\n\n\ndef test_price():\n    assert price({'a': 3}, 'a') == 3\n",
        }
    )
    [_, shop] = repo.whet("codemod", "--json").json
    repo.whet("run", "--finding", shop["id"], "--json")
    [proposal] = repo.whet("list", "--json").json
    assert proposal["verdict"] != "passed"
