"""Fill one hole in a program: force the values that it takes, record what was in scope, and find expressions that fit.

The source has `__whet_hole__(lambda: EXPRESSION)` in one place. Every time that it is evaluated is a visit. A request
says, by test id, which visits take which value instead of that of the expression; the id "" stands for all other tests.
After the tests, `fitting` combines the atoms of a grammar until the result has the value that every visit needs.
Loaded by its path in the target's interpreter (3.9 or later), in the fork of one candidate; standard library only.
"""

import ast
import builtins
import copy
import operator
import os
import sys
import time

NAME = "__whet_hole__"
MOST_VISITS, MOST_COUNTED, MOST_FITTING, MOST_VALUES, MOST_TEXT = 16, 5000, 16, 4000, 400
SECONDS, MOST_NEEDED, MOST_OTHERS, ENOUGH = 1.0, 24, 24, 6
ERROR = object()
ORDERS = ("a < b", "a <= b")  # of texts and collections, they are seldom meant
HARMLESS = (bool, int, float, complex, str, bytes, type(None))


class Endless(BaseException):
    """A hole was visited too often. Not an Exception, so that the function does not catch it by accident."""


class Visit:
    """One evaluation of the hole: the names in scope, the value of the expression, and the value that was used."""

    def __init__(self, scope, forced):
        self.scope, self.forced = scope, forced
        self.old = self.used = ERROR


class Holes:
    """The visits of one run, by test. `forced` maps a test id to [visit or -1 for all, literal, or None to negate]."""

    def __init__(self, forced):
        self.forced = forced
        self.visits = {}
        self.counts = {}

    def install(self):
        setattr(builtins, NAME, self.fill)

    def fill(self, expression):
        """Return the value of one visit: that of the expression, unless another one is forced."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        number = self.counts[test] = self.counts.get(test, -1) + 1
        if number > MOST_COUNTED:
            raise Endless
        which, literal = self.forced.get(test) or self.forced.get("") or (None, None)
        forced = which in (-1, number)
        visit = Visit(_scope(sys._getframe(1)) if number < MOST_VISITS else None, forced)
        if visit.scope is not None:
            self.visits.setdefault(test, []).append(visit)
        if forced and literal is not None:
            visit.used = value = ast.literal_eval(literal)
            return value
        visit.old = value = expression()
        if forced:
            value = not value
        visit.used = _copied(value)
        return value

    def fitting(self, grammar):
        """Return [structure, share of the unforced visits that agree] of expressions with the values that visits need.

        A structure is the number of an atom, or [number of a form, structure, ...]. A condition needs its value at every
        visit of a failing test, because it decides what runs next; another expression only where it was forced.
        """
        needed, others = [], []
        for test, visits in self.visits.items():
            for visit in visits:
                decides = test in grammar["failing"] and (visit.forced or grammar["truth"])
                (needed if decides else others).append(visit)
        needed, others = _sample(needed, MOST_NEEDED), _sample(others, MOST_OTHERS)
        return Search([*needed, *others], len(needed), grammar).run() if needed else []


def _sample(visits, most):
    """Return at most about `most` of the visits that had a value, evenly spaced."""
    usable = [visit for visit in visits if visit.used is not ERROR]
    return usable[:: max(len(usable) // most, 1)][: 2 * most]


class Search:
    """Enumerates expressions by size; of those with the same value at every visit only the first is kept."""

    def __init__(self, visits, needed, grammar):
        self.needed, self.grammar = needed, grammar
        self.scopes = [visit.scope for visit in visits]
        self.truth = grammar["truth"]
        self.wanted = [self._key(visit.used) for visit in visits]
        self.deadline = time.monotonic() + SECONDS
        self.seen, self.fits = set(), []
        self.unary = [self._compiled("lambda a: " + form) for form in grammar["unary"]]
        self.binary = [self._compiled("lambda a, b: " + form) for form in grammar["binary"]]
        self.orders = [self.binary[place] for place, text in enumerate(grammar["binary"]) if text in ORDERS]

    def _compiled(self, text):
        """Return a form as a function, which sees the functions of the module."""
        return eval(compile(text, "<form>", "eval"), dict(self.scopes[0]))

    def run(self):
        """Return [structure, agreement] of what fits: atoms, then one operation, the old condition and one, two."""
        evaluated = [[_evaluated(text, scope) for scope in self.scopes] for text in self.grammar["atoms"]]
        atoms = [kept for number, values in enumerate(evaluated) for kept in self._kept(number, values)]
        grown = list(self._grown(atoms, atoms))
        if self.truth and self.grammar["atoms"][0] not in ("True", "False"):
            for structure, values in [*atoms, *grown]:
                self._join(structure, values, evaluated[0])
        if len(self.fits) < ENOUGH:
            for _ in self._grown(grown, atoms):
                pass
        return sorted(self.fits, key=lambda item: -item[1])[:MOST_FITTING]

    def _is_over(self):
        return len(self.fits) >= 2 * MOST_FITTING or time.monotonic() > self.deadline

    def _grown(self, lefts, rights):
        """Yield the distinct combinations of one more operation with the values on the left."""
        for structure, values in lefts:
            for number, form in enumerate(self.unary):
                yield from self._kept([number, structure], self._applied(form, values))
        for structure, values in lefts[:MOST_VALUES]:
            for other, other_values in rights:
                if self._is_over():
                    return
                for number, form in enumerate(self.binary, len(self.unary)):
                    yield from self._kept([number, structure, other], self._applied(form, values, other_values))

    def _join(self, structure, values, old):
        """Try a condition together with the old one, which need not have a value where the other decides."""
        for word, decides in (("and", False), ("or", True)):
            for parts, pair in (((0, structure), (old, values)), ((structure, 0), (values, old))):
                made = map(lambda left, right: left if left is ERROR or bool(left) is decides else right, *pair)
                for _ in self._kept([word, *parts], list(made)):
                    pass

    def _applied(self, form, *columns):
        """Return the values of a form, without those after an error at a visit that needs a value."""
        made = []
        for number in range(len(self.scopes)):
            operands = [values[number] for values in columns]
            is_odd = form in self.orders and hasattr(operands[0], "__len__")
            made.append(ERROR if is_odd else _applied(form, operands))
            if made[-1] is ERROR and number < self.needed:
                break
        return made

    def _kept(self, structure, values):
        """Yield the expression if it has new values; remember it if it has those that are needed."""
        if any(value is ERROR for value in values[: self.needed]):
            return
        key = tuple(map(_text, values))
        if key in self.seen:
            return
        self.seen.add(key)
        same = list(map(operator.eq, map(self._key, values), self.wanted))
        if all(same[: self.needed]) and (not self.truth or _is_condition(structure, values)):
            rest = same[self.needed :]
            self.fits.append([structure, sum(rest) / len(rest) if rest else 1.0])
        yield structure, values

    def _key(self, value):
        if not self.truth or value is ERROR:
            return _text(value)
        try:
            return str(bool(value))
        except Exception:
            return ""


def _scope(frame):
    """Return copies of the names that a frame sees; comprehensions and lambdas see those of the function around them."""
    names = {}
    code = frame.f_code
    while frame is not None and frame.f_code.co_filename == code.co_filename:
        names = {**{name: _copied(value) for name, value in frame.f_locals.items()}, **names}
        if not frame.f_code.co_name.startswith("<"):
            return {**frame.f_globals, **names}
        frame = frame.f_back
    return names


def _copied(value):
    if isinstance(value, HARMLESS):
        return value
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _evaluated(text, scope):
    try:
        return eval(compile(text, "<atom>", "eval"), scope)
    except Exception:
        return ERROR


def _applied(form, values):
    if any(value is ERROR or isinstance(value, bool) for value in values) or _too_large(values):
        return ERROR  # what an operation makes of a truth value is seldom meant
    try:
        return form(*values)
    except Exception:
        return ERROR


def _is_condition(structure, values):
    """True for atoms, conditions joined by `and` or `or`, and operations whose result is a truth value."""
    joined = isinstance(structure, int) or isinstance(structure[0], str)
    return joined or all(isinstance(value, bool) or value is ERROR for value in values)


def _too_large(values):
    """True if an operation could take long: with a large number and something to repeat, or a huge one."""
    numbers = [abs(value) for value in values if isinstance(value, int)]
    return max(numbers, default=0) > (10**9 if len(numbers) == len(values) else 1000)


def _text(value):
    """Return a text that tells values apart, also 1 and True."""
    if value is ERROR:
        return "<error>"
    try:
        return type(value).__name__ + repr(value)[:MOST_TEXT]
    except Exception:
        return "<error>"
