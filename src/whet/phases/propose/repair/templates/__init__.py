"""Kinds of mistakes, one family per file. A new family is a new file and a line in `TEMPLATES`."""

from whet.phases.propose.repair.templates import (
    attempt,
    call,
    coercion,
    condition,
    constant,
    decorator,
    exception,
    guard,
    membership,
    off_by_one,
    operator,
    pattern,
    presence,
    statement,
    subscript,
    text,
    variable,
)
from whet.phases.propose.repair.templates.template import Template

TEMPLATES: tuple[Template, ...] = (
    *operator.TEMPLATES,
    *off_by_one.TEMPLATES,
    *condition.TEMPLATES,
    *constant.TEMPLATES,
    *variable.TEMPLATES,
    *call.TEMPLATES,
    *subscript.TEMPLATES,
    *statement.TEMPLATES,
    *guard.TEMPLATES,
    *exception.TEMPLATES,
    *coercion.TEMPLATES,
    *membership.TEMPLATES,
    *presence.TEMPLATES,
    *decorator.TEMPLATES,
    *attempt.TEMPLATES,
    *text.TEMPLATES,
    *pattern.TEMPLATES,
)
