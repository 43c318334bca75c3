def count_words(text):
    """Count how often each lower-case word occurs."""
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def top_words(text, number):
    """Return the most frequent words, equal ones in alphabetical order."""
    counts = count_words(text)
    return sorted(counts, key=lambda word: (-counts[word], word))[:number]
