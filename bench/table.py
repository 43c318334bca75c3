from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure beside its peer; `ratio` is the figure divided by the peer."""

    bench: str
    what: str
    figure: str
    peer: str
    ratio: float


def show(rows: list[Row]) -> str:
    lines = [f"{'bench':<10} {'what':<40} {'figure':>10}  {'peer':<32} {'ratio':>7}"]
    lines += [f"{row.bench:<10} {row.what:<40} {row.figure:>10}  {row.peer:<32} {row.ratio:>7.2f}" for row in rows]
    return "\n".join(lines)
