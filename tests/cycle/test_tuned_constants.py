"""A constant is tuned against a declared benchmark, and the proof measures it again."""

import pytest

from tests.support import MakeRepo

POLICY = """[tests]
folders = ["tests"]
[benchmarks]
most_pairs = 10
[benchmarks.declared.cost]
command = ["python", "bench_cost.py", "{seed}"]
[tune.declared.batch]
file = "settings.py"
objective = "cost"
trials = 6
[tune.declared.batch.constants]
BATCH = { low = 1, high = 32 }
"""
PACK: dict[str, str | bytes] = {
    "whet.toml": POLICY,
    "settings.py": "# how many items travel together\nBATCH = 2\n",
    "sender.py": "from settings import BATCH\n\n\ndef cost(items):\n    trips, rest = divmod(items, BATCH)\n"
    "    return trips * (50 + BATCH**2) + (50 + rest**2 if rest else 0)\n",
    "tests/test_sender.py": "from sender import cost\n\n\ndef test_nothing_costs_nothing():\n    assert cost(0) == 0\n",
    "bench_cost.py": "import random, sys\nfrom sender import cost\n\nrandom.seed(int(sys.argv[1]))\n"
    "print(sum(cost(random.randint(50, 150)) for _ in range(50)))\n",
}


@pytest.mark.long
def test_better_values_are_found_confirmed_and_proven(make_repo: MakeRepo) -> None:
    repo = make_repo(PACK)
    dry = repo.whet("tune", "batch", "--dry-run", "--json").json
    assert (dry["why_not"], dry["finding"]) == ("", "")
    assert "tuned_constants" not in repo.whet("scan", "--json").out
    tuned = repo.whet("tune", "batch", "--json").json
    assert len(tuned["tuning"]["curve"]) == 6
    assert tuned["tuning"]["confirmed"].startswith("better by -")
    assert repo.whet("run", "--finding", tuned["finding"], "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("tune", "passed")
    shown = repo.whet("diff", proposal["proposal"]).out
    assert "+BATCH = " in shown
    assert "# how many items travel together" in shown


def test_tuning_something_that_is_not_declared_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({**PACK, "whet.toml": POLICY.replace('objective = "cost"', 'objective = "speed"')})
    unknown = repo.whet("tune", "size")
    assert unknown.code == 2
    assert "declared are batch" in unknown.err
    assert "declare [benchmarks.declared.speed] or [evaluations.declared.speed]" in repo.whet("tune", "batch").err
