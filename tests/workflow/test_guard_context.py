from tests.support import MakeRepo
from whet.git.git import Git
from whet.guard.change.self_change import DEFINITIONS
from whet.guard.declared.reference import Declared, Role
from whet.workflow.guard_context import context_at, guard_context, holds_whet


def test_the_guard_is_told_what_lies_around_a_change(make_repo: MakeRepo) -> None:
    repo = make_repo({
        "a.py": "x = 1\n", ".gitattributes": "*.bin filter=lfs\n", "sub/.gitignore": "*.log\n",
        "requirements.txt": "Acme_Tools>1\n", "sub/pyproject.toml": "broken",
        "pyproject.toml": '[project.scripts]\na = "a:main"\n',
    })  # fmt: skip
    git = Git(repo.root)
    files = {"a.py": b"x = 2\n", "sub/.gitattributes": b"*.py ident\n", "requirements.txt": b"other\n"}
    patch = git.patch(git.resolve("HEAD"), git.with_files("HEAD", files), "a change")
    around = guard_context(patch, git, frozenset({"acme_tools"}))
    assert "sub/.gitignore" in around.paths
    assert "sub/.gitattributes" not in around.paths
    assert around.attributes == {"": "*.bin filter=lfs\n", "sub": "*.py ident\n"}
    assert around.ignores["sub"] == "*.log\n"
    assert around.required == {"acme-tools"}
    assert around.installed == {"acme_tools"}
    assert around.is_whet is False
    assert around.declared["a.py"] == (Declared(Role.ENTRY_POINT, "pyproject.toml", "main"),)
    assert context_at(git, "HEAD").declared == around.declared


def test_whet_is_found_wherever_it_lies(make_repo: MakeRepo) -> None:
    parts = {f"third_party/renamed/part{n}.py": f"{word}\n" for n, word in enumerate(DEFINITIONS)}
    repo = make_repo({"a.py": "x = 1\n", **parts})
    assert holds_whet(Git(repo.root), "HEAD")
    assert not holds_whet(Git(make_repo({"a.py": DEFINITIONS[0]}).root), "HEAD")


def test_the_manifests_of_the_base_decide_and_not_those_of_the_change(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x = 1\n", "pyproject.toml": '[project.scripts]\na = "a:main"\n'})
    git = Git(repo.root)
    tree = git.with_files("HEAD", {"pyproject.toml": b"", "a.py": b"x = 2\n"})
    patch = git.patch(git.resolve("HEAD"), tree, "hide the entry point")
    assert "a.py" in guard_context(patch, git, frozenset()).declared
