"""whet finds failing tests, writes a fix, proves it in a sandbox, asks for approval and deploys it.

Start reading at `whet.cycle`. Applications import `tool`, `BaseTool`, `Registry` and `Case` from here. These names are
loaded on first use, so that the command line does not import them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.base import BaseTool
    from whet.runtime.case import Case
    from whet.runtime.registry import Registry
    from whet.runtime.tool import tool

__version__ = "0.1.0"
__all__ = ["BaseTool", "Case", "Registry", "tool"]

_MODULES = {"tool": "tool", "BaseTool": "base", "Registry": "registry", "Case": "case"}


def __getattr__(name: str) -> object:
    """Import a public name on first use and keep it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'whet' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"whet.runtime.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
