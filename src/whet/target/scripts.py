"""The folder of scripts that run inside the sandbox, under the target's interpreter."""

from pathlib import Path

INSIDE = Path(__file__).parent / "inside"
