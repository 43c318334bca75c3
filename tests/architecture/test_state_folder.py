"""Only `state_folder` opens files of the state folder. Every other module that opens files is listed here with what it
opens."""

import ast
from pathlib import Path

import whet

SOURCE = Path(whet.__file__).parent
OPENING = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "touch", "mkdir", "makedirs", "mkstemp", "mkdtemp",
    "NamedTemporaryFile", "TemporaryDirectory", "connect", "unlink", "rename", "link", "symlink", "symlink_to",
    "hardlink_to", "rmtree", "copyfile", "mkfifo", "mknod", "fdopen", "listdir", "scandir", "rmdir",
}  # fmt: skip
ELSEWHERE = {
    "sandbox": "what the sandbox mounts, /proc and control groups",
    "target": "the checkout, and trees inside the sandbox",
    "git": "the checkout and .git",
    "demo": "a sample repository in a temporary folder",
    "cli": "files that the user names on the command line",
    "agent_proxy/server.py": "a temporary folder with the proxy's socket",
    "agent_proxy/upstream.py": "a connection to the provider",
    "app/setup/sample_repository.py": "a sample repository in a temporary folder",
    "app/setup/init.py": "whet.toml",
    "app/setup/editor_schema.py": "whet.toml and its schema",
    "app/approvals/approvers.py": "whet.signers, and the key that the user makes",
    "phases/observe/health.py": "an HTTP address that whet.toml names",
    "phases/approve/exposure.py": "/proc, sockets of ssh-agents, public keys in ~/.ssh",
    "signing/keygen.py": "key files of the user",
    "app/webhooks/sending.py": "a connection to the receiver of a webhook",
    "app/explain.py": "whet.toml",
    "app/deployments/three_way_merge.py": "a file of the checkout",
    "app/extra_files.py": "files that target.extra_files names",
    "app/setup/doctor.py": "a sample repository in a temporary folder",
    "files.py": "files that somebody else wrote, such as whet.toml",
    "state_folder.py": "the state folder",
    "store/process_identity.py": "/proc",
    "durable/engine.py": "a descriptor that `state_folder` opened",
    "phases/deploy/rollback.py": "a descriptor that `state_folder` opened",
    "runtime/reload/report.py": "/proc",
    "ledger/witness.py": "the user's own state folder, which `state_folder` checks too",
    "runtime/source.py": "the application's own source",
    "app/service/signs.py": "/proc",
    "web/pages/static_files.py": "files that whet ships",
    "app/service/unit.py": "the user's systemd unit",
    "app/agent_hook/install.py": "settings of coding agents",
    "app/agent_hook/places.py": "the `.git` file of a linked worktree; names in the state folder are listed, none is opened",
    "app/agent_hook/refused_calls.py": "makes the folder above the user's own record, which `state_folder` makes and checks",
}


def calls(path: Path) -> set[str]:
    """Return the calls of a module that may open a file, except those of `state_folder` itself."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        owner = ast.unparse(function.value) if isinstance(function, ast.Attribute) else ""
        if isinstance(function, ast.Name) and name != "open":
            continue  # a function of whet's own
        if name in OPENING and owner not in ("state_folder", "engine", "self._engine"):
            found.add(f"{owner}.{name}".lstrip("."))
    return found


def opening_modules() -> dict[str, set[str]]:
    modules = {path.relative_to(SOURCE).as_posix(): calls(path) for path in sorted(SOURCE.rglob("*.py"))}
    return {name: found for name, found in modules.items() if found}


def test_every_module_that_opens_files_is_known_to_open_none_of_the_state_folder() -> None:
    unknown = {
        name: sorted(found)
        for name, found in opening_modules().items()
        if not any(name == place or name.startswith(f"{place}/") for place in ELSEWHERE)
    }
    assert unknown == {}, "open files of the state folder with whet.state_folder, or list the module in ELSEWHERE"


def test_every_listed_module_opens_files() -> None:
    modules = opening_modules()
    stale = [place for place in ELSEWHERE if not any(f"{name}/".startswith(f"{place}/") for name in modules)]
    assert stale == []


def test_sqlite_is_opened_by_the_state_folder_alone() -> None:
    found = {name for name, found in opening_modules().items() if "sqlite3.connect" in found}
    assert found <= {"state_folder.py"}
