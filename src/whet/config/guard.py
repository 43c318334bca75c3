"""`[guard]`: what a change may touch."""

from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.domain.call_policy import SENSITIVE
from whet.domain.category import Category, DeniedCategory
from whet.domain.tool import SCOPES, is_glob, is_scope

SUFFIXES = (".py", ".pyi", ".md", ".rst", ".txt", ".json", ".yml", ".yaml", ".toml", ".cfg", ".ini")


def _dotted(section: str) -> str:
    if not section or not all(section.split(".")) or section != section.strip():
        raise ValueError(f"{section!r} is not a dotted path of keys, such as tools.*.permissions")
    return section


def _tool_glob(glob: str) -> str:
    if not is_glob(glob):
        raise ValueError(
            f"{glob!r} is not a glob of tool names: letters, digits, _ and - between dots; * in a segment, ** alone"
        )
    return glob


def _scope(scope: str) -> str:
    if not is_scope(scope):
        raise ValueError(f"{scope!r} is not a scope: write {', '.join(SCOPES)}, then a colon and the full name")
    return scope


ToolGlob = Annotated[str, AfterValidator(_tool_glob)]


class ToolRule(Section):
    """The tools that one agent, team, model or provider may call. The narrowest scope with a matching rule decides;
    within a scope `deny` wins."""

    scope: Annotated[str, AfterValidator(_scope)]
    allow: tuple[ToolGlob, ...] = ()
    deny: tuple[ToolGlob, ...] = ()


class ShellTool(Section):
    """Tools whose `argument` is a shell command; the guard judges that command too."""

    tool: ToolGlob
    argument: Annotated[str, Field(min_length=1)] = "command"


class GuardPolicy(Section):
    """`[guard]`: the limits of a change.

    `protected` adds paths to the protected defaults, `open` removes paths from them. `immutable` names sections of
    settings files by dotted path; `*` matches every key.
    """

    protected: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = SENSITIVE
    suffixes: tuple[str, ...] = SUFFIXES
    repositories: tuple[str, ...] = ()
    immutable: dict[str, tuple[Annotated[str, AfterValidator(_dotted)], ...]] = Field(default_factory=dict)
    max_files: Annotated[int, Field(ge=1)] = 10
    max_lines: Annotated[int, Field(ge=1)] = 400
    max_new_files: Annotated[int, Field(ge=0)] = 3
    max_deleted_files: Annotated[int, Field(ge=0)] = 0
    categories: tuple[Category, ...] = tuple(category for category in Category if category is not Category.SELF)
    denied: tuple[DeniedCategory, ...] = tuple(DeniedCategory)
    allow_high_risk: bool = False
    tools: tuple[ToolRule, ...] = ()
    shell_tools: tuple[ShellTool, ...] = ()
