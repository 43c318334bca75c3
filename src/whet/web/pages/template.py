"""The templates. Every text that is not markup is sanitized and escaped on its way out, wherever it comes from."""

import shlex
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from whet.domain.plural import count
from whet.domain.sanitize import sanitize
from whet.web.pages import text


def render(template: str, /, **values: Any) -> str:
    """Return a page. An unknown name in a template is an error."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("whet.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "code": text.code,
        "duration": text.duration,
        "groups": text.groups,
        "moment": text.moment,
        "safeguards": text.safeguards,
        "sentence": text.sentence,
        "shell": shlex.quote,
        "since": text.since,
        "until": text.until,
    }
    environment.globals["count"] = count
    return environment


def _visible(value: Any) -> Any:
    """Return a value as it may appear on a page: control and hidden characters become escapes; markup stays."""
    if isinstance(value, Markup) or value is None:
        return "" if value is None else value
    return sanitize(str(value))
