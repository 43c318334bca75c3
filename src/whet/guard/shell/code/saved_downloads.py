"""Find code that saves what it receives over an unencrypted connection: anybody on the way may have replaced it."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, CausesHarm, CodeEffect
from whet.guard.shell.model.harm import Harm

_RECEIVES = re.compile(
    r"http://(?!localhost|127\.|0\.0\.0\.0|\[?::1|[\w-]+[:/'\"]|[\w.-]+\.(?:local|test|internal|lan)\b)"
    r"|IO::Socket|TCPSocket|TCPServer|\bfsockopen\b|net\.(?:connect|createConnection)|require\s*\(?\s*[\"']socket[\"']"
    r"|\bsocket\.socket\b"
)
_SAVES = re.compile(
    r"urlretrieve|createWriteStream|writeFile|file_put_contents|copy_stream|\bdownload\s*\(|\bcp\s*\(\s*[\"']http"
    r"|open\s*\([^)]*[\"'](?:wb?|>)[\"']|\.(?:bin)?write\s*\(\s*[\"'/]|write_bytes"
)


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield one effect, raised to a person, if the code both receives something unencrypted and saves a file."""
    if len(code) <= MAX_LENGTH and _RECEIVES.search(code) and _SAVES.search(code):
        reason = f"the {language} code saves a file that it receives over an unencrypted connection"
        yield CausesHarm(Harm.PACKAGES, reason, raises=True)
