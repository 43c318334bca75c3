"""The patch must not change the types and comparisons through which the tests look at the code.

A class that became a function, enum members that became equal, another `__eq__` or `__len__`, or a function that no longer
reads a parameter can each turn a test green without mending anything. An honest fix can do the same, so a person decides.
"""

from collections.abc import Sequence

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.diff.observers import changed_observer, ignored_parameters
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, passed
from whet.phases.validate.integrity.subject import Subject
from whet.target.tracer import TracedTest

NAME = "changed observers"


class ChangedObservers(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        return Examination(lambda _, traces: _judge(subject, traces))


def _judge(subject: Subject, traces: Sequence[TracedTest]) -> SafeguardResult:
    for path, (old, new) in subject.changed_code().items():
        if change := changed_observer(old, new):
            return inconclusive(NAME, f"{path}: {change}")
        for first, last, words in ignored_parameters(old, new):
            ran = {line for traced in traces for line in traced.lines.get(path, ())}
            if any(first < line <= last for line in ran):
                return inconclusive(NAME, f"{path}, line {first}: {words}, and the target tests call it")
    return passed(NAME, "types, comparisons and parameters are read as before")
