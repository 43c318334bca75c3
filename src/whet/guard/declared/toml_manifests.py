"""References in pyproject.toml and other settings in TOML: scripts, entry points, build hooks, plug-ins of tools."""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from whet.guard.declared.reference import Reference, Role, module_reference
from whet.guard.declared.words import options_after, words

_SCRIPT_TABLES = (
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("tool", "poetry", "scripts"),
    ("tool", "flit", "scripts"),
    ("tool", "pdm", "scripts"),
    ("tool", "poe", "tasks"),
)
_GROUP_TABLES = (("project", "entry-points"), ("tool", "poetry", "plugins"), ("tool", "flit", "entrypoints"))
_TEST_PLUGINS = "pytest11"


def toml_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the references of a TOML manifest; none if it cannot be parsed."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    name = manifest.rpartition("/")[2]
    if name == "hatch.toml":
        data = {"tool": {"hatch": data}}
    elif name in ("pytest.toml", ".pytest.toml"):
        data = {"tool": data}
    yield from _entry_points(data, manifest)
    yield from _build_backend(data, manifest)
    yield from _hatch(data, manifest)
    yield from _other_hooks(data, manifest)
    yield from _plugins(data, manifest)


def _entry_points(data: Mapping[str, Any], manifest: str) -> Iterator[Reference]:
    for keys in _SCRIPT_TABLES:
        for value in _table(data, *keys).values():
            yield from _script(value, manifest)
    for keys in _GROUP_TABLES:
        for group, entries in _table(data, *keys).items():
            role = Role.TEST_PLUGIN if group == _TEST_PLUGINS else Role.ENTRY_POINT
            values = entries.values() if isinstance(entries, dict) else ()
            yield from (module_reference(role, value, manifest) for value in values if isinstance(value, str))

    for path in _list(_table(data, "tool", "setuptools").get("script-files")):
        yield Reference(Role.ENTRY_POINT, path, manifest)


def _script(value: Any, manifest: str) -> Iterator[Reference]:
    """Yield the reference of a script: `module:function`, or a table that names a file or a function."""
    if isinstance(value, dict):
        value = value.get("reference") or value.get("callable") or value.get("call") or value.get("script") or ""
    if not isinstance(value, str):
        return
    value = value.partition("[")[0].strip()
    if value.endswith(".py") and ":" not in value:
        yield Reference(Role.ENTRY_POINT, value, manifest)
    elif ":" in value and " " not in value.partition("(")[0]:
        yield module_reference(Role.ENTRY_POINT, value.partition("(")[0], manifest)


def _build_backend(data: Mapping[str, Any], manifest: str) -> Iterator[Reference]:
    system = _table(data, "build-system")
    folders = [folder for folder in _list(system.get("backend-path")) if folder.strip("./")]
    yield from (Reference(Role.BUILD_HOOK, f"{folder.strip('/')}/", manifest) for folder in folders)
    backend = system.get("build-backend")
    if "backend-path" in system and isinstance(backend, str):
        yield module_reference(Role.BUILD_HOOK, backend, manifest)


def _hatch(data: Mapping[str, Any], manifest: str) -> Iterator[Reference]:
    """Yield the files of custom hooks and of versions that are computed by code; `hatch_build.py` is the default."""
    hatch = _table(data, "tool", "hatch")
    build = _table(hatch, "build")
    targets = _table(build, "targets")
    hooks = [_table(build, "hooks"), _table(hatch, "metadata", "hooks")]
    hooks += [_table(target, "hooks") for target in targets.values() if isinstance(target, dict)]
    customs = [*(hook.get("custom") for hook in hooks), targets.get("custom")]
    yield from (
        Reference(Role.BUILD_HOOK, str(custom.get("path", "hatch_build.py")), manifest)
        for custom in customs
        if isinstance(custom, dict)
    )
    version = _table(hatch, "version")
    if version.get("source") == "code" and isinstance(version.get("path"), str):
        yield Reference(Role.BUILD_IMPORT, version["path"], manifest)


def _other_hooks(data: Mapping[str, Any], manifest: str) -> Iterator[Reference]:
    """Yield the hooks of Poetry, PDM, setuptools and scikit-build."""
    poetry = _table(data, "tool", "poetry").get("build")
    script = poetry.get("script") if isinstance(poetry, dict) else poetry
    custom = _table(data, "tool", "pdm", "build").get("custom-hook")
    provider = _table(data, "tool", "scikit-build", "metadata", "version").get("provider-path")
    for path in (script, custom):
        if isinstance(path, str):
            yield Reference(Role.BUILD_HOOK, path, manifest)
    if isinstance(provider, str):
        yield Reference(Role.BUILD_HOOK, f"{provider.strip('/')}/", manifest)
    for command in _table(data, "tool", "setuptools", "cmdclass").values():
        if isinstance(command, str):
            module, _, name = command.rpartition(".")
            yield Reference(Role.BUILD_HOOK, module, manifest, is_module=True, attribute=name)
    getter = _table(data, "tool", "pdm", "version").get("getter")
    if isinstance(getter, str):
        yield module_reference(Role.BUILD_IMPORT, getter, manifest)


def _plugins(data: Mapping[str, Any], manifest: str) -> Iterator[Reference]:
    """Yield the plug-ins of the test runner, the type checker, the linter and the coverage tool."""
    tool = _table(data, "tool")
    options = _table(tool, "pytest", "ini_options").get("addopts") or _table(tool, "pytest").get("addopts")
    for name in options_after(options, "-p"):
        yield Reference(Role.TEST_PLUGIN, name, manifest, is_module=True)
    main = _table(tool, "pylint", "main") or _table(tool, "pylint", "MASTER") or _table(tool, "pylint")
    plugins = [
        _table(tool, "mypy").get("plugins"),
        main.get("load-plugins"),
        _table(tool, "coverage", "run").get("plugins"),
    ]
    for names in plugins:
        for name in words(names):
            yield tool_plugin(name, manifest)


def tool_plugin(name: str, manifest: str) -> Reference:
    """Return the reference of a plug-in that is named by its module or by its file, with or without `:function`."""
    if ".py" in name:
        return Reference(Role.TOOL_PLUGIN, name.partition(":")[0], manifest)
    return module_reference(Role.TOOL_PLUGIN, name, manifest)


def _table(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return a nested table; empty if any key is missing or not a table."""
    for key in keys:
        inner = data.get(key)
        if not isinstance(inner, dict):
            return {}
        data = inner
    return data


def _list(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
