STOP_WORDS = {"a", "an", "and", "of", "the"}


def keywords(text):
    """Return the distinct words of a text, sorted, without stop words."""
    words = {word.strip(".,;:!?").lower() for word in text.split()}
    kept = list(words - STOP_WORDS - {""})
    kept.sort()
    return kept


def shared_keywords(first, second):
    """Return the number of keywords that two texts have in common."""
    if not first or not second:
        return 0
    return len(set(keywords(first)) & set(keywords(second)))
