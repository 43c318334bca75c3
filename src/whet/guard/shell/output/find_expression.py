"""Evaluate a `find` expression for one path: does the path reach an action such as `-delete` or `-print`?

Tests for names, paths and patterns are evaluated; every other test counts as true.
"""

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_NAME_TESTS = frozenset({"-name", "-iname"})
_PATH_TESTS = frozenset({"-path", "-ipath", "-wholename", "-iwholename"})
_REGEX_TESTS = frozenset({"-regex", "-iregex"})
_OPEN, _CLOSE = ("(", "\\("), (")", "\\)")
_NOT, _OR, _AND = ("!", "-not", "\\!"), ("-o", "-or", ","), ("-a", "-and")
_CLASSES = {"digit": r"\d", "space": r"\s", "alpha": "a-zA-Z", "upper": "A-Z", "lower": "a-z", "punct": r"\W"}
_AMBIGUOUS = re.compile(r"\[\[|--|&&|\|\||~~")  # Python warns that it may read these in another way one day
_REPEATED_GROUP = re.compile(r"\)[*+{]")
_REPEATED = re.compile(r"[*+{]")
_MAX_PATTERN, _MAX_REPEATED = 200, 5  # of a regular expression; a longer one may take too long
_COMMANDS = ("-exec", "-execdir", "-ok", "-okdir")
_ACTIONS = frozenset({"-delete", "-print", "-print0", "-ls", "-quit", "-fprint", "-fprint0", "-fls"})
_VALUED = frozenset({
    "-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-context", "-ctime", "-fstype", "-gid", "-group", "-ilname",
    "-inum", "-links", "-lname", "-maxdepth", "-mindepth", "-mmin", "-mtime", "-newer", "-newermt", "-perm", "-printf",
    "-regextype", "-samefile", "-size", "-type", "-uid", "-used", "-user", "-xtype", "-files0-from", "-fprint",
    "-fprint0", "-fls",
})  # fmt: skip


@dataclass(slots=True)
class _Walk:
    """One pass over the words of an expression for one path.

    `reached` is true once an action applies, `by_name` if a test that is not negated selected the path before that.
    """

    words: list[str]
    path: str
    at: int = 0
    pruned: bool = False
    reached: bool = False
    by_name: bool = False
    names: list[bool] = field(default_factory=list)

    def alternatives(self, *, active: bool) -> bool:
        """Evaluate `a -o b`. Words are read even if they are not active, because they must be skipped."""
        result = self.sequence(active=active)
        while self.at < len(self.words) and self.words[self.at] in _OR:
            is_list = self.words[self.at] == ","
            self.at += 1
            result = self.sequence(active=active and (is_list or not result)) or (result and not is_list)
        return result

    def sequence(self, *, active: bool) -> bool:
        result, outer = True, len(self.names)
        while self.at < len(self.words) and self.words[self.at] not in (*_OR, *_CLOSE):
            if self.words[self.at] in _AND:
                self.at += 1
            else:
                result = self.primary(active=active and result) and result
        if not result:
            del self.names[outer:]
        return result

    def primary(self, *, active: bool) -> bool:
        word = self.words[self.at]
        self.at += 1
        if word in _NOT and self.at < len(self.words):
            outer = len(self.names)
            result = not self.primary(active=active)
            del self.names[outer:]
            return result
        if word in _OPEN:
            result = self.alternatives(active=active)
            self.at += 1
            return result
        return self.test(word, active=active)

    def test(self, word: str, *, active: bool) -> bool:
        """Evaluate one test or action; an action that is reached is noted."""
        if word in _COMMANDS:
            while self.at < len(self.words) and self.words[self.at] not in (";", "+"):
                self.at += 1
            self.at += 1
        value = self.words[self.at] if self.at < len(self.words) else ""
        if word in _NAME_TESTS or word in _PATH_TESTS or word in _REGEX_TESTS:
            self.at += 1
            result = _matches(word, value, self.path)
            if result and active and value.strip("*./"):
                self.names.append(True)
            return result
        if word in _VALUED:
            self.at += 1
        if active and word == "-prune":
            self.pruned = True
        if active and (word in _ACTIONS or word in _COMMANDS or word == "-printf"):
            self.reached = True
            self.by_name = self.by_name or bool(self.names)
        return True


def reaches_action(expression: list[str], path: str) -> tuple[bool, bool]:
    """Return whether the path reaches an action, and whether a test for its name selected it."""
    steps = path.split("/")
    for end in range(2, len(steps)) if "-prune" in expression else ():
        above = _walk(expression, "/".join(steps[:end]))
        if above.pruned:
            return False, False
    walk = _walk(expression, path)
    return walk.reached, walk.by_name


def is_pruned_only(expression: list[str], path: str) -> bool:
    """True if `-prune` applies to the path and no action does."""
    walk = _walk(expression, path)
    return walk.pruned and not walk.reached


def _walk(expression: list[str], path: str) -> _Walk:
    walk = _Walk(expression, path)
    holds = True
    while walk.at < len(expression):
        holds = walk.alternatives(active=True) and holds
        walk.at += 1  # a parenthesis that closes nothing
    has_action = any(word in _ACTIONS or word in _COMMANDS or word == "-printf" for word in expression)
    if holds and not has_action:
        walk.reached, walk.by_name = True, bool(walk.names)
    return walk


def _matches(test: str, value: str, path: str) -> bool:
    ignores_case = test.startswith("-i")
    subject = path.rpartition("/")[2] if test in _NAME_TESTS else path
    if ignores_case:
        subject, value = subject.lower(), value.lower()
    return _regex_matches(value, subject) if test in _REGEX_TESTS else fnmatchcase(subject, value)


def _regex_matches(pattern: str, path: str) -> bool:
    """Apply a regular expression of find, with its escaped groups rewritten. One that Python cannot read matches."""
    plain = re.sub(r"\\([(){}|])", r"\1", pattern)
    plain = re.sub(r"\[:(\w+):\]", lambda match: _CLASSES.get(match[1], r"\w"), plain)
    return search_pattern(rf"(?:{plain})\Z", path)


def search_pattern(pattern: str, text: str) -> bool:
    """True if a regular expression matches from the start, or if it cannot be evaluated safely.

    The pattern comes from the judged command: nested repetitions could take for ever.
    """
    is_costly = len(pattern) > _MAX_PATTERN or len(_REPEATED.findall(pattern)) > _MAX_REPEATED
    if is_costly or _AMBIGUOUS.search(pattern) or _REPEATED_GROUP.search(pattern):
        return True
    try:
        return re.match(pattern, text) is not None
    except (re.error, RecursionError, OverflowError):
        return True
