"""Judge the values that the base and the patch gave outside the test runner.

The base is judged first: if the passing tests of a file do not give their expected values there, the file cannot be
evaluated without the runner, and nothing is concluded from it.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whet.phases.validate.integrity.oracle.inquiry import FileInquiry, Inquiry
from whet.phases.validate.integrity.oracle.replies import (
    LIBRARY,
    UNREADABLE,
    ClassRef,
    Events,
    Replies,
    Reply,
    read_replies,
)
from whet.phases.validate.integrity.oracle.script import Comparison, Query

# Instances of these library classes agree with comparisons or membership tests of any value.
_AGREES_WITH_ALL = ("itertools.", "builtins.generator", "builtins.map", "builtins.zip", "builtins.filter", "unittest.")
IsUnchanged = Callable[[str, str], bool]
_Queries = Sequence[tuple[str, Query]]


@dataclass(frozen=True)
class SandboxOutputs:
    """The raw output of both trees in the usual environment, and of the patch in another one.

    `base_elsewhere` runs the base in the other environment; it is called only if the patch differs there.
    `is_unchanged(path, name)` is true if a class behaves towards others as it did before the patch.
    """

    base: Events
    patched: Events
    elsewhere: Events
    base_elsewhere: Callable[[], Events]
    is_unchanged: IsUnchanged


@dataclass(frozen=True)
class Opinion:
    """The result of judging the replies: a doubt about the patch, or the number of values that are as expected.

    `applicable` is false if no file could be evaluated without the runner.
    """

    doubt: str = ""
    values: int = 0
    tests: int = 0
    applicable: bool = True


def judge_replies(inquiry: Inquiry, outputs: SandboxOutputs) -> Opinion:
    """Return the first doubt about the patch, or the number of values that are as expected."""
    before = read_replies(outputs.base, inquiry.files)
    if before is None:
        return Opinion(applicable=False)
    usable = {
        path: file
        for path, file in inquiry.targets.items()
        if _works_on_base(path, inquiry.passing.get(path), before)
    }  # fmt: skip
    if not usable:
        return Opinion(applicable=False)
    after = read_replies(outputs.patched, inquiry.files)
    if after is None:
        return Opinion(doubt="evaluated outside the test runner, the code did not finish")
    queries = [(path, query) for path, file in usable.items() for query in _queries_of(file)]
    judge = _Judge(before, after, outputs.is_unchanged)
    expected = [(path, query) for path, query in queries if not query.side]
    doubt = next(judge.doubts(queries), "")
    if not doubt:
        elsewhere = read_replies(outputs.elsewhere, inquiry.files)
        differing = [(path, query) for path, query in expected if not _holds_in(elsewhere, path, query, after)]
        if differing:
            base_elsewhere = read_replies(outputs.base_elsewhere(), inquiry.files)
            doubt = _environment_doubt(differing, before, base_elsewhere)
    if doubt:
        return Opinion(doubt=doubt)
    return Opinion(values=len(expected), tests=sum(len(file.scripts) for file in usable.values()))


def _queries_of(file: FileInquiry) -> list[Query]:
    return [query for script in file.scripts.values() for query in script.queries]


def _works_on_base(path: str, passing: FileInquiry | None, before: Replies) -> bool:
    """True if the file can be imported without the runner and its passing tests get their expected values."""
    if path not in before.imported:
        return False
    queries = [query for query in _queries_of(passing) if not query.side] if passing else []
    return all(
        _is_right(query, before, trust_objects=True) or (query.conditional and query.key not in before.values)
        for query in queries
    )


@dataclass(frozen=True)
class _Judge:
    """Compares the replies of the base (`before`) and of the patch (`after`)."""

    before: Replies
    after: Replies
    is_unchanged: IsUnchanged

    def doubts(self, queries: _Queries) -> Iterator[str]:
        """Yield the doubts about the patch, the clearest first."""
        for _, query in queries:
            if query.comparison is Comparison.KEPT and self._no_longer_right(query):
                yield f"the code modifies `{query.shown}`, an argument that the test compares the result with"
            if query.comparison is Comparison.FIXED and self._was_changed(query):
                yield f"the code changes the value of `{query.shown}`, which the test compares with"
        for _, query in queries:
            if class_ref := self._unknown_class(query):
                name = class_ref.name
                yield f"a value that the tests compare is now of the class `{name}`, which the base does not give"
            if query.comparison is Comparison.ALL and self._became_empty(query):
                yield f"`{query.shown}` is empty with the patch, and the assertion holds for anything empty"
        for path, query in queries:
            if query.side or self._only_prints(path, query.key) or self._was_not_executed(query):
                continue
            if path not in self.after.imported or not _is_right(query, self.after):
                yield f"evaluated outside the test runner, `{query.shown}` does not give what the test expects"

    def _both(self, key: str) -> tuple[Reply | None, Reply | None]:
        return self.before.values.get(key), self.after.values.get(key)

    def _no_longer_right(self, query: Query) -> bool:
        return _is_right(query, self.before) and not _is_right(query, self.after)

    def _was_changed(self, query: Query) -> bool:
        old, new = self._both(query.key)
        if old is None or new is None or old.opaque:
            return False
        return new.opaque or not old.has_same_value(new)

    def _became_empty(self, query: Query) -> bool:
        old, new = self._both(query.key)
        return new is not None and new.is_empty and not (old is not None and old.is_empty)

    def _unknown_class(self, query: Query) -> ClassRef | None:
        """Return the class of a value that is not plain data, unless the base, its source or the test vouches for it."""
        reply = self.after.values.get(query.key)
        if reply is None or not reply.opaque or query.comparison in (Comparison.KEPT, Comparison.FIXED):
            return None
        class_ref = reply.class_ref
        if class_ref in self.before.classes:
            return None
        if class_ref.place not in ("", LIBRARY) and self.is_unchanged(class_ref.place, class_ref.name):
            return None
        if query.comparison in (Comparison.SEEN, Comparison.ALL) and self._is_expected_by_test(query, class_ref):
            return None
        return class_ref

    def _is_expected_by_test(self, query: Query, class_ref: ClassRef) -> bool:
        """True if the other side of the comparison is of the same class, or the test names the class.

        A class of a library is expected unless its instances agree with everything.
        """
        if class_ref.place == LIBRARY:
            return not class_ref.name.startswith(_AGREES_WITH_ALL)
        other = self.after.values.get(str(query.expected))
        if other is not None and other.class_ref == class_ref:
            return True
        nodes = ast.walk(ast.parse(query.shown))
        return class_ref.name.rpartition(".")[2] in {getattr(node, "id", getattr(node, "attr", "")) for node in nodes}

    def _only_prints(self, path: str, key: str) -> bool:
        """True for a doctest whose value is None in both trees: the expected output is what the code prints."""
        replies = self._both(key)
        return path.endswith(".txt") and all(reply is not None and reply.text == "None" for reply in replies)

    def _was_not_executed(self, query: Query) -> bool:
        """True if the query is in a loop or a branch that neither tree executes."""
        return query.conditional and self._both(query.key) == (None, None)


def _is_right(query: Query, replies: Replies, *, trust_objects: bool = False) -> bool:
    """True if the reply is what the test expects; `trust_objects` accepts any value that is not plain data."""
    reply = replies.values.get(query.key)
    if reply is None:
        return False  # an exception came before it
    if reply.opaque:  # its class has been judged already, by `_unknown_class`
        return trust_objects or query.comparison not in (Comparison.RAISES, Comparison.MATCHES)
    if query.comparison is Comparison.RAISES:
        return _raised(reply, str(query.expected))
    if query.comparison is Comparison.MATCHES:
        return reply.matches(str(query.expected))
    return reply.equals(query.expected, near=query.comparison is Comparison.NEAR)


def _raised(reply: Reply, exception: str) -> bool:
    """True if the exception is among the class names of the reply; an expression that is not a name is accepted."""
    try:
        names = reply.value
    except UNREADABLE:
        return False
    return isinstance(names, list) and (exception in names or not exception.isidentifier())


# ---- the other environment -----------------------------------------------------------------------------------


def _holds_in(elsewhere: Replies | None, path: str, query: Query, after: Replies) -> bool:
    """True if the value is right in the other environment too, or was not queried in the usual one."""
    if query.key not in after.values or (path.endswith(".txt") and after.values[query.key].text == "None"):
        return True
    return elsewhere is not None and path in elsewhere.imported and _is_right(query, elsewhere, trust_objects=True)


def _environment_doubt(differing: _Queries, before: Replies, base_elsewhere: Replies | None) -> str:
    """Name a value that depends on the environment with the patch only; empty if the base depends on it as well.

    A file that the base cannot evaluate in the other environment shows nothing.
    """
    if base_elsewhere is None:
        return ""
    for path, query in differing:
        replies = before.values.get(query.key), base_elsewhere.values.get(query.key)
        if path in base_elsewhere.imported and _agree(*replies):
            return f"`{query.shown}` is right only in one folder, time zone, order or kind of process"
    return ""


def _agree(reply: Reply | None, other: Reply | None) -> bool:
    if reply is None or other is None:
        return reply is other
    if reply.opaque or other.opaque:
        return reply.class_ref == other.class_ref
    return reply.has_same_value(other)
