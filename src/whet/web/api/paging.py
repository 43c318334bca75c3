"""Pages of lists. The cursor is the sequence number of the last ledger entry that was read."""

from typing import Annotated

from fastapi import Query

_LARGEST_SEQUENCE = 2**31 - 1

After = Annotated[
    int, Query(ge=0, le=_LARGEST_SEQUENCE, description="Give what was recorded after this sequence number.")
]
Limit = Annotated[int, Query(ge=1, le=500, description="The most rows of a page.")]
Word = Annotated[str, Query(max_length=200)]
