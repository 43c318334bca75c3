"""The target's interpreter is probed in the sandbox, and sees only folders that are Python's."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support import MakeRepo
from whet.errors import InterpreterMissing, Refused
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job, Session
from whet.target import interpreter
from whet.target.interpreter import _modules, probe
from whet.target.python_folders import folders_of_pth_files, is_visible, starting_programs, visible_folders

SECRET = "the secret"


def test_installed_modules_are_listed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for folder in (site / "package", site / "thing-1.0.dist-info"):
        folder.mkdir(parents=True)
    for name in ("single.py", "fast.cpython-311-x86_64-linux-gnu.so", "notes.txt", "PLAIN"):
        (site / name).touch()
    assert set(_modules([site / "missing", site])) == {"package", "single", "fast"}


@dataclass(frozen=True)
class Places:
    """A repository, a home folder and folders elsewhere; `environment` makes a virtual environment."""

    top: Path
    root: Path = field(init=False)
    home: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.top / "work" / "repo")
        object.__setattr__(self, "home", self.top / "users" / "me")
        self.write(self.home / ".ssh" / "id_rsa", SECRET)
        self.write(self.home / "notes.py")
        self.write(self.root / "src" / "own.py")

    def write(self, path: Path, text: str = "") -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def environment(self, folder: Path) -> Path:
        self.write(folder / "pyvenv.cfg", "home = /usr/bin\n")
        self.write(folder / "bin" / "python")
        self.write(folder / "lib/python3.11/site-packages/thing.py")
        return folder

    def installation(self, folder: Path) -> Path:
        self.write(folder / "lib/python3.11/os.py")
        return folder


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    places = Places(tmp_path)
    monkeypatch.setenv("HOME", str(places.home))
    return places


def linked(link: Path, target: Path) -> Path:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(target)
    return link


Make = Callable[[Places], Path]
SHOWN: dict[str, Make] = {
    "an installation": lambda places: places.installation(places.top / "opt/python"),
    "an installation below home": lambda places: places.installation(places.home / ".pyenv/versions/3.11"),
    "a link to an installation": lambda places: linked(
        places.home / "current", places.installation(places.home / ".pyenv/versions/3.11")
    ),
    "a virtual environment in the repository": lambda places: places.environment(places.root / ".venv"),
    "a virtual environment below home": lambda places: places.environment(places.home / "envs/one"),
    "the packages of a virtual environment": lambda places: (
        places.environment(places.home / "envs/one") / "lib/python3.11/site-packages"
    ),
}
HIDDEN: dict[str, Make] = {
    "the root": lambda places: Path("/"),
    "/etc": lambda places: Path("/etc"),
    "/proc": lambda places: Path("/proc/self"),
    "a relative folder": lambda places: Path("etc"),
    "the home folder": lambda places: places.home,
    "the home folder as a prefix": lambda places: places.installation(places.home),
    "a folder above home": lambda places: places.installation(places.home.parent),
    "secrets": lambda places: places.home / ".ssh",
    "a link to secrets": lambda places: linked(places.root / ".venv", places.home / ".ssh"),
    "a link to the home folder": lambda places: linked(places.root / ".venv", places.home),
    "a way round through a virtual environment": lambda places: (
        places.environment(places.root / ".venv") / "../../../users/me/.ssh"
    ),
    "the repository": lambda places: places.root,
    "the repository as a virtual environment": lambda places: places.environment(places.root),
    "a folder above the repository": lambda places: places.installation(places.root.parent),
    "the repository's source": lambda places: places.root / "src",
    "another project": lambda places: places.write(places.top / "other/src/code.py").parent,
    "a file": lambda places: places.write(places.top / "file.py"),
    "a missing folder": lambda places: places.top / "missing",
    "a circle": lambda places: linked(places.top / "circle", places.top / "circle"),
}
SOURCE_SHOWN: dict[str, Make] = {
    "another project with modules": lambda places: places.write(places.home / "other/src/code.py").parent,
    "another project with packages": lambda places: places.write(places.home / "other/pkg/__init__.py").parent.parent,
}
SOURCE_HIDDEN: dict[str, Make] = {
    **{name: make for name, make in HIDDEN.items() if name != "another project"},
    "a hidden folder with modules": lambda places: places.write(places.home / ".config/tool/code.py").parent,
    "a folder of projects": lambda places: places.write(places.home / "other/src/code.py").parent.parent.parent / "other",
    "a virtual environment of the repository": lambda places: places.environment(places.root / ".venv"),
    "marked source of the repository": lambda places: (
        places.write(places.root / "src/pyvenv.cfg").parent
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_a_folder_of_python_is_shown(places: Places, name: str) -> None:
    folder = SHOWN[name](places)
    assert visible_folders([folder], places.root) == (str(folder),)


@pytest.mark.parametrize("name", HIDDEN)
def test_any_other_folder_is_not_shown(places: Places, name: str) -> None:
    assert visible_folders([HIDDEN[name](places)], places.root) == ()


@pytest.mark.parametrize("name", SOURCE_SHOWN)
def test_an_editable_install_of_another_project_is_shown(places: Places, name: str) -> None:
    folder = SOURCE_SHOWN[name](places)
    assert visible_folders([], places.root, sources=[folder]) == (str(folder),)


@pytest.mark.parametrize("name", SOURCE_HIDDEN)
def test_a_line_in_a_pth_file_shows_no_other_folder(places: Places, name: str) -> None:
    assert visible_folders([], places.root, sources=[SOURCE_HIDDEN[name](places)]) == ()


def test_only_the_outermost_folders_are_mounted(places: Places) -> None:
    venv = places.environment(places.root / ".venv")
    folders = [venv / "lib/python3.11/site-packages", venv, Path("/usr/lib/python3"), Path("/usr")]
    assert visible_folders(folders, places.root) == (str(venv),)


def test_a_link_out_of_a_mounted_folder_is_not_followed(places: Places) -> None:
    venv = places.environment(places.root / ".venv")
    linked(venv / "out", places.home / ".ssh")
    assert is_visible(venv / "lib", [str(venv)])
    assert not is_visible(venv / "out", [str(venv)])
    assert not is_visible(venv / "../../elsewhere", [str(venv)])


def test_pth_files_are_read_without_running_them(places: Places) -> None:
    marker = places.top / "ran"
    text = f"# comment\nimport os; os.mkdir({str(marker)!r})\n/opt/one\n\n../two\n"
    places.write(places.top / "site/x.pth", text)
    linked(places.top / "site/y.pth", Path("/dev/zero"))
    site = places.top / "site"
    assert list(folders_of_pth_files([site, places.top / "missing"])) == [Path("/opt/one"), site / "../two"]
    assert not marker.exists()


def test_links_and_settings_name_the_programs_that_start(places: Places) -> None:
    base = places.installation(places.home / ".pyenv/versions/3.11")
    places.write(base / "bin/python3.11")
    python = linked(places.root / ".venv/bin/python", Path("python3"))
    linked(places.root / ".venv/bin/python3", base / "bin/python3.11")
    places.write(places.root / ".venv/pyvenv.cfg", "HOME = /opt/other/bin\nhome=relative\nversion = 3\n")
    folders = {str(program.parent.parent) for program in starting_programs(python)}
    assert folders == {str(places.root / ".venv"), str(base), "/opt/other"}


class Answering:
    """A sandbox in which the interpreter gives a fixed answer; `mounted` is what it could read."""

    def __init__(self, answer: object) -> None:
        self._answer = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.mounted: list[tuple[str, ...]] = []

    def start(self, job: Job) -> Session:
        raise NotImplementedError

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        self.mounted.append(job.readable)
        containment = Bubblewrap()._containment(job, 1, None)
        return Finished(
            exit_code=0, output="", lines=(self._answer,), stopped_by="", seconds=0, containment=containment
        )


def test_a_false_answer_shows_nothing_more(places: Places) -> None:
    venv = places.environment(places.root / ".venv")
    elsewhere = places.write(places.home / "other/src/code.py").parent
    lies = ["/", "/etc", str(places.home), str(places.home / ".ssh"), str(elsewhere), str(venv / "../src")]
    sandbox = Answering({"version": "3.11.4", "path": lies, "prefixes": lies, "pytest": True})
    probed = probe(sandbox, venv / "bin/python", places.root)
    assert sandbox.mounted == [(str(venv),)]
    assert probed.readable == (str(venv),)
    assert probed.modules == frozenset()


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"nonsense", b"[" * 100_000, [], "3.11.1", {"version": "3.11.1"},
        {"version": "2.7.18", "path": [], "pytest": True}, {"version": "3.11.1\n[red]", "path": [], "pytest": True},
        {"version": 3, "path": [], "pytest": True}, {"version": "3.11.1", "path": [1], "pytest": True},
        {"version": "3.11.1", "path": ["\0"], "pytest": True}, {"version": "3.11.1", "path": None, "pytest": True},
    ],
    ids=repr,
)  # fmt: skip
def test_an_answer_that_is_not_one_is_refused(places: Places, answer: object) -> None:
    with pytest.raises(InterpreterMissing, match="is not a Python interpreter"):
        probe(Answering(answer), Path("/usr/bin/python3"), places.root)


def test_an_interpreter_that_cannot_start_inside_is_refused_with_its_message(places: Places) -> None:
    script = places.environment(places.root / ".venv") / "bin/python"
    places.write(script, "#!/bin/sh\ncat /etc/shadow 2>&1 >/dev/null\nexit 3\n").chmod(0o755)
    with pytest.raises(InterpreterMissing, match=r"does not start in the sandbox: .*No such file"):
        probe(Bubblewrap(), script, places.root)


def test_the_interpreter_of_these_tests_is_probed(places: Places) -> None:
    probed = probe(Bubblewrap(), Path(sys.executable), places.root)
    assert probed.version == ".".join(map(str, sys.version_info[:3]))
    assert probed.has_pytest
    assert {"json", "pytest", "pydantic", "whet"} <= probed.modules


@pytest.mark.parametrize("keeps", [".gitkeep", ".gitignore"])
def test_a_tracked_file_that_only_keeps_the_folder_is_allowed(make_repo: MakeRepo, keeps: str) -> None:
    repo = make_repo({f".venv/{keeps}": ""})
    repo.write({".venv/pyvenv.cfg": "", ".venv/bin/python": ""})
    assert interpreter.find(repo.git, "") == repo.root / ".venv/bin/python"


def test_an_environment_that_holds_tracked_code_is_refused(make_repo: MakeRepo) -> None:
    """It would be mounted over the tree under test."""
    repo = make_repo({"src/code.py": "x = 1\n"})
    repo.write({"src/pyvenv.cfg": "", "src/bin/python": "", ".venv/bin/python": "", ".venv/pyvenv.cfg": ""})
    with pytest.raises(Refused, match="comes with the repository"):
        interpreter.find(repo.git, "src/bin/python")
    repo.write({".venv/pyvenv.cfg": f"home = {repo.root}/src/bin\n"})
    with pytest.raises(Refused, match="comes with the repository"):
        interpreter.find(repo.git, "")
