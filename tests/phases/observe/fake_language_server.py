"""A language server for tests: it says what it is told to, over real pipes. `python fake_language_server.py BEHAVIOUR`."""

import json
import sys
import time
from typing import Any

BEHAVIOUR = sys.argv[1]
PROBLEM = {"range": {"start": {"line": 1, "character": 0}}, "severity": 1, "code": "E1", "message": "wrong"}


def read() -> dict[str, Any]:
    length = 0
    while (line := sys.stdin.buffer.readline().strip()) != b"":
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    message: dict[str, Any] = json.loads(sys.stdin.buffer.read(length)) if length else sys.exit()
    return message


def write(**message: object) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def push(uri: str, *diagnostics: object) -> None:
    write(method="textDocument/publishDiagnostics", params={"uri": uri, "diagnostics": list(diagnostics)})


def answer(message: dict[str, Any]) -> None:
    method = message.get("method")
    if method == "initialize":
        if BEHAVIOUR == "refuses":
            write(id=message["id"], error={"code": -1, "message": "no licence"})
            return
        capabilities: dict[str, object] = {"diagnosticProvider": {}} if BEHAVIOUR == "pull" else {}
        write(id=message["id"], result={"capabilities": capabilities})
    elif method == "textDocument/diagnostic":
        write(id=message["id"], result={"kind": "full", "items": [PROBLEM]})
    elif method == "textDocument/didOpen":
        uri = message["params"]["textDocument"]["uri"]
        if BEHAVIOUR == "asks":
            write(id=7, method="workspace/configuration", params={"items": [{"section": "fake.level"}, {}]})
            write(id=8, method="workspace/unheard", params={})
        elif BEHAVIOUR == "settles":
            push(uri)  # a first answer, which is not the last
            time.sleep(0.1)
            push(uri, PROBLEM)
        elif BEHAVIOUR == "elsewhere":
            push("file:///etc/passwd", PROBLEM)
            push(uri, *[PROBLEM] * 300, "no object")
    elif BEHAVIOUR == "asks" and "result" in message:
        sys.stderr.write(json.dumps(message["result"]) + "\n")
    elif BEHAVIOUR == "asks" and "error" in message:
        sys.stderr.write(json.dumps(message["error"]["code"]) + "\n")


if BEHAVIOUR == "ends":
    sys.exit(3)
if BEHAVIOUR == "silent":
    time.sleep(60)
if BEHAVIOUR == "garbage":
    sys.stdout.write("Welcome to the server!\n" * 10 + "\n")
    sys.stdout.flush()
    time.sleep(60)
if BEHAVIOUR == "endless":
    sys.stdout.write("Content-Length: 99999999999\r\n\r\n")
    sys.stdout.flush()
    time.sleep(60)
while True:
    answer(read())
