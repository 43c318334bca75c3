"""Messages that differ only in their varying parts have one template."""

import pytest

from whet.statistics.drain import Drain
from whet.statistics.masks import mask


@pytest.mark.parametrize(
    ("message", "masked"),
    [
        ("took 12 ms", "took <*> ms"),
        ("took 12ms", "took <*>"),
        ("from 10.0.0.1:80 to /10.0.0.2", "from <*> to <*>"),
        ("at 2026-01-02T03:04:05.678Z", "at <*>"),
        ("id 123e4567-e89b-12d3-a456-426614174000", "id <*>"),
        ("pointer 0x7ffe", "pointer <*>"),
        ("commit deadbeef12", "commit <*>"),
        ("proxy.example.org:5070 open", "<*> open"),
        ("python3 and utf8 stay", "python3 and utf8 stay"),
        ("version v1.2 stays", "version v1.2 stays"),
    ],
)
def test_varying_parts_are_masked(message: str, masked: str) -> None:
    assert mask(message) == masked


def test_messages_join_by_similarity_and_different_ones_stay_apart() -> None:
    drain = Drain()
    users = {id(drain.cluster_of(f"the user {name} logged in from home")) for name in ("ann", "bob", "eve")}
    other = drain.cluster_of("disk is full on the second machine")
    assert len(users) == 1
    assert id(other) not in users
    assert {cluster.template for cluster in drain.clusters()} == {
        "the user <*> logged in from home", "disk is full on the second machine",
    }  # fmt: skip


def test_a_restored_tree_groups_as_the_old_one_did() -> None:
    drain = Drain()
    for name in ("ann", "bob"):
        drain.cluster_of(f"the user {name} logged in from home")
    again = Drain()
    again.restore([(cluster.founder, cluster.template) for cluster in drain.clusters()])
    assert again.cluster_of("the user eve logged in from home").founder == "the user ann logged in from home"


def test_the_number_of_clusters_is_bounded() -> None:
    drain = Drain(most_clusters=10)
    for number in range(1000):
        drain.cluster_of(
            " ".join(f"{'abcdefghij'[int(digit)]}{'xyz'[position]}" for position, digit in enumerate(f"{number:03}"))
        )
    assert len(list(drain.clusters())) <= 11


def test_empty_and_huge_messages_have_a_template() -> None:
    drain = Drain()
    assert drain.cluster_of("").template == ""
    assert len(drain.cluster_of("word " * 10_000).tokens) == 100
