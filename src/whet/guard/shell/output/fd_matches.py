"""Predict the files of whet and git that `fd` matches."""

from fnmatch import fnmatchcase

from whet.guard.shell.model.options import Options
from whet.guard.shell.model.protected import SAMPLES, owner_of
from whet.guard.shell.output.find_expression import search_pattern

_VALUED_LETTERS = "teEdSjcox"
_VALUED_LONGS = (
    "type", "extension", "exclude", "max-depth", "min-depth", "exact-depth", "size", "threads", "color", "owner",
    "changed-within", "changed-before", "base-directory", "search-path", "ignore-file", "max-results", "format",
)  # fmt: skip


def protected_by_fd(args: list[str]) -> list[str]:
    """Return the protected paths that `fd` would print for these arguments, without those after `-x`."""
    options = Options(args, _VALUED_LETTERS, _VALUED_LONGS)
    pattern = options.operands[0] if options.operands else ""
    roots = [*options.operands[1:], *options.value("", "base-directory", "search-path")] or ["."]
    inside = [f"{root.rstrip('/')}/*" for root in roots if owner_of(root) is not None]
    has_test = bool(pattern.strip(".*")) or bool(options.value("e", "extension"))
    if not has_test:
        return inside
    shows_hidden = options.has("Hu", "hidden", "unrestricted")
    return inside + [
        f"{root.rstrip('/')}/{sample}"
        for root in roots
        for sample in SAMPLES
        if (shows_hidden or not sample.startswith(".")) and _matches(sample, pattern, options)
    ]


def _matches(sample: str, pattern: str, options: Options) -> bool:
    """True if fd selects the sample by its name, its path (`-p`) or its extension. Upper case is ignored."""
    extensions = options.value("e", "extension")
    if extensions and not sample.endswith(tuple(f".{extension.lstrip('.')}" for extension in extensions)):
        return False
    subject = sample if options.has("p", "full-path") else sample.rpartition("/")[2]
    if options.has("g", "glob"):
        return fnmatchcase(subject.lower(), pattern.lower())
    if options.has("F", "fixed-strings"):
        return pattern.lower() in subject.lower()
    return search_pattern(rf"(?i).*(?:{pattern})", subject)
