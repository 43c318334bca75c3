import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import whet
from tests.support import Repo
from whet import cycle

SOURCE = Path(whet.__file__).parent


@pytest.mark.short_proof
@pytest.mark.slow
def test_a_real_run_goes_through_the_phases_in_their_order(sample: Repo) -> None:
    sample.whet("run", "--json")
    proposal = sample.whet("list", "--json").json[0]["proposal"]
    assert sample.whet("approve", proposal, "--yes", "--json").code == 0
    from whet.app.project import open_project

    entries = open_project(sample.root).ledger.entries()
    phases = list(dict.fromkeys(entry.phase for entry in entries))
    # the plan gate comes before the proof, so `approve` is first seen before `validate`
    assert [phase for phase in phases if phase != "approve"] == [phase for phase in cycle.ORDER if phase != "approve"]
    assert "approve" in phases


def test_the_cycle_fits_120_lines() -> None:
    assert len((SOURCE / "cycle.py").read_text().splitlines()) <= 120


def test_no_public_class_name_is_used_twice() -> None:
    """Check every module, with engines and the scripts in target/inside, and also classes within functions."""
    names: Counter[str] = Counter()
    for path in SOURCE.rglob("*.py"):
        names.update(node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef))
    twice = {name for name, count in names.items() if count > 1 and not name.startswith("_")}
    assert twice == set()


def test_import_contracts_hold() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    process = subprocess.run([linter, "--no-cache"], cwd=SOURCE.parents[1], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout[-2000:]


def test_importing_whet_pulls_in_no_heavy_library() -> None:
    code = (
        "import sys, whet; print([m for m in ('dbos', 'sqlalchemy', 'pydantic', 'typer', 'rich') if m in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"


def test_help_loads_neither_database_nor_durable_engine() -> None:
    code = (
        "import sys; sys.argv = ['whet', '--help']\n"
        "from whet.cli.main import _run; _run()\n"
        "print([m for m in ('dbos', 'sqlalchemy', 'pydantic', 'rich.table') if m in sys.modules], file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stderr.strip() == "[]"
