"""A bug that was mended once is mended elsewhere by its pattern, on a repository that whet has never seen."""

import json

import pytest

from tests.support import MakeRepo, Repo

POLICY = '[tests]\nfolders = ["tests"]\n[deploy]\nstrategy = "merge"\n'
RATINGS_TEST = (
    "from ratings import average, best\n\n\ndef test_average():\n    assert average([4, 5]) == 4.5\n\n\n"
    "def test_best():\n    assert best([3]) == 3\n"
)
STATS: dict[str, str | bytes] = {
    "whet.toml": POLICY,
    "stats.py": "def mean(values):\n    return sum(values) / len(values)\n",
    "ratings.py": "def average(stars):\n    return sum(stars) / len(stars)\n\n\ndef best(stars):\n    return max(stars, default=0)\n",
    "tests/test_stats.py": "from stats import mean\n\n\ndef test_mean():\n    assert mean([1, 2, 3]) == 2\n\n\n"
    "def test_mean_of_nothing():\n    assert mean([]) == 0\n",
    "tests/test_ratings.py": RATINGS_TEST,
}
MENDED = "def mean(values):\n    return sum(values) / len(values) if values else 0\n"
EXPORT = {
    "format": "whet.patterns/1",
    "repository": "elsewhere",
    "patterns": [
        {
            "examples": [
                {
                    "core_before": "sum(rows) / len(rows)",
                    "core_after": "sum(rows) / len(rows) if rows else 0",
                    "before": "return sum(rows) / len(rows)",
                    "after": "return sum(rows) / len(rows) if rows else 0",
                    "variables": ["rows"],
                    "exception": "ZeroDivisionError",
                    "failure": "division by zero",
                    "path": "table.py",
                    "function": "mean_row",
                    "proposal": "p-1",
                    "engine": "repair",
                }
            ]
        }
    ],
}
RED = "\n\ndef test_average_of_nothing():\n    assert average([]) == 0\n"


def waiting(repo: Repo) -> dict[str, str]:
    [proposal] = [row for row in repo.whet("list", "--json").json if row["status"].startswith("waiting")]
    return dict(proposal)


@pytest.mark.long
def test_a_proven_fix_becomes_a_pattern_that_mends_the_next_bug(make_repo: MakeRepo) -> None:
    repo = make_repo(STATS)
    assert repo.whet("patterns", "--json").json == {"patterns": []}
    assert repo.whet("run", "--json").code == 5
    first = waiting(repo)
    assert first["engine"] == "repair"
    assert repo.whet("approve", first["proposal"], "--yes", "--json").code == 0
    [pattern] = repo.whet("patterns", "--json").json["patterns"]
    assert pattern["outcomes"]["successes"] == 1
    assert pattern["examples"][0]["proposal"] == first["proposal"]
    scan = repo.whet("scan", "--all", "--json").out
    assert "the same mistake in ratings.py:2: average([]) raises ZeroDivisionError: division by zero" in scan
    assert repo.whet("run", "--json").code == 5
    proposal = waiting(repo)
    assert (proposal["engine"], proposal["verdict"]) == ("known_fix", "passed")
    assert "+    assert average([]) == 0" in repo.whet("diff", proposal["proposal"]).out


def test_an_imported_pattern_mends_a_bug_and_a_rejection_ends_it(make_repo: MakeRepo) -> None:
    repo = make_repo({**STATS, "stats.py": MENDED, "tests/test_ratings.py": RATINGS_TEST + RED})
    repo.write({"../patterns.json": json.dumps(EXPORT)})
    [pattern] = repo.whet("patterns", "import", "../patterns.json", "--json").json["patterns"]
    assert repo.whet("run", "--json").code == 5
    proposal = waiting(repo)
    assert (proposal["engine"], proposal["verdict"]) == ("known_fix", "passed")
    assert "+    return sum(stars) / len(stars) if stars else 0" in repo.whet("diff", proposal["proposal"]).out
    assert repo.whet("reject", proposal["proposal"], "--why", "no default here", "--json").code == 0
    assert repo.whet("patterns", "show", pattern, "--json").json["standing"] == "rejected"
    assert repo.whet("patterns", "import", "../patterns.json", "--json").code == 0
    assert repo.whet("patterns", "show", pattern[:4]).out.splitlines()[1].endswith("rejected 1")
