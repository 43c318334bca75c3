"""The tree-sitter parser for bash, loaded once."""

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def parse(source: bytes) -> Node:
    """Return the root of the syntax tree. Any input is accepted; errors are nodes of the tree."""
    return _parser().parse(source).root_node
