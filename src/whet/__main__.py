"""`python -m whet`: the same as `whet`, with the interpreter that was named."""

from whet.cli import main

main()
