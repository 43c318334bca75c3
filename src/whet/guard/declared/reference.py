"""A manifest's mention of a module or a file, and the role that the mention gives it."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """The occasion on which a declared file runs, the gravest first."""

    BUILD_HOOK = "build_hook"  # code that only the build runs
    TEST_PLUGIN = "test_plugin"  # code that the test runner loads before the tests
    BUILD_IMPORT = "build_import"  # code of the package that the build runs too
    TOOL_PLUGIN = "tool_plugin"  # code that a linter, type checker or coverage tool loads
    SCRIPT = "script"  # a file that CI, a git hook or a task runner names
    ENTRY_POINT = "entry_point"  # code that a command or another program starts


@dataclass(frozen=True)
class Reference:
    """One mention in `manifest`. `target` is a path below the manifest's folder, or a module with `is_module`.

    `attribute` is the function or class that a module reference names; empty if it names the module only.
    """

    role: Role
    target: str
    manifest: str
    is_module: bool = False
    attribute: str = ""


@dataclass(frozen=True)
class Declared:
    """The role of a file, the manifest that gives it, and the function or class that the manifest names."""

    role: Role
    manifest: str
    attribute: str = ""


def module_reference(role: Role, text: str, manifest: str) -> Reference:
    """Return the reference of `package.module:object`, or of `package.module` alone; extras in brackets are cut off."""
    module, _, attribute = text.partition("[")[0].strip().partition(":")
    return Reference(role, module.strip(), manifest, is_module=True, attribute=attribute.strip())
