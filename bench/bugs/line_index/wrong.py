def index_words(text):
    """Map each lower-case word to the sorted numbers of the lines it is on."""
    index = {}
    for number, line in enumerate(text.splitlines(), start=1):
        for word in set(line.lower().split()):
            index[word] = [number]
    return index


def lines_with_all(index, words):
    """Return the numbers of the lines that hold all the words."""
    found = [set(index.get(word.lower(), [])) for word in words]
    return sorted(set.intersection(*found)) if found else []
