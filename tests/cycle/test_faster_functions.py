"""A slow function is made faster by a rewrite, and the proof shows that it still does the same and is faster."""

import pytest

from tests.support import MakeRepo

POLICY = """[tests]
folders = ["tests"]
[benchmarks]
most_pairs = 12
[benchmarks.declared.overlap]
command = ["python", "bench_overlap.py", "{seed}"]
"""
# The benchmark counts comparisons instead of seconds, so that the load of the machine does not matter.
BENCH = """import random, sys
from shop import common


class Counted(int):
    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return int(self) == int(other)

    __hash__ = int.__hash__


random.seed(int(sys.argv[1]))
left = [Counted(number) for number in random.sample(range(2000), 150)]
right = [Counted(number) for number in random.sample(range(2000), 150)]
common(left, right)
print(Counted.compared + 1)
"""
SHOP = '''"""A shop."""


def common(left, right):
    """Return what both lists have."""
    both = []
    for item in left:
        if item in right:  # slow for long lists
            both.append(item)
    return both
'''
TESTS = "from shop import common\n\n\ndef test_common():\n    assert common([1, 2, 3], [3, 1]) == [1, 3]\n    assert common([], [1]) == []\n"


@pytest.mark.long
def test_a_slow_search_in_a_list_is_found_mended_and_proven(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": POLICY, "shop.py": SHOP, "bench_overlap.py": BENCH, "tests/test_shop.py": TESTS})
    found = repo.whet("improve", "overlap", "--json").json
    assert found["improvement"]["changes"] == ["a set of right in common"]
    assert repo.whet("run", "--finding", found["finding"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("improve", "passed")
    assert "behavior_fix, performance" in repo.whet("show", proposal["proposal"], "--all").out
    diff = repo.whet("diff", proposal["proposal"]).out
    assert "+    right_set = set(right)" in diff
    assert "# slow for long lists" in diff


def test_what_a_benchmark_prints_as_its_profile_leads_nowhere(make_repo: MakeRepo) -> None:
    rows = '[["/etc/passwd.py", 1, 0.5], ["../../a.py", 1, 0.5], ["shop.py", 99999, 0.5], ["shop.py", "1", 0.5], 7]'
    bench = f"import atexit, os\nprint(1.5)\nprint('whet-profile:' + {rows!r}, flush=True)\nos._exit(0)\n"
    repo = make_repo({"whet.toml": POLICY, "shop.py": SHOP, "bench_overlap.py": bench, "tests/test_shop.py": TESTS})
    result = repo.whet("improve", "overlap", "--dry-run")
    assert (result.code, "spends its time in no function of this repository" in result.err) == (2, True), result.err
