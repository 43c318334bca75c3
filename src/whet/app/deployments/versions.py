"""Compare the versions of a tool's module in the repository, in the registry and in running processes."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from whet.app.deployments.three_way_merge import merge_changes, uncommitted
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.version import Manifest, Rollout, digest_of
from whet.errors import UsageError
from whet.store.executions import Executions
from whet.store.versions import Versions
from whet.target.module_paths import path_of


class SyncState(StrEnum):
    """The relation between the versions of a module.

    `in_step`: all are the same. `behind`: a process runs another version than the registry's. `edited`: the
    repository has a version that was never published. `conflict`: repository and registry were both changed.
    `trying`: a candidate gets calls beside the published version. `abandoned`: the time of a trial is over, and the whet
    that should have ended it is gone; every process has gone back to the published version by itself.
    """

    IN_STEP = "in_step"
    BEHIND = "behind"
    EDITED = "edited"
    CONFLICT = "conflict"
    TRYING = "trying"
    ABANDONED = "abandoned"


@dataclass(frozen=True, kw_only=True)
class ModuleSync:
    """The versions of one module, by the first 16 digits of their digests.

    `registry` is empty for a module that was never published. `merged` is the merge of both sides' changes, if there
    is one.
    """

    module: str
    path: str
    state: SyncState
    repository: str
    registry: str
    processes: dict[int, str] = field(default_factory=dict)
    candidate: str = ""
    words: str = ""
    merged: str = ""


def path_of_tool(project: Project, name: str) -> str:
    """Return the path of the module that declares a tool; any other name is returned unchanged."""
    paths = [entry.path for entry in project.git.entries(project.git.tree_of(project.ref))]
    tools = Executions(project.state).tools()
    declaring = {
        path_of(tool.module, tool.file, project.git.root, paths) for tool in tools if name in (tool.name, tool.module)
    } - {""}
    if not declaring and not any(path.endswith(Path(name).name) for path in paths):
        names = ", ".join(sorted({tool.name for tool in tools})[:8]) or "none"
        raise UsageError(f"no tool and no file of the last commit is called {name}", f"tools on record: {names}")
    if len(declaring) > 1:
        raise UsageError(f"{name} is declared in more than one file: {', '.join(sorted(declaring))}", "name the file")
    return next(iter(declaring), name)


def sync(project: Project, path: str = "") -> list[ModuleSync]:
    """Compare every module that applications have tools in, or the one at `path`. Nothing is changed."""
    versions = Versions(project.state)
    paths = [entry.path for entry in project.git.entries(project.git.tree_of(project.ref))]
    path_by_module = {
        tool.module: path_of(tool.module, tool.file, project.git.root, paths)
        for tool in Executions(project.state).tools()
    }
    for module in versions.modules():
        if manifest := versions.manifest(module):
            path_by_module[module] = manifest.path
    rows = [_synced(project, versions, module, place) for module, place in sorted(path_by_module.items())]
    return [row for row in rows if path in ("", row.path)]


def _synced(project: Project, versions: Versions, module: str, path: str) -> ModuleSync:
    source = project.git.read(project.git.resolve(project.ref), path) if path else None
    repository = digest_of(source)[:16] if source is not None else ""
    manifest = versions.manifest(module)
    registry = manifest.current.short if manifest else ""
    running = {
        process.process.pid: ", ".join(loaded.get("versions", ())) or "?"
        for process in versions.running()
        if (loaded := process.modules.get(module))
    }
    state, words, merged = _sync_state(project, versions, manifest, source, running)
    return ModuleSync(
        module=module,
        path=path,
        state=state,
        repository=repository,
        registry=registry,
        processes=running,
        candidate=manifest.candidate.digest[:16] if manifest and manifest.candidate else "",
        words=words,
        merged=merged,
    )


def _sync_state(
    project: Project, versions: Versions, manifest: Manifest | None, source: bytes | None, running: dict[int, str]
) -> tuple[SyncState, str, str]:
    if manifest is None:
        return SyncState.IN_STEP, "never published: processes run what they started with", ""
    if source is None:
        return SyncState.CONFLICT, f"{manifest.path} is no longer in the repository", ""
    if uncommitted(project, manifest.path, source):
        return (
            SyncState.EDITED,
            "edited in the checkout and not committed: a process that starts from it does not follow the registry",
            "",
        )
    if digest_of(source) != manifest.current.digest:
        return _edited(project, versions, manifest, source)
    behind = [str(pid) for pid, version in running.items() if version != manifest.current.short]
    if behind:
        return SyncState.BEHIND, f"another version runs in process {', '.join(behind)}", ""
    if manifest.candidate:
        return *_on_trial(manifest.candidate), ""
    return SyncState.IN_STEP, f"published for {manifest.current.why}", ""


def _on_trial(candidate: Rollout) -> tuple[SyncState, str]:
    until = datetime.fromtimestamp(candidate.split.until, UTC)
    if candidate.split.until and now() >= until:
        words = f"the trial of {candidate.why} ended at {until:%H:%M} UTC without a decision: `whet resume` decides"
        return SyncState.ABANDONED, words
    return SyncState.TRYING, f"on trial for {candidate.why} until {until:%Y-%m-%d %H:%M} UTC at the latest"


def _edited(project: Project, versions: Versions, manifest: Manifest, source: bytes) -> tuple[SyncState, str, str]:
    """Classify a module that was edited in the repository.

    If the edit started from the published version, the repository is simply ahead. If it started from an older one,
    both sides have changes, and git tells whether they merge.
    """
    merged = merge_changes(project, versions, manifest, source)
    if merged is None:
        return SyncState.CONFLICT, "the repository and the registry have no version in common", ""
    if merged.conflicts:
        words = f"edited in the repository and in the registry; in conflict at {'; '.join(merged.conflicts)}"
        return SyncState.CONFLICT, words, ""
    if merged.text == source:
        words = "edited in the repository since; a restart loads this version, which whet has not proved"
        return SyncState.EDITED, words, ""
    words = "edited in the repository and in the registry; the changes can be merged: `whet sync TOOL --merge`"
    return SyncState.CONFLICT, words, merged.text.decode(errors="replace")
