"""Kinds of mistakes, one family per file. A new family is a new file and a line in `TEMPLATES`."""

from whet.phases.propose.repair.templates import (
    call,
    coercion,
    condition,
    constant,
    exception,
    guard,
    off_by_one,
    operator,
    statement,
    subscript,
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
)
