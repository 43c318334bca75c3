"""Tries probes, each in a process of its own. Standard library only: it runs outside and inside alike.

Reads what the host has laid out as one line of JSON, and the ids to try; writes one line of JSON for each.
"""

import json
import os
import select
import signal
import sys

from whet.sandbox.probes import filesystem, ipc, kernel, network, processes, resources, secrets, terminal
from whet.sandbox.probes.probe import PROBES, Bait, Probe

__all__ = ["filesystem", "ipc", "kernel", "network", "processes", "resources", "secrets", "terminal"]
SECONDS = 4.0


def main(results: int) -> None:
    bait: Bait = json.loads(sys.stdin.readline())
    resources.look_seconds = bait["look_seconds"]
    for name in bait["ids"]:
        through, said = tried(PROBES[name], {**bait, "results": results})
        os.write(results, json.dumps({"probe": name, "through": through, "said": said}).encode() + b"\n")


def tried(probe: Probe, bait: Bait) -> tuple[bool, str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        attempt(probe, bait, writer)
    os.close(writer)
    said = b""
    if select.select([reader], [], [], SECONDS * (3 if probe.alone else 1))[0]:
        said = os.read(reader, 4096)
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said.startswith(b"+"), said[1:].decode(errors="replace")


def attempt(probe: Probe, bait: Bait, writer: int) -> None:
    try:
        got = probe.attempt(bait)
        said = f"{'+' if got else '-'}{got!r}"[:200]
    except BaseException as problem:
        said = f"-{problem!r}"[:200]
    os.write(writer, said.encode(errors="replace"))
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
