from collections.abc import Iterator, Mapping


def applying(path: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The texts of the folders above a path, outermost first, each with the path as that folder sees it."""
    parts = path.split("/")
    for depth in range(len(parts)):
        text = texts.get("/".join(parts[:depth]))
        if text is not None:
            yield "/".join(parts[depth:]), text
