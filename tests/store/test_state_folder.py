"""The state folder: which entries are refused, in which ways they are opened, and the modes of new ones."""

import os
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from whet import runtime, state_folder, tool
from whet.domain.execution import FILE_NAME
from whet.errors import StateUnusable
from whet.ledger.ledger import Ledger
from whet.phases.deploy.rollback import deploy_lock, nothing_in_flight
from whet.store.executions import Executions
from whet.store.location import schema_of
from whet.store.store import open_store
from whet.store.versions import Versions

OTHER_USER = 12345
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    state_folder.make_folder(tmp_path / ".whet")
    return tmp_path / ".whet"


def modes(folder: Path) -> dict[str, str]:
    paths = (folder, *folder.rglob("*"))
    return {path.relative_to(folder).as_posix(): f"{stat.S_IMODE(path.lstat().st_mode):04o}" for path in paths}


# ---- new entries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0, 0o022, 0o077, 0o277, 0o777], ids=oct)
def test_new_entries_are_private_whatever_the_umask_is(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / ".whet"
    before = os.umask(umask)
    try:
        store = open_store(folder)
        Ledger(store, folder).append("observe", 1, subject="c", key="a", kind="Note")
        schema_of(folder)
        Versions(folder).add(b"source")
        with deploy_lock(folder):
            state_folder.put_switch(folder, "off")
        connection = state_folder.connect(folder, "other.sqlite")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (a)")
        found = modes(folder)
        connection.close()
        store.close()
    finally:
        os.umask(before)
    folders = {".", "registry", "registry/sources"}
    assert found == {name: "0700" if name in folders else "0600" for name in found}
    expected = {"whet.sqlite", "whet.sqlite-wal", "other.sqlite-shm", "ledger.head", "record", "deploy.lock", "STOP"}
    assert expected | folders <= set(found)


# ---- entries that are refused ------------------------------------------------------------------------------------------


def a_loose_file(path: Path) -> None:
    path.write_text("")
    path.chmod(0o640)


def a_file_that_others_can_write(path: Path) -> None:
    path.write_text("")
    path.chmod(0o602)


def a_link(path: Path) -> None:
    path.symlink_to(path.parent.parent / "outside")


def a_link_within_the_folder(path: Path) -> None:
    (path.parent / "real").write_text("")
    (path.parent / "real").chmod(0o600)
    path.symlink_to("real")


def a_second_name(path: Path) -> None:
    os.link(path.parent.parent / "outside", path)


def a_pipe(path: Path) -> None:
    os.mkfifo(path, 0o600)


def a_file_of_another_user(path: Path) -> None:
    path.write_text("")
    path.chmod(0o600)
    os.chown(path, OTHER_USER, OTHER_USER)


UNSAFE: dict[Callable[[Path], None], str] = {
    a_loose_file: "can be reached by other users (mode 0640)",
    a_file_that_others_can_write: "can be reached by other users (mode 0602)",
    a_link: "is a link",
    a_link_within_the_folder: "is a link",
    a_second_name: "has 2 names",
    a_pipe: "is not a regular file",
    a_file_of_another_user: f"belongs to another user (uid {OTHER_USER})",
}
unsafe = pytest.mark.parametrize(
    ("put", "reason"),
    [pytest.param(put, why, marks=[as_root] if "another_user" in put.__name__ else []) for put, why in UNSAFE.items()],
    ids=[put.__name__ for put in UNSAFE],
)


def read(folder: Path, name: str) -> None:
    state_folder.read(folder, name)


def overwrite(folder: Path, name: str) -> None:
    os.close(state_folder.open_file(folder, name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))


def lock(folder: Path, name: str) -> None:
    with state_folder.locked(folder, name):
        pass


def connect(folder: Path, name: str) -> None:
    state_folder.connect(folder, name).close()


def survey(folder: Path, _name: str) -> None:
    state_folder.refuse_unsafe(folder)


@unsafe
@pytest.mark.parametrize("use", [read, overwrite, lock, connect, survey])
def test_an_unsafe_file_is_refused_and_left_as_it_is(
    folder: Path, use: Callable[[Path, str], None], put: Callable[[Path], None], reason: str
) -> None:
    outside = folder.parent / "outside"
    outside.write_text("precious")
    outside.chmod(0o600)
    put(folder / "file")
    with pytest.raises(StateUnusable) as problem:
        use(folder, "file")
    assert problem.value.message.startswith(str(folder / "file"))
    assert reason in problem.value.message
    assert problem.value.remedy
    assert outside.read_text() == "precious"


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_an_unsafe_side_file_of_a_database_is_refused(folder: Path, suffix: str) -> None:
    (folder / f"whet.sqlite{suffix}").symlink_to("/dev/null")
    with pytest.raises(StateUnusable, match=f"whet.sqlite{suffix} is a link"):
        open_store(folder)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o711, 0o707], ids=oct)
def test_a_loose_folder_is_refused_with_the_command_that_corrects_it(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    for use in (read, overwrite, lock, connect, survey):
        with pytest.raises(StateUnusable, match=f"mode 0{mode:o}") as problem:
            use(folder, "file")
        assert problem.value.remedy == f"chmod -R go= {folder}"
    os.system(f"chmod -R go= {folder}")
    survey(folder, "")


@pytest.mark.parametrize("place", ["registry", "registry/sources"])
def test_a_subfolder_that_is_a_link_or_loose_is_refused(folder: Path, place: str) -> None:
    digest = Versions(folder).add(b"source")
    subfolder, aside = folder / place, folder.parent / "aside"
    subfolder.chmod(0o755)
    for use in (lambda: Versions(folder).source(digest), lambda: state_folder.refuse_unsafe(folder)):
        with pytest.raises(StateUnusable, match="mode 0755"):
            use()
    subfolder.chmod(0o700)
    subfolder.rename(aside)
    subfolder.symlink_to(aside)
    for use in (lambda: Versions(folder).source(digest), lambda: state_folder.refuse_unsafe(folder)):
        with pytest.raises(StateUnusable, match=f"{place} is a link"):
            use()


def test_a_folder_that_is_a_link_is_refused(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    for use in (read, overwrite, lock, connect, survey):
        with pytest.raises(StateUnusable, match="is a link"):
            use(link, "file")


def test_names_cannot_lead_out_of_the_folder(folder: Path) -> None:
    for name in ("../outside", "a/../../outside", "/etc/passwd", "", ".", "a//b"):
        with pytest.raises(ValueError, match="not a name"):
            state_folder.read(folder, name)


def test_a_socket_in_the_folder_is_refused(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "socket"))
        with pytest.raises(StateUnusable, match="socket"):
            state_folder.refuse_unsafe(folder)


# ---- entries that are allowed ------------------------------------------------------------------------------------------


def test_what_whet_writes_is_allowed(folder: Path) -> None:
    store = open_store(folder)
    Ledger(store, folder).append("observe", 1, subject="c", key="a", kind="Note")
    Versions(folder).add(b"source")
    state_folder.refuse_unsafe(folder)
    store.close()
    state_folder.refuse_unsafe(folder)


def test_a_missing_folder_is_allowed(tmp_path: Path) -> None:
    state_folder.refuse_unsafe(tmp_path / ".whet")


@pytest.mark.parametrize("put", [*UNSAFE, Path.mkdir], ids=lambda put: put.__name__)
def test_anything_is_allowed_in_place_of_the_kill_switch(folder: Path, put: Callable[[Path], None]) -> None:
    if put is a_file_of_another_user and os.geteuid() != 0:
        return
    (folder.parent / "outside").write_text("precious")
    put(folder / "STOP")
    (folder / "real").unlink(missing_ok=True)
    state_folder.refuse_unsafe(folder)


# ---- users of the folder -----------------------------------------------------------------------------------------------


def test_a_planted_temporary_file_of_the_ledger_is_not_followed(folder: Path) -> None:
    """The head was once written through `ledger.fresh`, wherever that led."""
    victim = folder.parent / "victim"
    victim.write_text("precious")
    for name in ("ledger.fresh", ".ledger.head.new"):
        (folder / name).symlink_to(victim)
    store = open_store(folder)
    ledger = Ledger(store, folder)
    ledger.append("observe", 1, subject="c", key="a", kind="Note")
    assert victim.read_text() == "precious"
    assert ledger.anchor() == ledger.head()
    store.close()


def test_a_deploy_lock_that_is_a_link_is_not_emptied(folder: Path) -> None:
    victim = folder.parent / "victim"
    victim.write_text("precious")
    (folder / "deploy.lock").symlink_to(victim)
    with pytest.raises(StateUnusable, match="is a link"), deploy_lock(folder):
        pass
    assert not nothing_in_flight(folder, 0)
    assert victim.read_text() == "precious"


def test_recorded_calls_behind_a_link_are_not_read(folder: Path) -> None:
    (folder / FILE_NAME).symlink_to(folder.parent / "elsewhere.sqlite")
    with pytest.raises(StateUnusable, match="is a link"):
        Executions(folder).tools()


def test_an_application_does_not_record_through_a_link(folder: Path, tmp_path: Path) -> None:
    @tool
    def double(number: int) -> int:
        return 2 * number

    (folder / FILE_NAME).symlink_to(tmp_path / "elsewhere.sqlite")
    runtime.configure(state=folder)
    try:
        assert double(2) == 4
        assert not runtime.flush(0.2)
        assert "is a link" in runtime.status()[0]["problem"]
    finally:
        (folder / FILE_NAME).unlink()
        runtime.configure(state="")
    assert not (tmp_path / "elsewhere.sqlite").exists()


# ---- races -------------------------------------------------------------------------------------------------------------


def test_a_link_that_replaces_a_database_before_it_is_opened_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link is put in place after the check and before SQLite opens the path, which follows links."""
    real = sqlite3.connect
    elsewhere = folder.parent / "elsewhere.sqlite"

    def swap_then_connect(path: str, **options: object) -> sqlite3.Connection:
        Path(path).unlink()
        Path(path).symlink_to(elsewhere)
        return real(path, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", swap_then_connect)
    with pytest.raises(StateUnusable, match="is a link"):
        state_folder.connect(folder, "whet.sqlite")


def test_another_file_that_replaces_a_database_before_it_is_opened_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect

    def swap_then_connect(path: str, **options: object) -> sqlite3.Connection:
        Path(path).rename(f"{path}.aside")
        os.close(os.open(path, os.O_CREAT, 0o600))
        return real(path, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", swap_then_connect)
    with pytest.raises(StateUnusable, match="was replaced"):
        state_folder.connect(folder, "whet.sqlite")


def test_a_link_that_appears_between_two_attempts_to_open_is_not_followed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is missing at first; a link appears before it is created."""
    real, victim = os.open, folder.parent / "victim"
    victim.write_text("precious")

    def plant_then_open(path: object, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        if flags & os.O_CREAT and not os.path.lexists(folder / "file"):
            (folder / "file").symlink_to(victim)
        return real(path, flags, *rest, dir_fd=dir_fd)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", plant_then_open)
    with pytest.raises(StateUnusable, match="is a link"):
        state_folder.open_file(folder, "file", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    assert victim.read_text() == "precious"


def test_checking_a_database_keeps_the_locks_of_its_open_connections(folder: Path) -> None:
    """POSIX releases a process's locks on a file when any descriptor of it is closed, so the check opens none."""
    first = state_folder.connect(folder, "whet.sqlite", isolation_level=None)
    first.execute("BEGIN EXCLUSIVE")
    state_folder.check_database(folder, "whet.sqlite")
    code = f"import sqlite3; sqlite3.connect({str(folder / 'whet.sqlite')!r}, timeout=0).execute('BEGIN IMMEDIATE')"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "database is locked" in other.stderr
    first.close()
