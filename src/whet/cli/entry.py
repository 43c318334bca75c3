"""The start of the program `whet`."""

import sys

from whet.cli.hook import is_hook, run_hook


def main() -> None:
    """Run the hook of coding agents, or parse the command line."""
    if is_hook(sys.argv[1:]):
        run_hook(sys.argv[1:])
    from whet.cli.main import main as run_command

    run_command()
