"""whet finds failing tests, writes a fix, proves it in a sandbox, asks for approval and deploys it.

Start reading at `whet.cycle`. `open` is the Python API to a repository; `tool`, `BaseTool`, `Registry` and `Case` are for
applications that capture their calls. Each is loaded on first use, so that importing whet costs next to nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.app.repository import open_path as open
    from whet.runtime.base import BaseTool
    from whet.runtime.case import Case
    from whet.runtime.registry import Registry
    from whet.runtime.tool import tool

__version__ = "0.1.0"
__all__ = ["BaseTool", "Case", "Registry", "open", "tool"]

_MODULES = {
    "tool": ("whet.runtime.tool", "tool"),
    "BaseTool": ("whet.runtime.base", "BaseTool"),
    "Registry": ("whet.runtime.registry", "Registry"),
    "Case": ("whet.runtime.case", "Case"),
    "open": ("whet.app.repository", "open_path"),
}


def __getattr__(name: str) -> object:
    """Import a public name on first use and keep it."""
    if name not in _MODULES:
        raise AttributeError(f"module 'whet' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _MODULES[name]
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value
    return value
