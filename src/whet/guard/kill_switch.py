"""The kill switch: its presence is the message, whatever it says."""

from whet.guard.answer import Allow, GuardAnswer, Refuse


def stop(switch: str | None, readable: bool) -> GuardAnswer:  # noqa: FBT001 - the caller's two facts, never a mode
    """`switch` is what the kill switch says, None when there is none; not being able to tell is a stop."""
    if readable is not True:
        return Refuse("the kill switch cannot be read", "stopped")
    if switch is None:
        return Allow()
    why = "".join(character for character in " ".join(switch.split()) if character.isprintable())[:200]
    return Refuse(f"the kill switch is set: {why}" if why else "the kill switch is set", "stopped")
