"""Ask a language server for its diagnostics of files of the tree. Runs in the sandbox, standard library only.

`language_server.py RESULTS` reads one JSON object from its standard input: `argv` of the server, the `files` to open, their
`language`, the `settings` that the server may ask for, and the limits `seconds`, `settle` and `most`. It writes one JSON
line per file with diagnostics, and a last line that says how it ended. Nothing that is reported here is trusted.
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

LONGEST_MESSAGE = 64 * 1024 * 1024
LONGEST_TEXT = 2000
METHOD_NOT_FOUND = -32601
IDLE_SHARE = 0.02  # of one processor; a server that uses less is not working
PATIENCE = 5


class ServerStopped(Exception):
    """The server ended, did not answer in time, or answered with an error."""


class LspClient:
    """A client of the Language Server Protocol over the pipes of one server."""

    def __init__(self, request):
        self.deadline = time.monotonic() + request["seconds"]
        self.settings = request["settings"]
        self.server = subprocess.Popen(
            request["argv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self.messages = queue.Queue()
        self.pushed = {}
        self.number = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Put every message of the server into the queue; None when its output ends or is no message."""
        try:
            while (message := read_message(self.server.stdout)) is not None:
                self.messages.put(message)
        except (ValueError, OSError):
            pass
        self.messages.put(None)

    def write(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.server.stdin.flush()
        except OSError:
            raise ServerStopped("the server ended") from None

    def notify(self, method, params):
        self.write(method=method, params=params)

    def request(self, method, params):
        """Send a request and return the result; messages that arrive before it are handled."""
        self.number += 1
        identity = self.number
        self.write(id=identity, method=method, params=params)
        while True:
            message = self.receive(self.deadline)
            if message is None:
                raise ServerStopped(f"no answer to {method} in time")
            if "method" not in message and message.get("id") == identity:
                if "error" in message:
                    raise ServerStopped(f"{method}: {message['error'].get('message', 'error')}")
                return message.get("result")

    def receive(self, until):
        """Return the next message, or None if none arrives until then. Requests of the server are answered here."""
        try:
            message = self.messages.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if message is None:
            raise ServerStopped("the server ended")
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.pushed[path_of(params["uri"])] = params["diagnostics"]
        elif "method" in message and "id" in message:
            self.answer(message)
        return message

    def answer(self, message):
        method = message["method"]
        if method == "workspace/configuration":
            items = message["params"]["items"]
            self.write(id=message["id"], result=[section_of(self.settings, item.get("section")) for item in items])
        elif method == "workspace/workspaceFolders":
            self.write(id=message["id"], result=[folder()])
        elif method in ("client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create"):
            self.write(id=message["id"], result=None)
        else:
            self.write(id=message["id"], error={"code": METHOD_NOT_FOUND, "message": f"{method} is not supported"})

    def initialize(self):
        return self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootPath": os.getcwd(),
                "rootUri": folder()["uri"],
                "workspaceFolders": [folder()],
                "initializationOptions": self.settings,
                "capabilities": {
                    "general": {"positionEncodings": ["utf-16"]},
                    "textDocument": {"publishDiagnostics": {}, "diagnostic": {}, "synchronization": {}},
                    "workspace": {"configuration": True, "workspaceFolders": True},
                },
            },
        )

    def settle(self, quiet):
        """Wait until the server is done with its pushes: no message, and no work of its processes, for `quiet` seconds.

        A server that has pushed nothing yet may only be slow to begin, so it gets more time.
        """
        idle = 0
        while idle < (1 if self.pushed else PATIENCE):
            if time.monotonic() > self.deadline:
                raise ServerStopped("the server was still working when its time was over")
            worked, until, messages = processor_seconds(self.server.pid), time.monotonic() + quiet, 0
            while self.receive(until) is not None:
                messages += 1
            idle = 0 if messages or processor_seconds(self.server.pid) - worked > IDLE_SHARE * quiet else idle + 1


def main():
    results = int(sys.argv[1])
    os.set_inheritable(results, False)
    request = json.loads(sys.stdin.buffer.readline())
    client, ending = None, {}
    found = {}
    try:
        client = LspClient(request)
        ending = diagnose(client, request, found)
    except ServerStopped as problem:
        ending = {"problem": str(problem)}
    except OSError as problem:
        ending = {"problem": f"the server does not start ({problem.strerror})"}
    except (KeyError, TypeError, AttributeError) as problem:
        ending = {"problem": f"the server sent a message of an unknown form ({type(problem).__name__})"}
    with os.fdopen(results, "w") as out:
        report(out, found or (client.pushed if client else {}), request, ending)
    if client:
        client.server.kill()
    os._exit(0)


def diagnose(client, request, found):
    """Open the files, collect their diagnostics in `found`, and return how it went."""
    answer = client.initialize()
    client.notify("initialized", {})
    if request["settings"]:
        client.notify("workspace/didChangeConfiguration", {"settings": request["settings"]})
    for path in request["files"]:
        client.notify("textDocument/didOpen", {"textDocument": opened(path, request["language"])})
    pulls = answer["capabilities"].get("diagnosticProvider") not in (None, False)
    if pulls:
        for path in request["files"]:
            params = {"textDocument": {"uri": uri_of(path)}}
            found[path] = (client.request("textDocument/diagnostic", params) or {}).get("items", [])
    else:
        client.settle(request["settle"])
        found.update(client.pushed)
    named = answer.get("serverInfo") or {}
    return {
        "server": f"{named.get('name', '')} {named.get('version', '')}".strip(),
        "how": "pull" if pulls else "push",
        "silent": sum(path not in found for path in request["files"]),
    }


def report(out, found, request, ending):
    """Write the diagnostics of the files that were asked for, as many of each as the limit allows."""
    wanted, left_out = set(request["files"]), 0
    for path, diagnostics in found.items():
        if path in wanted and isinstance(diagnostics, list):
            left_out += max(0, len(diagnostics) - request["most"])
            facts = [line_of(each) for each in diagnostics[: request["most"]] if isinstance(each, dict)]
            print(json.dumps({"path": path, "diagnostics": facts}), file=out)
    print(json.dumps({"end": True, "left_out": left_out, **ending}), file=out)


def line_of(diagnostic):
    """Return line, severity, rule and message of a diagnostic."""
    place = diagnostic.get("range") or {}
    start = place.get("start") or {}
    message = diagnostic.get("message", "")
    text = message if isinstance(message, str) else message.get("value", "")
    code = diagnostic.get("code")
    return [start.get("line", 0), diagnostic.get("severity", 1), str("" if code is None else code), text[:LONGEST_TEXT]]


def read_message(stream):
    """Return the next message, or None at the end of the stream. Raise ValueError for anything that is no message."""
    length = None
    while True:
        line = stream.readline(LONGEST_TEXT)
        if not line:
            return None
        if line in (b"\r\n", b"\n"):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    if length is None or not 0 <= length <= LONGEST_MESSAGE:
        raise ValueError("no length")
    message = json.loads(stream.read(length))
    if not isinstance(message, dict):
        raise ValueError("not an object")
    return message


def processor_seconds(session):
    """Return the processor time that the running processes of a session have used."""
    ticks = 0
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def opened(path, language):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return {"uri": uri_of(path), "languageId": language, "version": 1, "text": file.read()}


def folder():
    return {"uri": Path.cwd().as_uri(), "name": "tree"}


def uri_of(path):
    return Path(os.getcwd(), path).as_uri()


def path_of(uri):
    """Return the path below the tree of a file that the server names."""
    return os.path.relpath(unquote(urlsplit(uri).path), os.getcwd())


def section_of(settings, name):
    """Return the settings below a dotted name; None if there are none."""
    for part in name.split(".") if name else ():
        settings = settings.get(part) if isinstance(settings, dict) else None
    return settings


if __name__ == "__main__":
    main()
