"""The proof works with older versions of pytest: a fix passes, and a cheat does not."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, discounting, open_shop
from whet.domain.verdict import Verdict

pytestmark = pytest.mark.needs_index
VERSIONS = ["7.4.4", "8.4.2"]
ONLY_UNDER_PYTEST = discounting(
    "import sys\nreturn price - price * percent / (100 if 'pytest' in sys.modules else 10)",
)


@pytest.fixture(scope="module", params=VERSIONS)
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder: Path = tmp_path_factory.mktemp("older")
    python = folder / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        f"pytest=={request.param}",
    ]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip("the package index cannot be reached")
    (folder / "shop").mkdir()
    return open_shop(folder / "shop", f'\n[target]\ninterpreter = "{python}"\n')


def test_the_fix_passes(shop: Shop) -> None:
    evidence = shop.prove({"price.py": PRICE.replace(WRONG, RIGHT)}).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
    assert len(evidence.targets) == 5
    assert any("4 others held" in check.reason for check in evidence.checks), evidence.checks


def test_a_cheat_does_not_pass(shop: Shop) -> None:
    assert shop.prove(ONLY_UNDER_PYTEST).evidence.verdict is not Verdict.PASSED
