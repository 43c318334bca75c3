"""Script that runs probes, each in a process of its own, on the host and inside the sandbox.

Reads one line of JSON (the facts about the bait, and the ids of the probes); writes one line of JSON per probe.
Standard library only.
"""

import json
import os
import select
import signal
import sys

from whet.sandbox.probes import filesystem, ipc, kernel, network, processes, resources, secrets, terminal
from whet.sandbox.probes.probe import PROBES, EscapeProbe, Facts

__all__ = ["filesystem", "ipc", "kernel", "network", "processes", "resources", "secrets", "terminal"]
SECONDS = 4.0  # for one probe; three times as much for a probe that runs alone


def main(results: int) -> None:
    bait: Facts = json.loads(sys.stdin.readline())
    resources.look_seconds = bait["look_seconds"]
    for name in bait["ids"]:
        through, detail = run_probe(PROBES[name], {**bait, "results": results})
        os.write(results, json.dumps({"probe": name, "through": through, "detail": detail}).encode() + b"\n")


def run_probe(probe: EscapeProbe, bait: Facts) -> tuple[bool, str]:
    """Run a probe in a child process; return whether it got through, and its result or error as text."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        attempt(probe, bait, writer)
    os.close(writer)
    answer = b""
    if select.select([reader], [], [], SECONDS * (3 if probe.alone else 1))[0]:
        answer = os.read(reader, 4096)
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return answer.startswith(b"+"), answer[1:].decode(errors="replace")


def attempt(probe: EscapeProbe, bait: Facts, writer: int) -> None:
    """Write "+" and the result if the probe got through, else "-" and the result or error; then exit."""
    try:
        result = probe.attempt(bait)
        answer = f"{'+' if result else '-'}{result!r}"[:200]
    except BaseException as problem:
        answer = f"-{problem!r}"[:200]
    os.write(writer, answer.encode(errors="replace"))
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
