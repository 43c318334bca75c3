"""Without a sandbox nothing runs, and the refusal names the cause and the remedy."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import whet
from tests.escape.inside import inside
from tests.support import Repo
from whet.errors import SandboxUnavailable
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.diagnose_failure import refusal

# Messages of bubblewrap, each with words that the cause and the remedy in the refusal must contain.
MESSAGES = {
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user "
    "namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'.": (
        "does not allow user namespaces",
        "unprivileged_userns_clone=1",
    ),
    "bwrap: setting up uid map: Permission denied": (
        "does not allow user namespaces",
        "apparmor_restrict_unprivileged_userns=0",
    ),
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted": ("does not allow user namespaces", "apparmor"),
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)": (
        "no more namespaces",
        "max_user_namespaces",
    ),
    "bwrap: Creating new namespace failed: Operation not permitted": ("container", "seccomp=unconfined"),
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted": ("container", "systempaths=unconfined"),
    "bwrap: Failed to make / slave: Permission denied": ("container", "SYS_ADMIN"),
    "bwrap: Unknown option --size": ("too old", "0.7"),
    "bwrap: prctl(PR_SET_SECCOMP): Invalid argument": ("no seccomp", "CONFIG_SECCOMP_FILTER"),
    "bwrap: something nobody has seen": ("could not build the sandbox", "whet doctor"),
}


def fake_bubblewrap(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a fake `bwrap` before the real one in PATH."""
    folder.mkdir()
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.parametrize("message", MESSAGES)
def test_a_sandbox_that_cannot_be_built_is_refused_with_cause_and_remedy(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cause, remedy = MESSAGES[message]
    script = f'[ "$1" = --version ] && exec echo "bubblewrap 0.8.0"\ncat <<"END" >&2\n{message}\nEND\nexit 1'
    fake_bubblewrap(tmp_path / "bin", monkeypatch, script)
    with pytest.raises(SandboxUnavailable) as refused:
        inside("true")
    assert cause in refused.value.message
    assert message in refused.value.message
    assert remedy in refused.value.remedy


@pytest.mark.parametrize(
    ("script", "cause"),
    [
        ("exit 1", "exit code 1"),
        ("echo error while loading shared libraries: libcap.so.2 >&2; exit 127", "libcap.so.2"),
        ("echo hello", "hello"),
    ],
)
def test_a_broken_bubblewrap_is_refused(
    script: str, cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_bubblewrap(tmp_path / "bin", monkeypatch, script)
    with pytest.raises(SandboxUnavailable, match="broken") as refused:
        Bubblewrap()
    assert cause in refused.value.message
    assert "reinstall" in refused.value.remedy


def test_a_bubblewrap_that_reports_no_sandbox_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_bubblewrap(tmp_path / "bin", monkeypatch, '[ "$1" = --version ] && exec echo "bubblewrap 0.8.0"\nexit 0')
    with pytest.raises(SandboxUnavailable):
        inside("true")


@pytest.mark.parametrize(
    ("program", "package"), [("bwrap", "bubblewrap"), ("setpriv", "util-linux"), ("bash", "bash"), ("tar", "tar")]
)
def test_a_missing_program_is_refused_with_the_package_that_has_it(
    program: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if program == "setpriv" and os.geteuid() != 0:
        pytest.skip("only root needs it")
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, path: None if name == program else which(name, path=path))
    with pytest.raises(SandboxUnavailable, match=program) as refused:
        Bubblewrap()
    assert f"apt-get install {package}" in refused.value.remedy


def test_output_of_the_command_is_not_mistaken_for_an_error_of_bubblewrap() -> None:
    finished = inside("echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    assert (finished.exit_code, finished.stopped_by) == (1, "")


def test_a_missing_command_is_a_failed_run() -> None:
    assert inside("exec /no/such/program").exit_code != 0


def test_a_kernel_that_forbids_user_namespaces_is_named(tmp_path: Path) -> None:
    """Run whet in a user namespace in which no further one may be made."""
    source = Path(whet.__file__).parents[1]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import os; os.geteuid = lambda: 1\n"
        "from whet.sandbox.bubblewrap import Bubblewrap\n"
        "from whet.sandbox.sandbox import Job, JobLimits\n"
        "from whet.errors import SandboxUnavailable\n"
        "try: Bubblewrap().run(Job(argv=('true',), tree=b'', root='/p', limits=JobLimits(wall_seconds=9)))\n"
        "except SandboxUnavailable as refused: print(refused.message, '|', refused.remedy)\n"
    )
    command = ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", sys.executable, "-c", script]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert "namespaces" in done.stdout, done
    assert "sysctl" in done.stdout


def test_the_command_line_refuses_without_bubblewrap(sample: Repo, tmp_path: Path) -> None:
    links = tmp_path / "bin"
    links.mkdir()
    for name in ("git", "sh", "setpriv", "tar", "bash"):
        path = shutil.which(name)
        if path:
            (links / name).symlink_to(path)
    result = sample.whet("scan", "--json", env={"PATH": str(links)})
    assert result.code == 4
    assert result.json["error"]["code"] == "sandbox_unavailable"
    assert "apt-get install bubblewrap" in result.json["error"]["remedy"]


def test_an_unknown_message_is_quoted() -> None:
    assert "quite new" in refusal("bwrap: something quite new").message


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's sandbox needs no other user id")
def test_root_of_a_container_without_other_user_ids_is_refused() -> None:
    command = "from tests.escape.inside import inside; inside('true')"
    jail = ("bwrap", "--dev-bind", "/", "/", "--unshare-user")
    done = subprocess.run([*jail, sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert "SandboxUnavailable: root of this container, most likely a rootless one" in done.stderr
