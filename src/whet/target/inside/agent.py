"""Run a coding agent on the tree and report the files that it changed. Runs in the sandbox, standard library only.

`agent.py RESULTS` reads one JSON object from its standard input: `argv`, `env` and `home` of the agent, `seconds`, the `port` on
which to listen, the `door` (a UNIX socket) to which connections to that port are passed on, and the limits of the report.
The agent runs as the same user as this script, so nothing that is reported here is trusted.
"""

import base64
import contextlib
import hashlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading

CHUNK = 1 << 16
IDENTITY = "[user]\n\tname = agent\n\temail = agent@localhost\n[safe]\n\tdirectory = *\n[gc]\n\tauto = 0\n"


def main():
    results = int(sys.argv[1])
    os.set_inheritable(results, False)
    request = json.loads(sys.stdin.buffer.readline())
    before = snapshot()
    for path, text in {".gitconfig": IDENTITY, **request["home"]}.items():
        write_at_home(path, text)
    make_repository(before)
    listen(request["port"], request["door"])
    with os.fdopen(results, "w") as out:
        ending = run_agent(request)
        end_other_processes()
        report(out, ending, before, request)


def snapshot():
    """Return what lies in the tree, by path: (kind, digest). Folders named .git and mounted folders are left out."""
    found = {}
    device = os.lstat(".").st_dev
    folders = [""]
    while folders:
        folder = folders.pop()
        with os.scandir(folder or ".") as entries:
            for entry in entries:
                path = os.path.join(folder, entry.name)
                status = entry.stat(follow_symlinks=False)
                if entry.name == ".git" or status.st_dev != device:
                    continue
                if stat.S_ISDIR(status.st_mode):
                    folders.append(path)
                elif stat.S_ISLNK(status.st_mode):
                    found[path] = ("link", os.readlink(path))
                elif stat.S_ISREG(status.st_mode):
                    found[path] = ("file", digest(path))
                else:
                    found[path] = ("other", "")
    return found


def digest(path):
    content = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(CHUNK), b""):
                content.update(piece)
    except OSError:  # the agent took away its own right to read it
        return "unreadable"
    return content.hexdigest()


def write_at_home(path, text):
    place = os.path.join(os.path.expanduser("~"), path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w") as file:
        file.write(text)


def make_repository(paths):
    """Make a git repository with one commit of the tree: the agent may use git, and the project's history is not there."""
    listed = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    add = ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"]
    for args in (["init", "--quiet"], add, ["commit", "--quiet", "--allow-empty", "--message", "the tree"]):
        try:
            done = subprocess.run(["git", "--literal-pathspecs", *args], input=listed, timeout=120)
        except (OSError, subprocess.TimeoutExpired):
            return  # there is no git: most agents do without
        if done.returncode:
            return


def listen(port, door):
    server = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=accept, args=(server, door), daemon=True).start()


def accept(server, door):
    while True:
        client, _ = server.accept()
        try:
            outside = socket.socket(socket.AF_UNIX)
            outside.connect(door)
            for source, sink in ((client, outside), (outside, client)):
                threading.Thread(target=pump, args=(source, sink), daemon=True).start()
        except (OSError, RuntimeError):  # the proxy takes no more connections, or there is no room for a thread
            client.close()


def pump(source, sink):
    """Pass bytes on until one side ends; then the other side learns of it."""
    with contextlib.suppress(OSError):
        for piece in iter(lambda: source.recv(CHUNK), b""):
            sink.sendall(piece)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def run_agent(request):
    """Run the agent to its end or to the end of its time, and return how it ended."""
    try:
        agent = subprocess.Popen(
            request["argv"], env={**os.environ, **request["env"]}, stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as problem:
        return {"start": problem.strerror or type(problem).__name__}
    try:
        return {"exit": agent.wait(request["seconds"])}
    except subprocess.TimeoutExpired:
        return {"exit": None}


def end_other_processes():
    """Kill every other process of the sandbox, so that nothing changes the tree while it is read."""
    for _ in range(100):
        try:
            os.kill(-1, signal.SIGKILL)
        except OSError:
            return
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


def report(out, ending, before, request):
    after = snapshot()
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    ignored = ignored_paths([path for path in changed if path not in before])
    written, size = [], 0
    for path in changed:
        if path in ignored:
            continue
        line, content = describe(path, before, after, request["most_file_bytes"])
        written.append(line)
        size += content
    fits = len(written) <= request["most_files"] and size <= request["most_bytes"]
    print(json.dumps({**ending, "changed": len(written), "bytes": size}), file=out)
    for line in written if fits else ():
        print(json.dumps(line), file=out)
    print(json.dumps({"end": fits}), file=out)


def describe(path, before, after, most_bytes):
    """Return the line that reports one path, and the size of its content."""
    kind = after.get(path, ("gone", ""))[0]
    if kind == "gone":
        return {"path": path, "gone": before[path][0]}, 0
    if kind != "file":
        return {"path": path, "unusable": kind}, 0
    try:
        with open(path, "rb") as file:
            content = file.read(most_bytes + 1)
    except OSError:
        return {"path": path, "unusable": "unreadable file"}, 0
    if len(content) > most_bytes:
        return {"path": path, "unusable": "large file"}, 0
    return {"path": path, "content": base64.b64encode(content).decode()}, len(content)


def ignored_paths(paths):
    """Return the new paths that git ignores, such as caches; none without git."""
    listed = b"".join(os.fsencode(path) + b"\0" for path in paths)
    try:
        done = subprocess.run(
            ["git", "check-ignore", "-z", "--stdin", "--no-index"], input=listed, stdout=subprocess.PIPE, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return {os.fsdecode(path) for path in done.stdout.split(b"\0") if path}


if __name__ == "__main__":
    main()
