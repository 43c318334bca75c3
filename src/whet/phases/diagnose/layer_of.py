"""The layer of a file, by the globs of `[target]`."""

from pathspec import GitIgnoreSpec

from whet.config import TargetPolicy
from whet.domain.layer import Layer


def layer_of(path: str, layers: TargetPolicy) -> Layer:
    for layer, patterns in (
        (Layer.CONSTANTS, layers.constants), (Layer.PROTOCOL, layers.protocol), (Layer.SKILL, layers.skill),
    ):  # fmt: skip
        if GitIgnoreSpec.from_lines(patterns).match_file(path):
            return layer
    return Layer.BEHAVIOR
