"""The tools of coding agents by name: the kind of each, and its arguments that are paths or commands.

Names are compared without case and `_`: agents spell one tool `write_file`, `WriteFile` or `Write`.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

MOST_STRINGS = 2_000
_DEEPEST = 12


class ToolKind(StrEnum):
    """The use that a tool makes of the files in its arguments. OTHER is a tool that is not known."""

    SHELL = "shell"
    READ = "read"
    WRITE = "write"
    PATCH = "patch"
    OTHER = "other"


_SHELL = """bash shell local_shell shell_command exec_command unified_exec run_shell_command run_terminal_cmd powershell
monitor execute_command run_command container.exec write_stdin terminal"""
_READ = """read read_file readmanyfiles view grep glob ls list_directory list_dir grep_search search_file_content
file_search notebookread view_image codebase_search semsearch readlints get_file_contents rg"""
_WRITE = """write edit multiedit notebookedit write_file replace create str_replace strreplace str_replace_editor
str_replace_based_edit_tool create_file edit_file delete delete_file remove_file move_file rename_file editnotebook
search_replace insert smart_edit tabwrite undo_edit"""
_PATCH = "apply_patch applypatch"
# A tool of an MCP server whose name begins with one of these words is taken for a reader.
_READING_WORDS = ("read", "get", "list", "search", "find", "view", "stat", "head", "tail", "tree", "directory", "show")
_COMMAND_KEYS = frozenset({"command", "cmd", "script", "commandline", "shellcommand", "chars"})
_PATH_KEYS = frozenset({
    "path", "paths", "file", "files", "filepath", "filepaths", "filename", "filenames", "notebookpath",
    "absolutepath", "relativepath", "relativeworkspacepath", "targetfile", "targetpath", "targetdirectory",
    "target", "dir", "dirpath", "directory", "folder", "source", "src", "destination", "dest", "dst", "oldpath",
    "newpath", "from", "to", "uri", "url", "location", "root", "cwd", "workdir", "include", "glob", "globpattern", "includepattern", "newname",
    "oldname",
})  # fmt: skip


def _key(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


_KINDS = {
    _key(name): kind
    for kind, names in (
        (ToolKind.SHELL, _SHELL),
        (ToolKind.READ, _READ),
        (ToolKind.WRITE, _WRITE),
        (ToolKind.PATCH, _PATCH),
    )
    for name in names.split()
}


def kind_of(tool: str) -> ToolKind:
    """Return what a tool does. A tool of an MCP server is known only if its name begins with a word for reading."""
    server, separator, name = tool.rpartition("__")
    if not (separator and server.startswith("mcp__")):
        return _KINDS.get(_key(tool), ToolKind.OTHER)
    return ToolKind.READ if name.lower().replace("-", "_").split("_")[0] in _READING_WORDS else ToolKind.OTHER


def commands_in(arguments: Mapping[str, object]) -> Iterator[object]:
    """Yield the values of the arguments that agents give a command in."""
    return (value for name, value in arguments.items() if _key(str(name)) in _COMMAND_KEYS)


def paths_in(arguments: Mapping[str, object]) -> Iterator[str]:
    """Yield the texts of the arguments that are named as paths, at any depth."""
    return (text for name, text in strings_in(arguments) if _key(name) in _PATH_KEYS)


def strings_in(value: object, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield every text in an argument with the name of its innermost key. Raise ValueError if it is nested too deeply."""
    if depth > _DEEPEST:
        raise ValueError("its arguments are nested too deeply")
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings_in(inner, str(key), depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner, name, depth + 1)
