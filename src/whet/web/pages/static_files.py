"""The style sheet, the scripts and the icon. Their addresses hold a digest, so that browsers may keep them."""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from starlette.responses import Response

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
NAMES = ("whet.css", "whet.js", "theme.js", "icon.svg", "vendor/htmx-4.0.0.min.js")


@cache
def content(name: str) -> bytes:
    """Return a static file. Only the names in `NAMES` exist, whatever a request asks for."""
    if name not in NAMES:
        raise KeyError(name)
    return files("whet.web.pages").joinpath("static", *name.split("/")).read_bytes()


@cache
def address(name: str) -> str:
    """Return the path of a static file below the root of the site."""
    return f"/static/{hashlib.sha256(content(name)).hexdigest()[:12]}/{name}"


@cache
def integrity(name: str) -> str:
    """Return the digest of a script in the form of the attribute `integrity`."""
    return f"sha384-{base64.b64encode(hashlib.sha384(content(name)).digest()).decode()}"


def answer(name: str) -> Response:
    """Return a static file, or status 404."""
    if name not in NAMES:
        return Response("there is no such file", status_code=404, media_type="text/plain")
    return Response(
        content(name),
        media_type=_TYPES[name[name.rfind(".") :]],
        headers={"Cache-Control": "public, max-age=31536000, immutable"},
    )
