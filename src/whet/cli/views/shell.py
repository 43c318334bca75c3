"""A judged shell command for people: what it starts, what is dangerous about it and where, the answer."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from whet.domain.sanitize import one_line
from whet.guard.answer import Allow, Refuse
from whet.guard.shell import Danger, FoundCommand, Inspection

_WIDEST = 100
_BEFORE = 30  # characters of a long line that are shown before the place


def show(text: str, inspection: Inspection) -> None:
    console = Console(highlight=False, emoji=False, markup=False, soft_wrap=True)
    if inspection.commands:
        console.print(Text("commands", style="bold"))
    for command in inspection.commands:
        console.print(_command(command))
    if inspection.dangers:
        console.print(Text("dangers", style="bold"))
    for danger in inspection.dangers:
        for line in _danger(text, danger):
            console.print(line)
    console.print(_answer(inspection))


def _command(command: FoundCommand) -> Text:
    words = " ".join(map(_word, (command.name, *command.arguments)))
    hidden = f"  in {one_line(' > '.join(command.via))}" if command.via else ""
    return Text.assemble("  ", one_line(words), (hidden, "dim"))


def _word(word: str) -> str:
    return word if word and not set(word) & set(" \t\n'\"") else repr(word)


def _danger(text: str, danger: Danger) -> Iterator[Text]:
    colour = "yellow" if danger.raises else "red"
    yield Text.assemble("  ", (danger.harm.value, f"bold {colour}"), f"  {one_line(danger.reason)}")
    before, place, after = _excerpt(text, danger)
    yield Text.assemble("      ", before, (place, colour), after)
    yield Text.assemble("      ", " " * len(before), ("~" * max(len(place), 1), colour))


def _excerpt(text: str, danger: Danger) -> tuple[str, str, str]:
    """Return the danger's line in three parts (before, place, after), shortened to fit."""
    start, end = danger.span
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    last = len(text) if last < 0 else last
    before, place = one_line(text[first:start]), one_line(text[start : min(end, last)])
    after = one_line(text[min(end, last) : last])
    before = f"…{before[-_BEFORE:]}" if len(before) > _BEFORE else before
    place = f"{place[: _WIDEST - 1]}…" if len(place) > _WIDEST else place
    return before, place, f"{after[:_BEFORE]}…" if len(after) > _BEFORE else after


def _answer(inspection: Inspection) -> Text:
    answer = inspection.answer
    if isinstance(answer, Allow):
        return Text.assemble(("allowed", "bold green"), "  no rule refuses it")
    word, colour = ("refused", "bold red") if isinstance(answer, Refuse) else ("a person must look", "bold yellow")
    return Text.assemble((word, colour), f"  {one_line(answer.reason)} ({answer.code})")
