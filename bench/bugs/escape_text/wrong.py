ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}


def unescape(text):
    """Replace backslash escapes by the characters they stand for."""
    result = []
    i = 0
    while i < len(text):
        char = text[i]
        if char == "\\":
            i += 1
            if i == len(text):
                raise ValueError("text ends in a backslash")
            char = ESCAPES.get(text[i], text[i])
            i += 1
        result.append(char)
        i += 1
    return "".join(result)
