def version_key(version: str) -> tuple:
    """Return a key that sorts dotted versions by number."""
    return tuple(version.split("."))


def newest(versions: list) -> str:
    """Return the highest version."""
    return max(versions, key=version_key)


def upgrades(current: str, versions: list) -> list:
    """Return the versions above the current one, in order."""
    key = version_key(current)
    return sorted((v for v in versions if version_key(v) > key), key=version_key)
