"""The whet command in a process of its own, with the settings of proofs that the fixtures of a test have made.

`python configured_whet.py SETTINGS ARGUMENT...`; SETTINGS is the JSON text of `support.proof_settings`.
"""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":  # recorded_runs.py needs the same order of sets in all processes
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    sys.path[0] = str(Path(__file__).parent.parent)
    from tests.whet_server import configure_proofs

    configure_proofs(json.loads(sys.argv[1]))
    del sys.path[0]
    from whet.cli.entry import main as whet

    sys.argv = ["whet", *sys.argv[2:]]
    whet()


if __name__ == "__main__":
    main()
