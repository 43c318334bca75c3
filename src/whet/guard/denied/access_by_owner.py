"""Access that is decided without a function for it: comparisons with a user's role or with an owner, and queries for a
user's own rows."""

import ast

from whet.guard.denied.units import Unit
from whet.pyast.imports import last_name

_SUBJECTS = frozenset(
    {"user", "current_user", "principal", "actor", "viewer", "requester", "identity", "account", "member", "caller"}
)
_STANDING = frozenset({"role", "roles", "group", "groups", "scope", "scopes", "privileges", "rank"})
_OWNERS = frozenset({
    "owner", "owner_id", "user", "user_id", "created_by", "created_by_id", "author", "author_id", "tenant", "tenant_id", "account_id",
    "organization", "organization_id",
})  # fmt: skip
_ASKS = frozenset({"can", "may", "has", "is", "allowed", "allows", "owns"})
_QUERIES = frozenset(
    {"filter", "filter_by", "exclude", "get", "get_or_404", "get_object_or_404", "get_list_or_404", "where"}
)


def access_by_owner(unit: Unit) -> str:
    """Return the comparison or the query of a unit that decides whose things somebody gets; empty if there is none."""
    for node in unit.nodes():
        if isinstance(node, ast.Compare) and _compares_standing(node):
            return "a comparison with the role or the owner"
        if isinstance(node, ast.Call) and _asks_for_own_rows(node):
            return f"a query of {last_name(node.func)} for somebody's own rows"
        if isinstance(node, ast.Call) and _asks_subject(_words(node.func)):
            return f"a call of {last_name(node.func)}"
    return ""


def _compares_standing(node: ast.Compare) -> bool:
    """True for `user.role == ...`, `... in user.groups` and `page.owner == user`."""
    sides = [_words(side) for side in (node.left, *node.comparators)]
    if any(words and words[-1] in _STANDING and not _SUBJECTS.isdisjoint(words) for words in sides):
        return True
    owned = [words for words in sides if len(words) > 1 and words[-1] in _OWNERS and words[0] != "request"]
    others = [words for words in sides if words not in owned]
    return bool(owned) and any(not _SUBJECTS.isdisjoint(words) for words in others)


def _asks_for_own_rows(node: ast.Call) -> bool:
    if last_name(node.func) not in _QUERIES:
        return False
    return any(
        keyword.arg and keyword.arg.partition("__")[0] in _OWNERS and not _SUBJECTS.isdisjoint(_words(keyword.value))
        for keyword in node.keywords
    )


def _asks_subject(words: list[str]) -> bool:
    """True for `user.can(...)` and `request.user.is_allowed(...)`."""
    return len(words) > 1 and words[-1].split("_")[0] in _ASKS and not _SUBJECTS.isdisjoint(words[:-1])


def _words(node: ast.expr) -> list[str]:
    """Return the names of a dotted expression in their order; of anything else none."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return [node.id, *words] if isinstance(node, ast.Name) else words
