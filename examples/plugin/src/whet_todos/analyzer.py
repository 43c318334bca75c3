"""The analyzer: one finding per owner of expired TODO comments."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode
from whet_todos.source import ExpiredTodo


class ExpiredTodos:
    kinds = (ExpiredTodo.kind,)
    minimum_signals = 1  # the comment is there for everybody to see

    def __init__(self, kit: Kit) -> None:
        del kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        by_owner: dict[str, list[Signal]] = defaultdict(list)
        for signal in signals:
            by_owner[signal.subject].append(signal)
        return [_finding(owner, members) for owner, members in by_owner.items()]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        todos = [decode(ExpiredTodo, signal.payload) for signal in finding.signals]
        return tuple(
            Place(path=todo.path, line=todo.line, function="", suspicion=1.0, why=f"expired on {todo.until}")
            for todo in todos
        )


def _finding(owner: str, signals: Sequence[Signal]) -> Finding:
    todos = [decode(ExpiredTodo, signal.payload) for signal in signals]
    signature = digest(["expired_todo", owner, sorted(todo.text for todo in todos)])[:16]
    plural = "" if len(todos) == 1 else "s"
    return Finding(
        id=f"f-{signature[:8]}",
        kind="expired_todo",
        signature=signature,
        title=f"{len(todos)} expired TODO comment{plural} of {owner}",
        category=Category.CODE_QUALITY,
        subjects=(owner,),
        paths=tuple(dict.fromkeys(todo.path for todo in todos)),
        signals=tuple(signals),
        score=0.5,
        reasons=(f"the oldest expired on {min(todo.until for todo in todos)}",),
        minimum_signals=1,
    )
