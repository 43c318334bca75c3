def encode_runs(items):
    """Turn a sequence into a list of (item, length of run)."""
    runs = []
    for item in items:
        if runs and runs[-1][0] is item:
            runs[-1] = (item, runs[-1][1] + 1)
        else:
            runs.append((item, 1))
    return runs


def decode_runs(runs):
    """Rebuild the list that encode_runs was given."""
    result = []
    for item, length in runs:
        result.extend([item] * length)
    return result
