import re

TAG = re.compile(r"v(\d+)\.(\d+)(?:\.(\d+))?$")


def parse_tag(tag):
    """Turn a tag such as v1.2 or v1.2.3 into a tuple, else None."""
    match = TAG.match(tag)
    if match is None:
        return None
    return tuple(int(part or 0) for part in match.groups())


def latest(tags):
    """Return the highest release tag, or None when there is none."""
    releases = [tag for tag in tags if parse_tag(tag) is not None]
    return max(releases, key=parse_tag, default=None)
