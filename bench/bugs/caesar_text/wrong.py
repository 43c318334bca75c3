def shift_letter(letter, places):
    """Move a letter along the alphabet, wrapping around; keep other characters."""
    if "a" <= letter <= "z":
        return chr((ord(letter) - ord("a") + places) % 25 + ord("a"))
    if "A" <= letter <= "Z":
        return chr((ord(letter) - ord("A") + places) % 25 + ord("A"))
    return letter


def encrypt(text, places):
    """Shift every letter of a text."""
    return "".join(shift_letter(c, places) for c in text)


def decrypt(text, places):
    """Undo encrypt."""
    return encrypt(text, -places)
