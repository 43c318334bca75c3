def add_tag(tag, tags=[]):
    """Append a cleaned tag to a list of tags, by default a new one."""
    tag = tag.strip().lower()
    if tag and tag not in tags:
        tags.append(tag)
    return tags


def parse_tags(text):
    """Turn a comma separated text into a list of distinct tags."""
    tags = []
    for part in text.split(","):
        add_tag(part, tags)
    return tags
