def initials(name):
    """Return the capital initials of a name, also of hyphenated parts."""
    letters = []
    for word in name.replace("-", " ").split(" "):
        if not word:
            continue
        letters.append(word[0].upper())
    return "".join(letters)


def avatar(user):
    """Return at most two initials for a user's picture."""
    return initials(user["name"])[:2] or "?"
