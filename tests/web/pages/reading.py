"""Read a page as a browser would: its tags and attributes."""

from html.parser import HTMLParser

from starlette.testclient import TestClient


class Tags(HTMLParser):
    """Collects (tag, attributes) and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def inline_code(page: Tags) -> list[str]:
    """Return everything on a page that a strict policy would have to refuse, or that runs code."""
    found = [
        f"<{tag} {name}>" for tag, attrs in page.tags for name in attrs if name.startswith("on") or name == "style"
    ]
    found += [
        tag for tag, attrs in page.tags if tag == "script" and not (attrs.get("src") or "").startswith("/static/")
    ]
    found += [tag for tag, _ in page.tags if tag in ("style", "iframe", "object", "embed", "base", "img")]
    urls = [attrs.get(name) or "" for _, attrs in page.tags for name in ("href", "src", "action", "formaction")]
    return found + [url for url in urls if ":" in url.partition("/")[0] or url.startswith("//")]


def read(client: TestClient, path: str) -> Tags:
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return Tags(answer.text)
