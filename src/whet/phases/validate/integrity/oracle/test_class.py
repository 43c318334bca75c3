"""The class of a test: its attributes and helper methods, as far as they can be used without the test runner."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from whet.phases.validate.integrity.oracle.literals import is_docstring
from whet.phases.validate.integrity.oracle.test_module import ModuleNames, is_fixture
from whet.pyast.functions import Function

_SET_UP_EACH = ("setUp", "setup_method")
_SET_UP = (*_SET_UP_EACH, "setUpClass", "setup_class", "asyncSetUp", "setup")


@dataclass(frozen=True)
class SelfState:
    """The contents of `self` in a test: its attributes, the assignments that set them in order, and its methods."""

    assignments: list[ast.Assign] = field(default_factory=list)
    attributes: dict[str, ast.expr] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)

    def assignments_for(self, attributes: set[str]) -> list[ast.Assign]:
        """Return the assignments that these attributes need, directly or through other attributes."""
        needed = set(attributes)
        # Backwards, so that an attribute that a later assignment reads is known before its own assignment is met.
        for assignment in reversed(self.assignments):
            if _attribute_of(assignment) in needed:
                needed |= {node.attr for node in ast.walk(assignment) if is_self_attribute(node)}
        return [assignment for assignment in self.assignments if _attribute_of(assignment) in needed]


def self_state(name: str, module: ModuleNames) -> SelfState | None:
    """Return the contents of `self` in the test `Class::test`; an empty state for a function of the module.

    None if the class is nested, is missing, has fixtures, or does more than assign before its tests run.
    """
    if "::" not in name:
        return SelfState()
    test_class = module.classes.get(name.partition("::")[0])
    if name.count("::") > 1 or test_class is None:
        return None
    state = SelfState()
    for class_node in _with_bases(test_class, module):
        for node in class_node.body:
            acts = isinstance(node, Function) and node.name in _SET_UP and not _only_assigns(node)
            if acts or is_fixture(node):
                return None
            if isinstance(node, ast.FunctionDef) and node.name not in _SET_UP:
                state.methods[node.name] = node
            for attribute, value in _attribute_values(node):
                state.attributes[attribute] = value
                target = ast.Attribute(ast.Name("self", ast.Load()), attribute, ast.Store())
                state.assignments.append(ast.Assign([target], value))
    return state


def is_self_attribute(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """True for `self.name`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _with_bases(class_node: ast.ClassDef, module: ModuleNames) -> list[ast.ClassDef]:
    """Return the class after its base classes in the same file, each once."""
    classes = [class_node]
    for node in classes:  # the list grows while it is walked
        bases = [module.classes.get(base.id) for base in node.bases if isinstance(base, ast.Name)]
        classes += [base for base in bases if base is not None and base not in classes]
    return classes[::-1]


def _only_assigns(node: Function) -> bool:
    """True if a set-up method that runs before each test only assigns attributes of `self`."""
    return node.name in _SET_UP_EACH and all(
        ast.unparse(statement) in ("super().setUp()", "pass")
        or is_docstring(statement)
        or _assignment_to_self(statement) is not None
        for statement in node.body
    )


def _attribute_values(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes that a class attribute or a set-up method puts on `self`, with their values."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.FunctionDef(name=name, body=body) if name in _SET_UP_EACH:
            for statement in body:
                assignment = _assignment_to_self(statement)
                if assignment is not None:
                    yield assignment


def _assignment_to_self(node: ast.stmt) -> tuple[str, ast.expr] | None:
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
            return name, value
    return None


def _attribute_of(assignment: ast.Assign) -> str:
    (target,) = assignment.targets
    return target.attr if isinstance(target, ast.Attribute) else ""
