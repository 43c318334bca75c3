"""Find the layer of a cause by replay: run the failing tests with files, and then single units, as they were earlier.

A recent commit with which the tests pass is looked for. Then the files of each layer that changed since are taken back alone, and
then the units of the layer that decides: a constant, a section of the settings, a prompt, a function.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from whet.cases.regression import has_target, regression_of
from whet.domain.attribution import Attribution, Replayed
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.own_files import FILE_NAME
from whet.domain.plural import shorten
from whet.kit import Kit
from whet.knowledge.earlier_units import earlier_units
from whet.phases.diagnose.layer_of import layer_of
from whet.target.suite import PER_TEST_RUNNERS

_FIRST_STEPS = (1, 3, 9)  # commits back; then further with `target.replay_commits`
_MOST_TESTS, _MOST_UNITS, _MOST_FILES = 5, 6, 50
_SHORT = 10


@dataclass(frozen=True)
class _Replay:
    """The failing tests, the tree in which they fail, and the commits around the one that broke them."""

    tests: tuple[str, ...]
    tree: str
    earlier: str
    broken: str


class _TooLong(Exception):
    """The replay has taken as long as one run of the whole suite may take."""


class Layers:
    """Attributes findings whose tests can be run again to layers."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.target
        self._until = 0.0

    def attribute(self, finding: Finding, base: str) -> Attribution | None:
        """Return the layer of the cause; None if no recent commit is known with which the tests pass."""
        if not self._policy.replay_commits or self._kit.policy.tests.runner not in PER_TEST_RUNNERS:
            return None
        commits = self._git.newest_commits(base, self._policy.replay_commits + 1)
        if len(commits) < 2 or not has_target(finding):
            return None
        self._until = time.monotonic() + self._kit.policy.tests.timeout_seconds
        try:
            return self._replayed(finding, base, commits)
        except _TooLong:
            self._kit.progress.note("running the failing tests with earlier versions took too long")
            return None

    def _replayed(self, finding: Finding, base: str, commits: Sequence[str]) -> Attribution | None:
        tests, tree = self._targets(finding, base)
        if not tests or (replay := self._broken_by(tests, tree, commits)) is None:
            return None
        if self._pass(tests, tree):  # they fail now and then, so that a pass shows nothing
            return None
        return self._attribution(replay)

    def _targets(self, finding: Finding, base: str) -> tuple[tuple[str, ...], str]:
        """Return the failing tests, at most some of them, and the tree that has them."""
        tree = self._git.tree_of(base)
        if regression := regression_of(finding, tree, self._kit):
            return regression.red[:_MOST_TESTS], self._git.with_files(tree, {regression.path: regression.text.encode()})
        return tuple(test for test in finding.subjects if "::" in test)[:_MOST_TESTS], tree

    def _broken_by(self, tests: tuple[str, ...], tree: str, commits: Sequence[str]) -> _Replay | None:
        """Return the newest commit with which the tests pass, as far as steps of growing width and halving find it."""
        self._kit.progress.note("running the failing tests with earlier versions")
        broken = 0
        steps = [step for step in (*_FIRST_STEPS, len(commits) - 1) if step < len(commits)]
        tried = ""
        for good in dict.fromkeys(steps):
            earlier = self._with(tree, commits[good], self._changed(tree, commits[good]))
            if earlier not in (tree, tried) and self._pass(tests, earlier):
                break
            broken, tried = good, earlier
        else:
            return None
        while good - broken > 1:
            middle = (good + broken) // 2
            if self._pass(tests, self._with(tree, commits[middle], self._changed(tree, commits[middle]))):
                good = middle
            else:
                broken = middle
        return _Replay(tests, tree, commits[good], commits[broken])

    def _attribution(self, replay: _Replay) -> Attribution | None:
        layers: dict[Layer, list[str]] = defaultdict(list)
        later = set(self._changed(replay.tree, replay.earlier))
        for path in self._changed(self._git.tree_of(replay.broken), replay.earlier):
            if path in later:
                layers[layer_of(path, self._policy)].append(path)
        if not layers:
            return None
        deciding = [layer for layer, paths in layers.items() if self._pass_with(replay, paths)]
        about = f"the tests pass with all source as in {replay.earlier[:_SHORT]}"
        evidence = (about, *(_sentence(layer, layers[layer], decides=layer in deciding) for layer in layers))
        if not deciding:
            layer, how = self._most_changed(layers), Replayed.TOGETHER
        else:
            layer, how = deciding[0], Replayed.LAYER if len(deciding) == 1 else Replayed.SEVERAL
        attribution = Attribution(layer=layer, replayed=how, earlier=replay.earlier, evidence=evidence)
        return self._with_unit(attribution, replay, layers[layer]) if how is Replayed.LAYER else attribution

    def _with_unit(self, attribution: Attribution, replay: _Replay, paths: Sequence[str]) -> Attribution:
        """Return the attribution with the one unit that decides, if there is exactly one."""
        now, then = (self._git.read_all(tree, paths) for tree in (replay.tree, self._git.tree_of(replay.earlier)))
        both = [path for path in paths if path in now and path in then]
        units = [(path, unit) for path in both for unit in earlier_units(path, then[path], now[path])]
        if not units or len(units) > _MOST_UNITS or len(both) < len(paths):
            return attribution
        deciding = [
            (path, unit.name)
            for path, unit in units
            if self._pass(replay.tests, self._git.with_files(replay.tree, {path: unit.content}))
        ]
        if len(deciding) != 1:
            return attribution
        [(path, name)] = deciding
        sentence = f"they pass with only {f'{name} in ' if name else ''}{path} as it was there"
        return replace(
            attribution,
            replayed=Replayed.UNIT,
            path=path,
            unit=name,
            evidence=(*attribution.evidence, sentence),
        )

    def _pass_with(self, replay: _Replay, paths: Sequence[str]) -> bool:
        return self._pass(replay.tests, self._with(replay.tree, replay.earlier, paths))

    def _pass(self, tests: Collection[str], tree: str) -> bool:
        if time.monotonic() > self._until:
            raise _TooLong
        return set(tests) <= set(self._kit.suite.run(tree, list(tests)).passed)

    def _with(self, tree: str, commit: str, paths: Sequence[str]) -> str:
        return self._git.with_entries(tree, self._git.tree_of(commit), paths) if paths else tree

    def _changed(self, tree: str, commit: str) -> list[str]:
        """Return the files that differ, without tests, the policy and what only one side has."""
        old, new = (
            {entry.path: entry for entry in self._git.entries(each)} for each in (self._git.tree_of(commit), tree)
        )
        differ = [path for path in {**old, **new} if old.get(path) != new.get(path)]
        return sorted(path for path in differ if path != FILE_NAME and not self._kit.is_test(path))[:_MOST_FILES]

    def _most_changed(self, layers: Mapping[Layer, Sequence[str]]) -> Layer:
        return max(layers, key=lambda layer: len(layers[layer]))


def _sentence(layer: Layer, paths: Sequence[str], *, decides: bool) -> str:
    verb = "they pass" if decides else "they still fail"
    return f"{verb} with only the layer {layer.value} as it was there ({shorten(paths, 3)})"
