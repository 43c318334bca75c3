"""Readers of what package registries publish about the APIs of Gitea, Forgejo and GitLab.

No registry has the descriptions themselves. Each has clients that are generated from them (Gitea and Forgejo), or that other
people wrote by hand (GitLab); their source names the paths, the parameters and the fields.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Names = dict[str, tuple[str, ...]]
"""Names of parameters or fields, each with its allowed values; without values if every one is allowed."""


@dataclass(frozen=True)
class Operation:
    """One request of an API as its description allows it. `path` has names in braces."""

    method: str
    path: str
    query: Names = field(default_factory=dict)
    fields: Names = field(default_factory=dict)
    required: tuple[str, ...] = ()


def of_python_client(folder: Path) -> Iterator[Operation]:
    """Yield the operations of a client that OpenAPI Generator made for Python."""
    sources = [file.read_text() for file in (folder / "models").glob("*.py")]
    models = {
        match[1]: source
        for source in sources
        if (match := re.search(r"^class (\w+)\(BaseModel\)", source, re.MULTILINE))
    }
    for file in (folder / "api").glob("*_api.py"):
        bodies: dict[str, str] = {}
        for function in re.split(r"^    (?:async )?def ", file.read_text(), flags=re.MULTILINE)[1:]:
            name = function.partition("(")[0]
            if match := re.search(
                r"^        body: Optional\[(\w+)\]|^        body: .*?Optional\[(\w+)\]", function, re.MULTILINE
            ):
                bodies[name] = match[1] or match[2]
            if match := re.search(r"method='(\w+)',\s+resource_path='([^']+)'", function):
                query: Names = dict.fromkeys(re.findall(r"_query_params\.append\(\('([^']+)'", function), ())
                body = models.get(bodies.get(name.removeprefix("_").removesuffix("_serialize"), ""), "")
                yield Operation(match[1], match[2], query, *_python_fields(body))


def _python_fields(model: str) -> tuple[Names, tuple[str, ...]]:
    """Return the fields of a model with their allowed values, and the fields that it cannot do without."""
    kinds = dict(re.findall(r"^    ([a-z]\w*): (.*)$", model, re.MULTILINE))
    values = re.findall(r"@field_validator\('(\w+)'\).*?set\((\[.*?\])\)", model, re.DOTALL)
    allowed = {name: tuple(ast.literal_eval(text)) for name, text in values}
    return {name: allowed.get(name, ()) for name in kinds}, tuple(
        name for name in kinds if "Optional" not in kinds[name]
    )


def of_typescript_client(types: str, code: str) -> Iterator[Operation]:
    """Yield the operations of a client that openapi-ts made: `types` is its index.d.ts, `code` its index.mjs."""
    types = re.sub(r" */\*\*.*?\*/\n", "", types, flags=re.DOTALL)
    blocks = dict(re.findall(r"^type (\w+) = \{\n(.*?)^\};", types, re.MULTILINE | re.DOTALL))
    methods = dict(
        re.findall(r"^var (\w+) = \(options\) => \(options\??\.client \?\? client\)\.(\w+)\(", code, re.MULTILINE)
    )
    for name, method in methods.items():
        block = blocks[f"{name[0].upper()}{name[1:]}Data"]
        [path] = re.findall(r"^    url: '([^']+)';", block, re.MULTILINE)
        query = re.search(r"^    query\??: \{\n(.*?)^    \};", block, re.MULTILINE | re.DOTALL)
        body = re.search(r"^    body\??: (\w+);", block, re.MULTILINE)
        fields, required = _typescript_fields(blocks.get(body[1], "") if body else "", 4)
        yield Operation(method.upper(), path, _typescript_fields(query[1] if query else "", 8)[0], fields, required)


def _typescript_fields(block: str, indent: int) -> tuple[Names, tuple[str, ...]]:
    rows = re.findall(rf"^ {{{indent}}}'?([\w-]+)'?(\??): (.*);$", block, re.MULTILINE)
    fields = {name: tuple(re.findall(r"'([^']+)'", kind)) for name, _, kind in rows}
    return fields, tuple(name for name, optional, _ in rows if not optional)


def options_of(types: str, name: str) -> set[str]:
    """Return the names of an options type of the GitLab client, as the API spells them."""
    found = re.search(rf"^type {name} = (.*?)^\}}(.*?);$", types, re.MULTILINE | re.DOTALL)
    assert found, name
    names = re.findall(r"^    (\w+)\??:", found[1], re.MULTILINE) + re.findall(r"'(\w+)'", found[2])
    return {re.sub(r"(?=[A-Z])", "_", each).lower() for each in names}


def problems(method: str, path: str, row: Sequence[Any], operations: list[Operation]) -> list[str]:
    """Return what a row of a table allows and the description does not. Go reads names without regard to case."""
    query, fields, required = row
    templates = [each for each in operations if each.method == method and _matches(each.path, path)]
    if not templates:
        return [f"{method} {path} is not described"]
    operation = min(templates, key=lambda each: each.path.count("{"))  # `pulls/{base}/{head}` matches `pulls/1/reviews`
    known = {name.lower(): values for name, values in operation.fields.items()}
    found = [f"no parameter {name}" for name in query if name not in operation.query]
    found += [f"no field {name}" for name in fields if name not in known]
    found += [f"{name} is required" for name in operation.required if name.lower() not in required]
    for name, values in [*query.items(), *fields.items()]:
        allowed = operation.query.get(name) or known.get(name) or ()
        if allowed and isinstance(values, tuple):
            found += [f"{name}={value}" for value in values if value not in allowed]
    return [f"{method} {operation.path}: {problem}" for problem in found]


def _matches(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) is not None
