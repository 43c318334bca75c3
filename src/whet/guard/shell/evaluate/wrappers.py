"""Find the command that a wrapper such as `sudo`, `env` or `timeout` starts."""

import re
from dataclasses import dataclass

from whet.guard.shell.evaluate.all_wrappers import SUBCOMMANDS, WRAPPERS, starts_nothing
from whet.guard.shell.evaluate.wrapper_table import Wrapper
from whet.guard.shell.model.placeholders import is_known

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:%%|\(\))?\+?=", re.ASCII)


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The inner command of a wrapper: words, or command texts, with variables set; or why it is unknown."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    assignments: tuple[str, ...] = ()
    unknown: str = ""


def unwrap(name: str, args: list[str]) -> Unwrapped | None:
    """Return the command that a wrapper starts; None if the command is not a wrapper."""
    wrapper = WRAPPERS.get(name)
    if wrapper is not None:
        return Unwrapped() if starts_nothing(name, args) else _unwrap(name, wrapper, args)
    wrapper = SUBCOMMANDS.get((name, args[0])) if args else None
    if wrapper is not None:
        return Unwrapped() if starts_nothing(name, args[1:]) else _unwrap(f"{name} {args[0]}", wrapper, args[1:])
    return None


def _unwrap(name: str, wrapper: Wrapper, args: list[str]) -> Unwrapped:
    """Skip the options and operands of a wrapper, and return the command after them."""
    texts: list[str] = []
    assignments: list[str] = []
    start = 0
    while start < len(args):
        word = args[start]
        if word == "--":
            start += 1
            break
        if wrapper.assigns and _ASSIGNMENT.match(word):
            assignments.append(word)
            length = 1
        elif word == "-" and name == "env":
            length = 1
        elif len(word) > 1 and word[0] == "-":
            take = _take_long if word[1] == "-" else _take_short
            length = take(wrapper, args, start, texts)
        else:
            break
        if length == 0:
            if word[1] in wrapper.queries:
                return Unwrapped()
            return Unwrapped((), tuple(texts), (), f"the guard does not know an option of {name}")
        start += length
    start += wrapper.skip
    if wrapper.skip and args[start : start + 1] == ["--"]:
        start += 1
    return _unwrap_words(name, wrapper, args[start:], texts, assignments)


def _unwrap_words(name: str, wrapper: Wrapper, words: list[str], texts: list[str], assignments: list[str]) -> Unwrapped:
    """Return what a wrapper starts, from the words after its options and operands."""
    if wrapper.skip and wrapper.texts and len(words) > 1 and words[0] in ("-c", "--command"):
        texts.append(words[1])  # `flock FILE -c TEXT`: the option comes after the operand
    while wrapper.assigns and words and _ASSIGNMENT.match(words[0]):
        assignments.append(words.pop(0))
    if name == "env" and texts:  # `env -S TEXT` splits the text and appends the other words
        return Unwrapped((), (" ".join([texts[0], *words]),), tuple(assignments))
    if wrapper.as_text:
        # hyperfine reads each operand as a command text of its own
        operands = [" ".join(words)] if words and name != "hyperfine" else words
        return Unwrapped((), (*texts, *operands), tuple(assignments))
    if texts and wrapper.skip:
        words = []
    return Unwrapped(tuple(words), tuple(texts), tuple(assignments))


def _take_short(wrapper: Wrapper, args: list[str], index: int, texts: list[str]) -> int:
    """Return how many words a cluster of short options takes; 0 if an option is unknown or a query."""
    letters = args[index][1:]
    if not is_known(letters):
        return 0
    for position, letter in enumerate(letters):
        attached = letters[position + 1 :]
        if letter in wrapper.texts.split():
            texts.append(attached.removeprefix("=") or (args[index + 1] if index + 1 < len(args) else ""))
            return 1 if attached else 2
        if letter in wrapper.valued:
            return 1 if attached else 2
        if letter in wrapper.queries:
            return 0
        if letter not in wrapper.flags and not wrapper.any_option:
            return 0
    return 1


def _take_long(wrapper: Wrapper, args: list[str], index: int, texts: list[str]) -> int:
    """Return how many words a long option takes; 0 if it is unknown."""
    name, equals, value = args[index][2:].partition("=")
    if any(text.startswith(name) and len(name) > 1 for text in wrapper.texts.split() if len(text) > 1):
        texts.append(value if equals else (args[index + 1] if index + 1 < len(args) else ""))
        return 1 if equals else 2
    is_flag, is_valued = _abbreviates(name, wrapper.long_flags), _abbreviates(name, wrapper.long_valued)
    if equals and (wrapper.any_option or is_valued or is_flag):
        return 1
    if is_flag:
        return 1
    if is_valued:
        return 2
    return 1 if wrapper.any_option else 0


def _abbreviates(name: str, options: str) -> bool:
    return any(option.startswith(name) for option in options.split())
