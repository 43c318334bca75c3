"""Group log messages by template: the Drain algorithm (He, Zhu, Zheng, Lyu: Drain, ICWS 2017), written anew.

A message is masked and split into tokens. A tree of fixed depth leads from the number of tokens over the first tokens to a few
clusters; the message joins the most similar one or founds a new cluster. Positions in which messages of a cluster differ become
wildcards. Memory is bounded by the number of clusters.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from whet.statistics.masks import WILDCARD, mask

DEPTH = 2  # tokens that the tree branches by, after the number of tokens
SIMILARITY = 0.4
MOST_BRANCHES = 100
MOST_CLUSTERS = 10_000
MOST_TOKENS = 100
Key = tuple[object, ...]


@dataclass
class Cluster:
    """Messages of one template. `founder` is the masked message that it began with: it never changes, unlike `tokens`."""

    founder: str
    tokens: list[str]
    size: int = 0

    @property
    def template(self) -> str:
        return " ".join(self.tokens)


class Drain:
    """The clusters of a stream of messages."""

    def __init__(self, depth: int = DEPTH, similarity: float = SIMILARITY, most_clusters: int = MOST_CLUSTERS) -> None:
        self._depth, self._similarity, self._most = depth, similarity, most_clusters
        self._leaves: dict[Key, list[Cluster]] = {}
        self._branches: dict[Key, set[str]] = {}
        self.number = 0

    def restore(self, stored: Iterable[tuple[str, str]]) -> None:
        """Add clusters from (founder, template) pairs of an earlier stream."""
        for founder, template in stored:
            tokens = template.split(" ")
            self._add(self._key(tokens), Cluster(founder, tokens))

    def pairs(self) -> list[tuple[str, str]]:
        """Return the (founder, template) pairs that `restore` takes."""
        return [(cluster.founder, cluster.template) for cluster in self.clusters()]

    def clusters(self) -> Iterator[Cluster]:
        for leaf in self._leaves.values():
            yield from leaf

    def cluster_of(self, message: str) -> Cluster:
        """Return the cluster of a message, which it joins. When there are too many, the last one takes all new messages of
        its shape."""
        masked = mask(message)
        tokens = masked.split()[:MOST_TOKENS] or [""]
        key = self._key(tokens)
        cluster = self._closest(self._leaves.get(key, ()), tokens)
        if cluster is None and self.number >= self._most:
            key = (len(tokens), "too many")
            cluster = next(iter(self._leaves.get(key, ())), None)
        if cluster is None:
            cluster = Cluster(" ".join(tokens), tokens)
            self._add(key, cluster)
        else:
            cluster.tokens = [old if old == new else WILDCARD for old, new in zip(cluster.tokens, tokens, strict=True)]
        cluster.size += 1
        return cluster

    def _add(self, key: Key, cluster: Cluster) -> None:
        self._leaves.setdefault(key, []).append(cluster)
        self.number += 1

    def _key(self, tokens: Sequence[str]) -> Key:
        """Return the leaf of a message: its length and its first tokens. A token with a digit, or one too many, is a
        wildcard."""
        key: Key = (len(tokens),)
        for token in tokens[: self._depth]:
            branches = self._branches.setdefault(key, set())
            if token not in branches:
                full = len(branches) >= MOST_BRANCHES or self.number >= self._most
                if full or any(character.isdigit() for character in token):
                    token = WILDCARD
                branches.add(token)
            key = (*key, token)
        return key

    def _closest(self, clusters: Iterable[Cluster], tokens: Sequence[str]) -> Cluster | None:
        best, highest = None, (self._similarity, -1)
        for cluster in clusters:
            equal = sum(old == new for old, new in zip(cluster.tokens, tokens, strict=True))
            wildcards = cluster.tokens.count(WILDCARD)
            rank = (equal / len(tokens), wildcards)
            if rank >= highest:
                best, highest = cluster, rank
        return best
