"""The answers of one changed function on the base and with the patch, call by call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction
from whet.target.varied.calls import AskedCall, VariedCall, VariedRun

OWN = "own"


@dataclass(frozen=True)
class ComparedCall:
    """A call that a test makes on both trees, with the answers of both. `by_target` if a target test makes it."""

    before: AskedCall
    after: AskedCall
    by_target: bool

    @property
    def steady(self) -> bool:
        return self.before.steady and self.after.steady

    @property
    def changed(self) -> bool:
        return self.steady and not self.before.clean.same(self.after.clean)

    def varied(self) -> Iterator[tuple[VariedCall, VariedCall]]:
        """Yield (base, patch) for each variation that both trees answered in time."""
        yield from (pair for _, pair in self.numbered())

    def numbered(self) -> Iterator[tuple[int, tuple[VariedCall, VariedCall]]]:
        """Yield the same with the number of each variation."""
        for index, after in sorted(self.after.varied.items()):
            before = self.before.varied.get(index)
            if before is not None and before.call == after.call and before.answer.known and after.answer.known:
                yield index, (before, after)


@dataclass(frozen=True)
class ComparedFunction:
    """A changed function with its compared calls. `motivated` is false if no target test runs it."""

    function: ChangedFunction
    calls: tuple[ComparedCall, ...]
    motivated: bool = True

    @property
    def place(self) -> str:
        return f"{self.function.path}, line {self.function.after.line}"

    def varied(self) -> Iterator[tuple[VariedCall, VariedCall]]:
        """Yield (base, patch) for every variation of a call that answers the same each time."""
        for call in self.calls:
            if call.steady:
                yield from call.varied()

    def answers(self) -> dict[tuple[str, int], tuple[VariedCall, VariedCall]]:
        """Return (base, patch) for the calls of the tests and their variations, by the call and the number of the variation.

        The calls themselves have the number -1 and the kind OWN.
        """
        rows = {}
        for call in self.calls:
            if call.steady:
                before, after = (VariedCall(OWN, side.call, side.clean) for side in (call.before, call.after))
                rows[call.after.key, -1] = before, after
                rows |= {(call.after.key, index): pair for index, pair in call.numbered()}
        return rows


def compared_functions(
    functions: Sequence[ChangedFunction], before: VariedRun, after: VariedRun, targets: Sequence[str]
) -> list[ComparedFunction]:
    """Pair the calls of both trees by function and arguments."""
    by_function: dict[int, list[ComparedCall]] = {number: [] for number in range(len(functions))}
    for key, call in after.calls.items():
        if key in before.calls:
            by_target = call.test in targets or before.calls[key].test in targets
            by_function[call.function].append(ComparedCall(before.calls[key], call, by_target))
    return [ComparedFunction(function, tuple(by_function[number])) for number, function in enumerate(functions)]
