def ways_to_climb(stairs, steps=(1, 2)):
    """Count the ordered ways to climb the stairs with the given step sizes."""
    if stairs == 0:
        return 1
    if stairs < 0:
        return 0
    return sum(ways_to_climb(stairs - step, steps) for step in steps)


def climb_table(limit):
    """List the number of ways for 0 up to limit stairs."""
    return [ways_to_climb(n) for n in range(limit + 1)]
