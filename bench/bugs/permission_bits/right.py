READ = 1
WRITE = 2
EXECUTE = 4


def grant(mask: int, flag: int) -> int:
    """Return the mask with the flag switched on."""
    return mask | flag


def revoke(mask: int, flag: int) -> int:
    """Return the mask with the flag switched off."""
    return mask & ~flag


def allows(mask: int, flag: int) -> bool:
    """Tell whether every bit of flag is on in the mask."""
    return mask & flag == flag
