def count_paths(grid, row=0, col=0, memo=None):
    """Count the ways right and down from the top left to the bottom right over '.'."""
    if memo is None:
        memo = {}
    if row == len(grid) or col == len(grid[0]) or grid[row][col] == "#":
        return 0
    if row == len(grid) - 1 and col == len(grid[0]) - 1:
        return 1
    if (row, col) not in memo:
        down = count_paths(grid, row + 1, col, memo)
        right = count_paths(grid, row, col + 1, memo)
        memo[row, col] = down + right
    return memo[row, col]
