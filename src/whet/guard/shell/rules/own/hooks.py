"""Hooks of git, which run at the next commit, checkout or push."""

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.paths import is_temporary

_COPIES = ("cp", "mv", "ln", "install")


def is_own_hook(call: Call, path: str) -> bool:
    """True if a hook is installed from a folder of the repository, where it has the hook's own name.

    `cp scripts/pre-commit .git/hooks/pre-commit` is the usual way to install a hook that the repository tracks.
    """
    is_hook = "/hooks/" in path or "/.husky/" in f"/{path}"
    sources = [word for word in call.options.operands if word != path]
    return is_hook and call.name in _COPIES and bool(sources) and all(_is_tracked(word, path) for word in sources)


def _is_tracked(source: str, path: str) -> bool:
    folder, slash, name = source.rpartition("/")
    is_in_repository = source[:1] not in ("/", "~") and bool(folder.strip("./")) and not is_temporary(source)
    return bool(slash) and is_in_repository and name == path.rpartition("/")[2]
