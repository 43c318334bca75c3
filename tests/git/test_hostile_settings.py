"""Settings and attributes of a repository start no program, whichever subcommand of git whet calls."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import whet
from tests.git.hostile import HARMLESS, HOOKS, LOOKS_LIKE_A_PROGRAM, PROGRAMS, Traps, make_hostile, write_settings
from tests.support import MakeRepo, Repo
from whet.errors import Corrupt
from whet.git.checkout import Checkout
from whet.git.git import ZERO, Git, open_repository
from whet.git.settings import OVERRIDES, READING
from whet.sandbox.process import call

NO_FILTERS = ("-c", "filter.evil.process=", "-c", "filter.evil.required=false")
FILES: dict[str, str | bytes] = {
    "a.py": "x = 1\n", "b.txt": "one\n", "c.md": "# c\n", "sub/d.py": "y = 1\n", ".gitignore": "ignored\n",
}  # fmt: skip
AT = datetime(2026, 1, 2, tzinfo=UTC)


def follow(checkout: Checkout) -> None:
    """Bring the checkout to a commit that changes files with filters, after a crash that wrote one of them."""
    old = checkout.resolve("HEAD")
    changed = {"a.py": b"x = 2\n", "b.txt": b"two\n", "c.md": b"# d\n", "sub/d.py": None, "new/e.txt": b"new\n"}
    new = checkout.commit(checkout.with_files(old, changed), old, "change", "a <a@b>", AT)
    (checkout.root / "b.txt").write_text("two\n")
    checkout.move_ref("refs/heads/main", new, old, "test")
    checkout.follow(old, new)
    assert (checkout.root / "a.py").read_text() == "x = 2\n"
    assert checkout.dirty_paths() == []


def refs(checkout: Checkout) -> None:
    head = checkout.resolve("HEAD")
    checkout.move_ref("refs/heads/other", head, ZERO, "test")
    checkout.remove_ref("refs/heads/other", head)


def new_commit(checkout: Checkout) -> None:
    (checkout.root / "a.py").write_text("x = 5\n")
    checkout.ask("add", "--all")
    checkout.ask("commit", "--quiet", "--message", "by hand")


def diffs(checkout: Checkout) -> None:
    changed = checkout.with_files("HEAD", {"a.py": b"x = 3\n", "b.txt": b"bin\0\n"})
    assert b"x = 3" in checkout.diff("HEAD", changed)
    assert len(checkout.changes("HEAD", changed)) == 2
    checkout.ask(
        "diff-tree", "-p", "--no-color", "--no-ext-diff", "HEAD", changed, "--", "a.py"
    )  # app/deployments/rollback.py


def listed(checkout: Checkout) -> None:
    assert checkout.tracks("a.py")
    checkout.untracked_obstacles(["a.py", "new.txt", "sub"])
    checkout.ask("ls-files", "--others", "--ignored", "--exclude-standard", "-z")  # target/missing_files.py


def dirty(checkout: Checkout) -> None:
    """The content is compared, because the time stamps differ."""
    for name in ("a.py", "b.txt", "c.md"):
        path = checkout.root / name
        path.write_bytes(path.read_bytes())
    assert checkout.dirty_paths() == []
    (checkout.root / "a.py").write_text("x = 4\n")
    assert checkout.dirty_paths() == ["a.py"]


def patched(checkout: Checkout) -> None:
    diff = checkout.diff("HEAD", checkout.with_files("HEAD", {"a.py": b"x = 3\n"}))
    assert checkout.apply("HEAD", diff)


Call = Callable[[Checkout], object]
# Every subcommand that whet calls, with a call of whet that uses it.
CALLS: dict[str, Call] = {
    "add": new_commit,
    "apply": patched,
    "cat-file": lambda git: (git.has("HEAD"), git.tar(git.tree_of("HEAD")), git.read("HEAD", "a.py")),
    "commit": new_commit,
    "commit-tree": lambda git: git.commit(git.tree_of("HEAD"), "HEAD", "message", "a <a@b>", AT),
    "config": lambda git: git.ask("config", "user.name", "demo"),
    "diff-tree": diffs,
    "for-each-ref": lambda git: git.text("for-each-ref", "--format=%(refname)", "refs/heads"),
    "grep": lambda git: git.words_in("HEAD", ["x", "one"]),
    "hash-object": follow,
    "init": lambda git: git.ask("init", "--quiet", "--initial-branch=main"),
    "log": lambda git: (
        git.log("HEAD", "a.py", grep="first"),
        git.text("log", "-1", "--stat", "main"),
        git.logged(git.newest_commits("HEAD", 9)),
    ),
    "ls-files": listed,
    "ls-tree": lambda git: git.entries("HEAD"),
    "merge-base": lambda git: git.is_ancestor("HEAD", "main"),
    "merge-file": lambda git: git.merge_texts(b"a\nb\nc\n", b"1\nb\nc\n", b"2\nb\nc\n"),
    "mktree": lambda git: git.text("mktree"),
    "read-tree": follow,
    "rev-list": lambda git: git.first_commit(),
    "rev-parse": lambda git: (git.resolve("main"), git.tree_of("HEAD"), git.common_folder),
    "status": dirty,
    "symbolic-ref": lambda git: git.branch(),
    "update-index": follow,
    "update-ref": refs,
    "version": lambda git: git.text("version"),
    "worktree": lambda git: git.checked_out("refs/heads/main"),
    "write-tree": lambda git: git.with_files("HEAD", {"a.py": b"x = 9\n"}),
}  # fmt: skip


def subcommands_in_source() -> set[str]:
    """Return the first argument of every call of ask, try_ask, text, run and _ask_about in the source."""
    names: set[str] = set()
    for file in Path(whet.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                names |= set(_subcommand(node.func, node.args))
    return names


def _subcommand(function: ast.Attribute, arguments: list[ast.expr]) -> list[str]:
    owner = ast.unparse(function.value)
    if not re.fullmatch(r"self|probe|.*\bgit\b.*|.*_git|Git.*|checkout|.*Checkout.*|GitCommand.*", owner):
        return []
    if function.attr == "_ask_about":
        arguments = arguments[1:]
    elif function.attr == "run" and arguments and isinstance(arguments[0], ast.Tuple):
        arguments = arguments[0].elts
    elif function.attr not in ("ask", "try_ask", "text"):
        return []
    first = arguments[0] if arguments else None
    return [first.value] if isinstance(first, ast.Constant) and isinstance(first.value, str) else []


def test_every_subcommand_that_whet_calls_has_a_row() -> None:
    assert subcommands_in_source() == CALLS.keys()
    assert CALLS.keys() >= READING


def test_every_setting_of_the_installed_git_that_may_hold_a_program_is_classified() -> None:
    keys = subprocess.check_output(["git", "help", "--config"], text=True).split()
    unknown = [key for key in keys if re.fullmatch(LOOKS_LIKE_A_PROGRAM, key) and key not in HARMLESS | PROGRAMS.keys()]
    assert unknown == []
    assert not HARMLESS & PROGRAMS.keys()
    for key, why in PROGRAMS.items():
        assert (why == "overridden") == (key.replace("<format>", "ssh") in OVERRIDES), key


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path / "traps")


@pytest.fixture
def hostile(make_repo: MakeRepo, traps: Traps) -> Repo:
    """A repository with a signed commit, a submodule with settings of its own, and hostile settings."""
    repo = make_repo(FILES)
    sub = Repo(repo.root / "module")
    sub.root.mkdir()
    sub.sh("git", "init", "--quiet", ".")
    sub.sh("git", "config", "user.name", "a")
    sub.sh("git", "config", "user.email", "a@b")
    sub.commit({"s.txt": "s\n"})
    repo.commit({".gitmodules": '[submodule "module"]\n\tpath = module\n\turl = ./x\n'})
    _sign(repo)
    make_hostile(repo, traps)
    write_settings(repo.root / ".git/config", {"submodule.module.ignore": "none", "diff.ignoreSubmodules": "none"})
    program = traps.program("a program of the submodule")
    write_settings(sub.root / ".git/config", {"filter.own.clean": program, "core.fsmonitor": program})
    (sub.root / ".git/info/attributes").write_text("* filter=own\n")
    (sub.root / "s.txt").write_text("t\n")
    return repo


def _sign(repo: Repo) -> None:
    """Give the last commit a signature, so that `git log` would check it."""
    text = subprocess.check_output(["git", "cat-file", "commit", "HEAD"], cwd=repo.root, text=True)
    head, _, message = text.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----"
    signed = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=repo.root, input=f"{head}\n{signature}\n\n{message}", capture_output=True, text=True, check=True,
    )  # fmt: skip
    repo.sh("git", "update-ref", "refs/heads/main", signed.stdout.strip())


def test_the_traps_work_with_git_as_it_is(hostile: Repo, traps: Traps) -> None:
    (hostile.root / "a.py").write_text("x = 2\n")
    (hostile.root / "b.txt").write_text("two\n")
    for arguments in (
        ["status"], ["-C", "module", "status"], ["log", "-1"], ["diff"], ["--paginate", "log"], [*NO_FILTERS, "diff-tree", "-p", "--ext-diff", "HEAD~", "HEAD"],
        ["update-ref", "refs/heads/other", "HEAD"], ["hash-object", "--path=b.txt", "b.txt"], ["fetch", "evil"],
        ["config", "--edit"],
    ):  # fmt: skip
        subprocess.run(["git", *arguments], cwd=hostile.root, capture_output=True, check=False)
    expected = {
        "core.fsmonitor", "filter.<driver>.process", "gpg.<format>.program", "diff.<driver>.command", "core.editor",
        "remote.<name>.url", "hook reference-transaction", "a program of the submodule",
    }  # fmt: skip
    assert expected <= traps.sprung()


@pytest.mark.parametrize("name", CALLS)
def test_no_setting_starts_a_program(hostile: Repo, traps: Traps, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def recording(argv: list[str], **options: object) -> object:
        called.append(next(part for part in argv[1:] if part != "-c" and "=" not in part))
        return call(argv, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("whet.git.command.call", recording)
    if name in ("add", "commit"):  # whet calls them only in its own samples, which have no submodules
        shutil.rmtree(hostile.root / "module")
    CALLS[name](Checkout(hostile.root))
    assert name in called
    assert traps.sprung() == set()


def test_opening_starts_no_program(hostile: Repo, traps: Traps) -> None:
    assert open_repository(hostile.root).root == hostile.root
    assert traps.sprung() == set()


def test_a_submodule_at_another_commit_is_a_local_change(hostile: Repo) -> None:
    """Edits inside a submodule are not looked for: git would start itself there, under the submodule's settings."""
    checkout, sub = Checkout(hostile.root), Git(hostile.root / "module")
    assert checkout.dirty_paths() == []
    head = sub.resolve("HEAD")
    sub.move_ref("HEAD", sub.commit(sub.tree_of(head), head, "more", "a <a@b>", AT), head, "test")
    assert checkout.dirty_paths() == ["module"]


@pytest.mark.parametrize("how", ["include", "includeIf", "config.worktree", "continued lines"])
def test_settings_from_other_files_are_disabled_too(make_repo: MakeRepo, traps: Traps, how: str) -> None:
    repo = make_repo({**FILES, ".gitattributes": "* filter=evil\n"})
    program = traps.program("clean")
    text = f'[filter "evil"]\n\tclean = {program}\n\trequired\n'
    elsewhere = repo.root / ".git/elsewhere"
    elsewhere.write_text(text)
    with (repo.root / ".git/config").open("a") as config:
        if how == "include":
            config.write("[include]\n\tpath = elsewhere\n")
        elif how == "includeIf":
            config.write('[includeIf "onbranch:main"]\n\tpath = elsewhere\n')
        elif how == "config.worktree":
            config.write("[extensions]\n\tworktreeConfig = true\n")
            elsewhere.rename(repo.root / ".git/config.worktree")
        else:
            config.write(f'[FILTER "evil"] CLEAN = {program[:8]}\\\n{program[8:]}\n[filter.evil]\n\tREQUIRED\n')
    dirty(Checkout(repo.root))
    assert traps.sprung() == set()


@pytest.mark.parametrize("url", ["ext::{program}", "{folder}", "ssh://host/x", "evil::x"])
def test_a_partial_clone_fetches_nothing(make_repo: MakeRepo, traps: Traps, tmp_path: Path, url: str) -> None:
    """Git would start a transport for an object that is missing."""
    repo = make_repo(FILES)
    blob = repo.sh("git", "rev-parse", "HEAD:a.py")
    (repo.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    make_hostile(repo, traps)
    with (repo.root / ".git/config").open("a") as config:
        place = url.format(program=traps.program("transport"), folder=repo.root)
        config.write(
            f"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n"
            f'[remote "evil"]\n\tpromisor = true\n\turl = {place}\n[protocol]\n\tallow = always\n'
        )
    with pytest.raises(Corrupt, match="is missing"):
        Git(repo.root).blob(blob)
    with pytest.raises(Corrupt, match="is missing"):
        Git(repo.root).tar("HEAD")
    assert traps.sprung() == set()


def test_the_hooks_are_those_that_whet_could_meet() -> None:
    assert {"reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"} <= set(HOOKS)
