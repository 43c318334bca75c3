"""Nouns as answers. `shown` is the form that the command line's `--json` prints, so both say the same."""

import json
from typing import Any

from starlette.responses import Response

from whet.domain.canonical import to_plain
from whet.domain.redact_noun import redact_noun


def shown(data: Any) -> Any:
    """Return a noun as JSON data with secrets redacted, as `--json` prints it."""
    return to_plain(redact_noun(data))


def answer(data: Any, *, status: int = 200, digest: str = "") -> Response:
    """Return a noun as a JSON answer. `digest` becomes its ETag."""
    headers = {"ETag": f'"{digest}"'} if digest else None
    return Response(json.dumps(shown(data)), status_code=status, media_type="application/json", headers=headers)
