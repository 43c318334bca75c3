"""Parse XML that somebody else wrote."""

import xml.etree.ElementTree as ElementTree


class _RefuseDoctype(ElementTree.TreeBuilder):
    """A tree builder that rejects a document type declaration, so entities cannot be defined and expanded.

    The parser reports the declaration; searching the text for it would miss other encodings.
    """

    def doctype(self, *_: object) -> None:
        raise ValueError("a document type")


def parse_xml(text: bytes) -> ElementTree.Element | None:
    """Return the root element; None for XML that is malformed, has a document type or an unknown encoding."""
    try:
        parser = ElementTree.XMLParser(target=_RefuseDoctype())  # noqa: S314 - it refuses entity definitions
        return ElementTree.fromstring(text, parser)  # noqa: S314 - as above
    except (ElementTree.ParseError, ValueError, LookupError, RecursionError):
        return None
