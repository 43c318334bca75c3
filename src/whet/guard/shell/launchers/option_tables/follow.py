"""Judge a call by its row in the tables of this folder."""

import re
from collections.abc import Iterator

from whet.guard.shell.code.loaded_libraries import is_foreign_library, is_library_file
from whet.guard.shell.launchers.interpreters import effects
from whet.guard.shell.launchers.option_tables import build_tools, networks, systems, texts, viewers
from whet.guard.shell.launchers.option_tables.model import Starts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, RunsCommand
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import UNKNOWN, is_known
from whet.guard.shell.rules.exfiltration import upload_hits

TABLE: dict[str, Starts] = {
    **build_tools.TABLE,
    **networks.TABLE,
    **systems.TABLE,
    **texts.TABLE,
    **viewers.TABLE,
}


def follow_row(call: Call, follower: Follower) -> None:
    """Follow every command and helper program that the arguments name, and report loaded libraries and uploads."""
    row = TABLE[call.name]
    if (row.settings or row.embedded) and any(len(word) > MAX_LENGTH for word in call.args):
        follower.follow_effects([TOO_LONG], call, call.name)
    for option, value in _options(call, row.commands, row):
        follower.follow_effects([RunsCommand(value)], call, f"{call.name} {option}")
    for option, value in _options(call, row.programs, row):
        follower.follow_program(value, call, f"{call.name} {option}")
    for code in (*(value for _, value in _options(call, row.code, row)), *_matches(call, row.embedded)):
        follower.follow_effects(effects(code, row.language), call, f"{row.language} code")
    for text in _matches(call, row.settings):
        follower.follow_program(text, call, call.name)
    for word in call.options.operands if row.each else ():
        if " " in word.strip():
            follower.follow_text(word, call, call.name)
    if row.words or row.verbs or row.texts:
        _follow_rest(call, row, follower)
    _judge_files(call, row, follower)


def _matches(call: Call, searched: re.Pattern[str] | None) -> Iterator[str]:
    """Yield the texts that a pattern finds in the words of a call, except those whose first word is not known."""
    if searched is None:
        return
    for word in call.args:
        for match in searched.finditer(word) if len(word) <= MAX_LENGTH else ():
            text = next((group for group in match.groups() if group), "")
            if text.strip() and is_known(text.split()[0]):
                yield text


def _options(call: Call, options: str, row: Starts) -> Iterator[tuple[str, str]]:
    """Yield the given options and their values, without empty values."""
    for option in options.split():
        if option[-1] == ":":
            values = [word[len(option) :] for word in call.args if word.startswith(option)]
        else:
            values = list(values_of(call.args, option))
        if row.clusters and len(option) == 2:
            values = list(_values_in_clusters(call.args, option[1]))
        yield from ((option, value) for value in values if value.strip())


def _values_in_clusters(args: list[str], letter: str) -> Iterator[str]:
    """Yield the values of a letter that may stand last in a cluster, or have its value attached."""
    for index, word in enumerate(args):
        if re.match(rf"-[A-Za-z]*{letter}", word):
            yield word.partition(letter)[2] or (args[index + 1] if index + 1 < len(args) else "")


def _follow_rest(call: Call, row: Starts, follower: Follower) -> None:
    """Follow the words after the first option or operand that says: the rest is a command."""
    starters, joined = {*row.words.split(), *row.verbs.split()}, row.texts.split()
    for index, word in enumerate(call.args):
        if word not in starters and word not in joined:
            continue
        rest = call.args[index + 1 + row.skipped :]
        while rest and rest[0][:1] == "-":
            rest = rest[1:]
        if word in starters and rest:
            # Programs differ in whether one word is a name or a command text. A text is the stricter reading.
            follow_words(rest, call, follower, f"{call.name} {word}")
            return
        if rest:
            follower.follow_text(" ".join(rest), call, f"{call.name} {word}")
            return


def follow_words(words: list[str], call: Call, follower: Follower, label: str) -> None:
    if len(words) == 1:
        follower.follow_text(words[0], call, label)
    else:
        follower.follow_command(words, call, label)


def _judge_files(call: Call, row: Starts, follower: Follower) -> None:
    """Report libraries and plugins from places where no package manager puts them, and files that are sent away."""
    for _, value in _options(call, row.libraries, row):
        path = value.removeprefix("SO_PATH:")
        if is_library_file(path):
            follower.add_danger(call, Harm.SHELL_ESCAPE, f"makes {call.name} load code from {_shown(path)}")
    for _, path in _options(call, row.plugins, row):
        if is_foreign_library(path):
            follower.add_danger(call, Harm.SHELL_ESCAPE, f"makes {call.name} load code from {_shown(path)}")
    for _, path in _options(call, row.uploads, row):
        for harm, reason, *_ in upload_hits(call, path):
            follower.add_danger(call, harm, reason)


def _shown(path: str) -> str:
    return "a file" if UNKNOWN in path else path


LAUNCHERS = dict.fromkeys(TABLE, follow_row)
