import re

HANDLE = re.compile(r"[a-z][a-z0-9_]{2,14}")


def is_handle(text: str) -> bool:
    """Tell whether a text is a letter followed by 2 to 14 letters, digits or _."""
    return HANDLE.fullmatch(text) is not None


def mentions(message: str) -> list:
    """Return the handles mentioned as @handle, without doubles, in order."""
    found = []
    for word in message.lower().split():
        handle = word[1:].rstrip(".,!?")
        if word.startswith("@") and is_handle(handle) and handle not in found:
            found.append(handle)
    return found
