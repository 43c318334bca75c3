from collections.abc import Iterator, Mapping


def applying(path: str, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the texts of the folders above `path`, outermost first, each with the path relative to its folder.

    `texts` are the contents of `.gitignore` or `.gitattributes` files by folder.
    """
    parts = path.split("/")
    for depth in range(len(parts)):
        text = texts.get("/".join(parts[:depth]))
        if text is not None:
            yield "/".join(parts[depth:]), text
