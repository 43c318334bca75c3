"""Changes to the definition of a configuration: its fields, their types, defaults and checks."""

import ast
import json
import re
from collections.abc import Iterator

from whet.guard.denied.units import Unit, UnitChanges
from whet.guard.paths.patterns import patterns
from whet.pyast.functions import Function

FILES = (
    "*.schema.json",
    "*config*schema*.json",
    "*settings*schema*.json",
    "schema*config*.json",
    "schema*settings*.json",
    "*config*.schema.y*ml",
    "*settings*.schema.y*ml",
)
_SETTINGS_BASES = frozenset({"BaseSettings", "pydantic_settings.BaseSettings", "pydantic.BaseSettings"})
_DATA_BASES = frozenset({"BaseModel", "TypedDict", "NamedTuple", "Struct", "Schema", "BaseConfig", "Section"})
_DATA_DECORATORS = frozenset({"dataclass", "define", "frozen", "attrs", "s", "attrib"})
_CONFIG_NAME = re.compile(
    r"\w*(Settings|Config|Configuration|Preferences)(Model|Schema|Base)?|_?([A-Z0-9_]*_)?(CONFIG|SETTINGS)(_[A-Z]+)?"
)
_SCHEMA_VARIABLE = re.compile(
    r"(?i)_?\w*(config|settings|configuration)\w*_schema\w*|_?\w*schema_\w*(config|settings)\w*"
)
_FUNCTIONAL = frozenset(
    {"TypedDict", "NamedTuple", "namedtuple", "create_model", "make_dataclass", "defstruct", "make_class", "Schema"}
)
_VALIDATORS = frozenset({"validator", "field_validator", "model_validator", "root_validator", "field_serializer"})


def is_schema_file(path: str, text: str) -> bool:
    """True if a JSON file is the schema of a configuration, by its name or by what it says about itself."""
    if patterns(FILES).catches(path) is not None:
        return True
    if not path.casefold().endswith(".json"):
        return False
    try:
        data = json.loads(text or "null")
    except (ValueError, RecursionError):
        return False
    if not isinstance(data, dict) or "json-schema.org" not in str(data.get("$schema", "")):
        return False
    about = f"{path} {data.get('title', '')} {data.get('$id', '')}".lower()
    return any(word in about for word in ("config", "settings", "preferences"))


def config_schema_changes(changes: UnitChanges) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each changed unit that defines a configuration."""
    for unit in changes.changed:
        owner, is_field = _owner(unit)
        if owner is not None and is_field and _defines_configuration(owner, unit.scopes[: unit.scopes.index(owner)]):
            yield unit.line, f"a field of {owner.name}"
        elif isinstance(unit.statement, ast.ClassDef) and _defines_configuration(unit.statement, unit.scopes):
            yield unit.line, f"the class {unit.statement.name}"
        elif variable := _schema_variable(unit):
            yield unit.line, f"the schema {variable}"


def _owner(unit: Unit) -> tuple[ast.ClassDef | None, bool]:
    """Return the class around a unit, and whether the unit states a field or checks one; ordinary methods do not."""
    *outer, inner = unit.scopes or (None,)
    if isinstance(inner, ast.ClassDef):
        statement = unit.statement
        if isinstance(statement, Function):
            return inner, _is_validator(statement)
        return inner, not isinstance(statement, ast.Expr | ast.Pass | ast.ClassDef)
    method_owner = outer[-1] if outer else None
    if isinstance(inner, Function) and isinstance(method_owner, ast.ClassDef):
        return method_owner, _is_validator(inner)
    return None, False


def _is_validator(function: Function) -> bool:
    return bool(_VALIDATORS & {_last(decorator) for decorator in function.decorator_list})


def _defines_configuration(owner: ast.ClassDef, outer: tuple[ast.stmt, ...]) -> bool:
    bases = {ast.unparse(base).partition("[")[0] for base in owner.bases}
    lasts = {base.rpartition(".")[2] for base in bases}
    if lasts & {base.rpartition(".")[2] for base in _SETTINGS_BASES}:
        return True
    if owner.name in ("Config", "Meta") and outer and isinstance(outer[-1], ast.ClassDef):
        return False  # the inner class of a model says how to read it
    is_data_class = bool(lasts & _DATA_BASES) or bool(_DATA_DECORATORS & {_last(item) for item in owner.decorator_list})
    inherits = bool(bases) and any(isinstance(statement, ast.AnnAssign) for statement in owner.body)
    return bool(_CONFIG_NAME.fullmatch(owner.name)) and (is_data_class or inherits)


def _schema_variable(unit: Unit) -> str:
    statement = unit.statement
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) or (
        unit.scopes and isinstance(unit.scopes[-1], Function)
    ):
        return ""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = [_last(target) for target in targets]
    if isinstance(statement.value, ast.Call) and _last(statement.value) in _FUNCTIONAL:
        return next((name for name in names if _CONFIG_NAME.fullmatch(name)), "")
    return next((name for name in names if _SCHEMA_VARIABLE.fullmatch(name)), "")


def _last(node: ast.expr) -> str:
    """Return the last name of a decorator, a call or a target."""
    if isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
