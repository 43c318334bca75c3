"""Predict the paths that `git rev-parse` prints."""

from whet.guard.shell.model.call import Call
from whet.guard.shell.output.by_kind import output_by_kind

_PRINTED = {
    "--git-dir": ".git",
    "--absolute-git-dir": ".git",
    "--git-common-dir": ".git",
    "--show-toplevel": ".",
    "--show-cdup": "./",
}


def git_output(call: Call) -> str:
    """Return the path that `git rev-parse --git-dir` and its like print; for other calls, a placeholder."""
    words = [word for word in call.args if not word.startswith("--path-format")]
    if words[:1] == ["rev-parse"] and len(words) == 2 and words[1] in _PRINTED:
        return _PRINTED[words[1]]
    if words[:2] == ["rev-parse", "--git-path"] and len(words) == 3:
        return f".git/{words[2]}"
    return output_by_kind(call)
