def fill(grid, row, col, colour):
    """Return a copy of the grid with the area around a cell filled."""
    old = grid[row][col]
    result = [list(line) for line in grid]
    if old == colour:
        return result
    waiting = [(row, col)]
    while waiting:
        r, c = waiting.pop()
        if 0 <= r < len(result) and 0 <= c < len(result[0]) and result[r][c] == old:
            result[r][c] = colour
            waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return result
