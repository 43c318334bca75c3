"""The grammar of bash, loaded once."""

from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Node, Parser


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def parse(source: bytes) -> Node:
    return _parser().parse(source).root_node
