"""References in setup.cfg, tox.ini and other files with sections."""

import configparser
from collections.abc import Iterator

from whet.guard.declared.reference import Reference, Role, module_reference
from whet.guard.declared.toml_manifests import tool_plugin
from whet.guard.declared.words import options_after, words

_TEST_PLUGINS = "pytest11"
_TOOL_SETTINGS = (("mypy", "plugins"), ("run", "plugins"), ("coverage:run", "plugins"))
_PYLINT_KEYS = ("load-plugins",)
_LOCAL_PLUGINS = "flake8:local-plugins"


def ini_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the references of a file with sections; none if it cannot be parsed."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    for section in parser.sections():
        values = {key: value or "" for key, value in parser.items(section)}
        if section in ("options.entry_points", "entry_points"):  # the second is that of pbr
            yield from _entry_points(values, manifest)
        if section == "options" and "cmdclass" in values:
            yield from _commands(values["cmdclass"], manifest)
        if section in ("options", "files"):
            scripts = (line.strip() for line in values.get("scripts", "").splitlines())
            yield from (Reference(Role.ENTRY_POINT, script, manifest) for script in scripts if script)
        if section in ("pytest", "tool:pytest"):
            names = options_after(values.get("addopts"), "-p")
            yield from (Reference(Role.TEST_PLUGIN, name, manifest, is_module=True) for name in names)
        yield from (tool_plugin(name, manifest) for name in _tool_plugins(section, values))


def _entry_points(groups: dict[str, str], manifest: str) -> Iterator[Reference]:
    for group, lines in groups.items():
        role = Role.TEST_PLUGIN if group == _TEST_PLUGINS else Role.ENTRY_POINT
        for line in lines.splitlines():
            name, equals, target = line.partition("=")
            if name.strip() and equals:
                yield module_reference(role, target, manifest)


def _commands(text: str, manifest: str) -> Iterator[Reference]:
    for line in text.splitlines():
        module, _, name = line.partition("=")[2].strip().rpartition(".")
        if module:
            yield Reference(Role.BUILD_HOOK, module, manifest, is_module=True, attribute=name)


def _tool_plugins(section: str, values: dict[str, str]) -> Iterator[str]:
    for name, key in _TOOL_SETTINGS:
        if section.lower() == name:
            yield from words(values.get(key))
    if section.lower() in ("main", "master", "pylint", "pylint.main", "pylint.master"):
        yield from (name for key in _PYLINT_KEYS for name in words(values.get(key)))
    if section == _LOCAL_PLUGINS:
        for lines in values.values():
            yield from (line.partition("=")[2].strip() for line in lines.splitlines() if "=" in line)
