"""`python -m whet`: the same as `whet`, with the interpreter that was named."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder: whet imports nothing from the repository that it works on

from whet.cli.entry import main

main()
