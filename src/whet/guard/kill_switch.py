"""The kill switch: its presence stops whet, whatever its content is."""

from whet.guard.answer import Allow, GuardAnswer, Refuse


def stop(switch: str | None, readable: bool) -> GuardAnswer:  # noqa: FBT001 - the caller's two facts, never a mode
    """Refuse if the kill switch is set or cannot be read. `switch` is its content, None if it is not set."""
    if readable is not True:
        return Refuse("the kill switch cannot be read", "stopped")
    if switch is None:
        return Allow()
    reason = "".join(character for character in " ".join(switch.split()) if character.isprintable())[:200]
    return Refuse(f"the kill switch is set: {reason}" if reason else "the kill switch is set", "stopped")
