"""whet lets a codebase improve itself, and lets nothing through without proof.

Start reading at `whet.cycle`. What an application imports (`tool`, `BaseTool`, `Registry`, `Case`) is loaded when it is
asked for, so that the command line does not pay for it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.base import BaseTool
    from whet.runtime.case import Case
    from whet.runtime.registry import Registry
    from whet.runtime.tool import tool

__version__ = "0.1.0"
__all__ = ["BaseTool", "Case", "Registry", "tool"]

_HOMES = {"tool": "tool", "BaseTool": "base", "Registry": "registry", "Case": "case"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'whet' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f"whet.runtime.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
