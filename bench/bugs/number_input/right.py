def to_number(text, default=None):
    """Turn a text into an int or float; return the default if it is neither."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return default


def sum_numbers(words):
    """Add up the words that are numbers and ignore the others."""
    return sum(to_number(word, 0) for word in words)
