"""Find the modules of the repository whose tools running applications call, and check that they can be replaced."""

import ast
from collections.abc import Iterable, Mapping, Sequence

from whet.config import DeployPolicy
from whet.domain.execution import EVERY_ARGUMENT
from whet.domain.recommendation import may_shadow
from whet.domain.version import Mode, is_module
from whet.errors import EnvironmentProblem, Refused
from whet.kit import Kit
from whet.store.executions import Executions
from whet.store.versions import Versions
from whet.target.interpreter import Interpreter
from whet.target.module_paths import path_of


def live_modules(kit: Kit, commit: str) -> dict[str, str]:
    """Return the modules with tools: path in the repository -> name under which applications import the module."""
    versions = Versions(kit.state)
    modules = {manifest.path: name for name in versions.modules() if (manifest := versions.manifest(name))}
    paths = {entry.path for entry in kit.git.entries(kit.git.tree_of(commit))}
    for tool in Executions(kit.state).tools():
        path = path_of(tool.module, tool.file, kit.git.root, paths)
        if path and is_module(tool.module):  # a script such as `my-app.py` cannot be imported under its name
            modules.setdefault(path, tool.module)
    return modules


def require_live_modules(paths: Iterable[str], kit: Kit, commit: str) -> dict[str, str]:
    """Return the live modules among the changed paths; refuse if other code changes too.

    Only a module with tools can be replaced while it runs. Other changed files would stay old in the process, and that
    mixture of old and new was never proven.
    """
    modules = live_modules(kit, commit)
    code = [path for path in paths if not kit.is_test(path)]
    for path in code:
        if path not in modules:
            raise Refused(
                f"{path} cannot be replaced while it runs: no application has recorded a tool of it",
                'set deploy.strategy to "merge" and restart what runs it',
            )
    return {path: modules[path] for path in code}


def require_shadow_safe(modules: Iterable[str], kit: Kit) -> None:
    """Refuse unless every tool of the modules may be shadowed: other tools would be changed without a comparison."""
    names = set(modules)
    newest = {tool.name: tool for tool in Executions(kit.state).tools() if tool.module in names}
    unsafe = sorted(name for name, tool in newest.items() if not may_shadow(tool.characteristics))
    if unsafe:
        raise Refused(
            f"{', '.join(unsafe)} cannot be shadowed: its author does not say that it may run beside a real call",
            'declare safe_for_shadow=True where that is so, or set deploy.strategy to "canary"',
        )


def require_keys(modules: Mapping[str, str], kit: Kit, commit: str) -> None:
    """Refuse a key in deploy.keys that is not a parameter of the tool's function: no call could be routed by it."""
    keys, names = kit.policy.deploy.keys, {name: path for path, name in modules.items()}
    for tool in Executions(kit.state).tools():
        key = keys.get(tool.name, EVERY_ARGUMENT)
        if key == EVERY_ARGUMENT or tool.module not in names:
            continue
        parameters = parameters_of(kit.git.read(commit, names[tool.module]) or b"", tool.qualname)
        if parameters and key not in parameters:
            raise Refused(
                f"deploy.keys divides the calls of {tool.name} by {key!r}, which is none of its parameters",
                f"name one of: {', '.join(sorted(parameters))}",
            )


def parameters_of(source: bytes, qualname: str) -> frozenset[str]:
    """Return the parameters of a function by its qualified name; empty if it is not found or takes any keywords."""
    body: Sequence[ast.AST] = ast.parse(source).body
    for name in qualname.split("."):
        node = next((node for node in body if getattr(node, "name", "") == name), None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.args.kwarg:
            given = node.args
            return frozenset(each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs))
        body = node.body if isinstance(node, ast.ClassDef) else []
    return frozenset()


def require_pytest_for_shadow(policy: DeployPolicy, interpreter: Interpreter) -> None:
    """Refuse the strategy `shadow` if the target's interpreter has no pytest.

    A shadow runs captured calls as pytest tests, also in a project whose own tests run with unittest.
    """
    if policy.trial is Mode.SHADOW and not interpreter.has_pytest:
        raise EnvironmentProblem(
            f"deploy.strategy is shadow, which compares calls with pytest, and {interpreter.path} has no pytest",
            'install pytest there, or set deploy.strategy to "canary"',
        )
