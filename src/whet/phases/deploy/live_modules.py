"""Which modules of the repository running applications serve tools from."""

from collections.abc import Iterable

from whet.domain.strategy import may_be_shadowed
from whet.domain.version import is_module
from whet.errors import Refused
from whet.kit import Kit
from whet.store.executions import Executions
from whet.store.versions import Versions
from whet.target.module_paths import path_of


def served(kit: Kit, commit: str) -> dict[str, str]:
    """Path in the repository -> name of the module that an application knows it by."""
    versions = Versions(kit.state)
    known = {found.path: name for name in versions.modules() if (found := versions.manifest(name))}
    paths = {entry.path for entry in kit.git.entries(kit.git.tree_of(commit))}
    for tool in Executions(kit.state).tools():
        path = path_of(tool.module, tool.file, kit.git.root, paths)
        if path and is_module(tool.module):  # a program named like no module is run, never imported
            known.setdefault(path, tool.module)
    return known


def refuse_unless_served(paths: Iterable[str], kit: Kit, commit: str) -> dict[str, str]:
    """The modules among what changes. Only a module of tools can be replaced while it runs: what else changes would
    stay old in the process, and that mixture was never proved."""
    known = served(kit, commit)
    code = [path for path in paths if not kit.is_test(path)]
    for path in code:
        if path not in known:
            raise Refused(
                f"{path} cannot be replaced while it runs: no application has recorded a tool of it",
                'set deploy.strategy to "merge" and restart what runs it',
            )
    return {path: known[path] for path in code}


def refuse_unless_safe(modules: Iterable[str], kit: Kit) -> None:
    """A shadow calls what the modules hold a second time. One tool that may not be called so would be changed unseen."""
    wanted = set(modules)
    newest = {tool.name: tool for tool in Executions(kit.state).tools() if tool.module in wanted}
    unsafe = sorted(name for name, tool in newest.items() if not may_be_shadowed(tool.characteristics))
    if unsafe:
        raise Refused(
            f"{', '.join(unsafe)} cannot be shadowed: its author does not say that it may run beside a real call",
            'declare safe_for_shadow=True where that is so, or set deploy.strategy to "canary"',
        )
