"""The check of settings files: YAML, JSON and TOML that a patch changes can be read, and fit their JSON Schema if they have one."""

import json
import posixpath
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from whet.domain.change import Change
from whet.domain.plural import count, shorten
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import EnvironmentProblem
from whet.guard.immutable.documents import Unreadable, documents
from whet.guard.paths.patterns import patterns
from whet.kit import Kit
from whet.phases.validate import Claim

_SUFFIXES = (".yaml", ".yml", ".json", ".toml")
_MOST_SHOWN = 3
_LARGEST_SCHEMA = 2_000_000


class StructureCheck:
    """Fails a patch after which a settings file can no longer be read, or has an error against its schema that it did not have.

    The schema is the file of the base that `checks.schemas` names for the path, or that the file names itself as `$schema`.
    """

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._schemas = kit, kit.git, kit.policy.checks.schemas

    def check(self, claim: Claim) -> CheckResult | None:
        """Compare the changed settings files, except those of tests; None if none has a schema and all can be read."""
        compared_changes = [change for change in claim.patch.changes if self._is_compared(change, claim)]
        texts = self._git.texts(compared_changes)
        errors: list[str] = []
        unknown: list[str] = []
        compared: list[str] = []
        for path, (before, after) in sorted(texts.items()):
            try:
                schema = self._schema(claim.patch.base, path, before)
                errors += [f"{path}: {error}" for error in _new_errors(path, before, after, schema)]
                compared += [path] if schema is not None else []
            except EnvironmentProblem as problem:
                unknown.append(f"{path}: {problem.message}; {problem.remedy}")
        if not (errors or unknown or compared):
            return None
        return _concluded(errors, unknown, compared)

    def _is_compared(self, change: Change, claim: Claim) -> bool:
        """True if the change leaves a settings file that is no test, and that the proof covers."""
        path, is_file = change.path, change.new_mode.startswith("100")
        return is_file and path.endswith(_SUFFIXES) and path not in claim.restored and not self._kit.is_test(path)

    def _schema(self, base: str, path: str, before: str) -> Any:
        """Return the schema of a file; None if it has none."""
        declared = next((schema for glob, schema in self._schemas.items() if patterns((glob,)).names(path)), "")
        place = declared or _own_schema(path, before)
        if not place:
            return None
        content = self._git.read(base, place)
        if content is None and not declared:
            return None  # an address on the web, which no sandbox can reach
        if content is None or len(content) > _LARGEST_SCHEMA:
            raise EnvironmentProblem(
                f"its schema {place} is not in the base, or is too large", "see checks.schemas in whet.toml"
            )
        try:
            schema = json.loads(content)
        except (ValueError, RecursionError):
            raise EnvironmentProblem(f"its schema {place} is not JSON", "correct the schema") from None
        if not isinstance(schema, dict | bool):
            raise EnvironmentProblem(f"its schema {place} is no object", "correct the schema")
        return schema


def _own_schema(path: str, text: str) -> str:
    """Return the path that a file gives as its `$schema`, from the top of the repository."""
    try:
        document = _plain(path, text)
    except Unreadable:
        return ""
    named = document.get("$schema", "") if isinstance(document, dict) else ""
    if not isinstance(named, str) or not named or "://" in named:
        return ""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
    return "" if place.startswith(("../", "/")) else place


def _new_errors(path: str, before: str, after: str, schema: Any) -> list[str]:
    """Return the errors of the new text that the old one does not have."""
    try:
        new = _plain(path, after)
    except Unreadable as problem:
        return [f"it cannot be read: {problem}"] if before and _is_readable(path, before) else []
    if schema is None:
        return []
    known = set(_violations(_plain(path, before), schema)) if before and _is_readable(path, before) else set()
    return [error for error in _violations(new, schema) if error not in known]


def _violations(document: Any, schema: Any) -> Iterator[str]:
    """Yield what the schema says against a document. No reference of the schema is fetched."""
    try:
        import jsonschema
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    except ImportError:
        raise EnvironmentProblem(
            "it has a JSON Schema and jsonschema is not installed", "pip install 'whet[schema]'"
        ) from None
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
        for error in kind(schema, registry=Registry()).iter_errors(document):
            yield f"{error.json_path}: {error.message[:200]}"
    except (jsonschema.SchemaError, Unresolvable, RecursionError) as problem:
        raise EnvironmentProblem(
            f"its schema cannot be used: {str(problem).splitlines()[0][:200]}", "correct the schema"
        ) from problem


def _is_readable(path: str, text: str) -> bool:
    try:
        _plain(path, text)
    except Unreadable:
        return False
    return True


def _plain(path: str, text: str) -> Any:
    """Return the document as plain data. Raise Unreadable; the guard's reader also refuses what would be too large."""
    if len(documents(path, text)) > 1:
        raise Unreadable("it holds several documents")
    if path.endswith(".json"):
        return json.loads(
            text
        )  # an empty file is read by nothing, although the guard's reader takes it for no document
    if path.endswith(".toml"):
        return json.loads(json.dumps(tomllib.loads(text), default=str))
    import yaml

    try:
        return json.loads(json.dumps(yaml.safe_load(text), default=str))
    except (yaml.YAMLError, TypeError, ValueError, ArithmeticError, AttributeError) as problem:
        # a tag of an application; a key that JSON does not have; a date or number that none is, which the reader converts
        raise Unreadable(str(problem).splitlines()[0]) from problem


def _concluded(errors: Sequence[str], unknown: Sequence[str], compared: Sequence[str]) -> CheckResult:
    if errors:
        words = f"{count(len(errors), 'error')} that the base does not have: {shorten(errors, _MOST_SHOWN)}"
        return CheckResult(check="structure", verdict=Verdict.FAILED, reason=words, regressed=tuple(errors))
    if unknown:
        return CheckResult(check="structure", verdict=Verdict.INCONCLUSIVE, reason="; ".join(unknown))
    fits = "fits its schema" if len(compared) == 1 else "fit their schemas"
    return CheckResult(check="structure", verdict=Verdict.PASSED, reason=f"{shorten(compared, _MOST_SHOWN)} {fits}")
