"""Find code that sends a file outside of the project to another machine, or serves files to the whole network."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, CausesHarm, CodeEffect
from whet.guard.shell.model.harm import Harm

_CONNECTS = re.compile(
    r"https?://(?!localhost|127\.|0\.0\.0\.0|\[?::1)|IO::Socket|TCPSocket|\bfsockopen\b|net\.(?:connect|createConnection)"
    r"|require\s*\(?\s*[\"']socket[\"']|\bsocket\.socket\b|\bftplib\b|Net::(?:FTP|HTTP)"
)
# A file that is opened by an absolute path, and not for writing.
_READS_FILE = re.compile(
    r"(?:\bopen|readFile(?:Sync)?|file_get_contents|fopen|File\.(?:read|open|binread)|IO\.read|slurp|read_bytes|Path"
    r"|readlines|createReadStream)\s*\(?[^()]{0,40}?[\"']/(?!tmp/)[^\"'\n]*[\"'](?!\s*,\s*[\"'](?:[wa]|\+?>))"
)
_SENDS = re.compile(
    r"urlopen\s*\([^)]*,|\bdata\s*=|\.post\b|\bPOST\b|\bPUT\b|:send\s*\(|\.send(?:all|file)?\s*\(|storbinary"
    r"|print\s*\{?\s*\$\w+\s+\$|\.puts?\b|\.write\s*\(|fwrite\s*\(|\.request\s*\(|stream_context_create|\.pipe\s*\("
)
_SERVES = re.compile(r"(?:TCPServer|HTTPServer|ThreadingHTTPServer)\s*\(\s*\(\s*[\"'](?:|0\.0\.0\.0|::)[\"']")
_SERVES_FILES = re.compile(r"SimpleHTTP|WEBrick::HTTPServer|un\b.*httpd")


def effects(code: str, language: str) -> Iterator[CodeEffect]:
    """Yield the effects, raised to a person: whether the file may be sent is not known."""
    if len(code) > MAX_LENGTH:
        return
    if _CONNECTS.search(code) and _SENDS.search(code) and _READS_FILE.search(code):
        yield CausesHarm(Harm.EXFILTRATION, f"the {language} code sends the content of a file away", raises=True)
    if _SERVES.search(code) and _SERVES_FILES.search(code):
        yield CausesHarm(Harm.EXFILTRATION, f"the {language} code serves files to the whole network", raises=True)
