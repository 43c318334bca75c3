"""The shop that the patches are for, opened once per test file."""

from pathlib import Path

import pytest

from tests.integrity.shop import Shop, open_shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder: Path = tmp_path_factory.mktemp("integrity") / "shop"
    folder.mkdir()
    return open_shop(folder)
