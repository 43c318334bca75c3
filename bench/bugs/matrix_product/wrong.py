def multiply(a, b):
    """Return the product of two matrices given as lists of rows."""
    if len(a[0]) != len(b):
        raise ValueError("shapes do not fit")
    rows, inner, cols = len(a), len(b), len(b[0])
    result = [[0] * cols for _ in range(rows)]
    for i in range(rows):
        for j in range(cols):
            for k in range(inner):
                result[i][j] += a[i][k] * b[k][i]
    return result


def identity(size):
    """Return the identity matrix."""
    return [[int(i == j) for j in range(size)] for i in range(size)]
