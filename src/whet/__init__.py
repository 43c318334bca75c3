"""whet lets a codebase improve itself, and lets nothing through without proof.

Start reading at `whet.cycle`.
"""

__version__ = "0.1.0"
