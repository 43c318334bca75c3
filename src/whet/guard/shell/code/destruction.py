"""Find files that Perl, Ruby, PHP, Node, Lua and similar code deletes or overwrites, beyond single literal calls."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_unsafe_to_delete
from whet.guard.shell.model.protected import Owner, owner_of

# Calls that delete a folder with everything below, and calls that delete files.
_TREE_CALL = (
    r"\b(?:rmtree|remove_tree|rm_rf!?|rm_r|remove_entry(?:_secure)?|remove_dir(?:_all)?|rmSync|rmdirSync"
    r"|rimraf[\"']?\)?(?:\.sync)?"
    r"|removeSync|emptyDirSync|delete_tree|deleteTree|delete-directory|file\s+delete\s+-force(?:\s+--)?)"
)
_TREE_LITERAL = re.compile(rf"{_TREE_CALL}\s*[(\[{{]*\s*[\"']?([/~.\w-][^\"'\s)\],;]*)")
_TREE_VARIABLE = re.compile(
    rf"{_TREE_CALL}\s*[(\[]*\s*(?:[$@]|process\.argv|ARGV|Dir\b|[a-z]\w*\s*[,)])"
    r"|\brm\s*\(\s*[a-z][\w.\[\]]*\s*,\s*\{[^}]*recursive"
    r"|\brm\s*\([^;]*recursive\s*=\s*true"
)
_DELETED_FILE_OBJECT = re.compile(
    r"File\s*\(\s*[\"']([^\"']+)[\"']\s*\)\s*\.\s*(?:deleteDir|deleteRecursively|delete)\b"
)
_LISTS_EVERYTHING = re.compile(
    r"glob\s*\(?\s*[\"']?(?:\./)?\.?\*+(?:/\*+)?[\"']|<\.?\*>|Dir\s*\[\s*[\"'](?:\./)?\*+(?:/\*+)?[\"']"
    r"|Dir\.(?:entries|children|each_child|foreach)|readdir(?:Sync)?\b|\bopendir\b|scandir\s*\(|lfs\.dir"
    r"|\bfind(?:depth)?\s*\(\s*(?:sub\b|\\&|\{)|popen\s*\(\s*[\"']ls\b"
    r"|list\.files\s*\(\s*\)"
)
_LISTED_FOLDER = re.compile(r"(?:\bDir\s*\[|\bDir\.glob\s*\(?|\bglob(?:Sync)?\s*\(?)\s*[\"']([^\"']+)[\"']")
_DELETES = re.compile(
    r"\bunlink(?:Sync)?\b|File\.delete|os\.remove\b|FileUtils\.rm|\brm(?:Sync|dirSync)?\s*\(|file\.remove"
)
_DELETES_ARGUMENTS = re.compile(
    rf"(?:\bunlink|File\.delete|{_TREE_CALL}|\brm\s*\()[^;]{{0,40}}?"
    r"(?:@ARGV|\$ARGV|\bARGV\b|process\.argv|\$argv|\barg\[)"
    r"|(?:ARGV\.each|process\.argv[^;]{0,40}forEach)[^;]{0,80}(?:rm|unlink|delete)"
)
# `perl -ne unlink` deletes every file that a line of its input names.
_DELETES_INPUT = re.compile(
    r"\b(?:unlink|rmtree|rmdir)\b\s*(?:\(\s*)?(?:\$_\b|;|\}|\)|$)"
    r"|(?:File\.delete|FileUtils\.rm\w*|rm_rf|Dir\.rmdir)\s*\(?\s*(?:\$_|\$stdin|STDIN|gets|line\b|l\b|_1\b)"
)
_RENAMED = re.compile(r"\brename(?:Sync)?\s*\(?\s*[\"']([^\"']+)[\"']\s*(?:,|=>)")
_CHANGES_FILES = re.compile(
    r"write|append|unlink|remove|delete|rename|truncate|copy|move|symlink|\blink\b|chmod|chown|file_put_contents|rmtree"
    r"|rm_|rmSync|rm\(|cpSync|\.cp\(|mkdir|touch|sqlite|DBI|[\"']\s*\+?>|\+<|FileUtils\.|,\s*[\"'][wa]\+?b?[\"']"
    r"|\bPDO\b|INSERT|UPDATE|DELETE"
)
_WRITES_FILES = re.compile(r"write|append|file_put_contents|[\"']\s*>>?|,\s*[\"'][wa]\+?b?[\"']|copy|rename")
_STARTUP_NAME = re.compile(
    r"(?:.*/)?\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|ssh/authorized_keys)"
)
_LITERAL = re.compile(r"[\"'`<]([^\"'`<>\s]{2,200})[\"'`>]|q\w?[({\[/]([^)}\]/\s]{2,200})")

_WORD_LIST = re.compile(r"(?:qw|%w)\s*[({\[/<]([^)}\]/>]*)")


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the deletions and the changes of protected files in code."""
    if _LISTS_EVERYTHING.search(code) and _DELETES.search(code):
        yield CausesHarm(Harm.DELETION, f"the {language} code deletes every file of a folder")
    for path in _LISTED_FOLDER.findall(code) if _DELETES.search(code) else ():
        if is_unsafe_to_delete(path):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path}")
    for path in (*_TREE_LITERAL.findall(code), *_DELETED_FILE_OBJECT.findall(code), *_RENAMED.findall(code)):
        if path[0] not in "$@" and is_unsafe_to_delete(path):
            yield CausesHarm(Harm.DELETION, f"the {language} code deletes {path} or moves it away")
    if _TREE_VARIABLE.search(code):
        yield CausesHarm(Harm.UNRESOLVED, f"the folder that the {language} code deletes is not known", raises=True)
    yield from _protected(code, language)


def _protected(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the files of whet and git that are named in code which changes files."""
    if not _CHANGES_FILES.search(code):
        return
    literals = ["".join(alternatives) for alternatives in _LITERAL.findall(code)]
    for path in (*literals, *" ".join(_WORD_LIST.findall(code)).split()):
        if _STARTUP_NAME.fullmatch(path) and _WRITES_FILES.search(code):
            yield CausesHarm(Harm.PERSISTENCE, f"the {language} code writes {path}, which is read at start-up")
        owner = owner_of(path) if path.strip("*") else None
        if owner is Owner.WHET:
            yield CausesHarm(Harm.WHET, f"the {language} code changes {path}, which belongs to whet")
        elif owner is Owner.GIT:
            reason = f"the {language} code changes files and names {path}"
            yield CausesHarm(Harm.GIT_HISTORY, reason, raises=True)


def deletes_input(code: str) -> bool:
    """True if code deletes the files that its input names, as `xargs rm` does."""
    return _DELETES_INPUT.search(code) is not None


def deletes_arguments(code: str) -> bool:
    """True if code deletes the files that its command line names, as `rm` does."""
    return _DELETES_ARGUMENTS.search(code) is not None
