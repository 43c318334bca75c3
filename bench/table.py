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
    lines = [f"{'bench':<10} {'what':<34} {'figure':>10}  {'peer':<24} {'ratio':>7}"]
    lines += [f"{row.bench:<10} {row.what:<34} {row.figure:>10}  {row.peer:<24} {row.ratio:>7.2f}" for row in rows]
    return "\n".join(lines)
