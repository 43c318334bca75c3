"""Which files belong to the tests although their names do not say so."""

from collections.abc import Mapping

import pytest

from whet.phases.validate.test_files import belongs_to_tests, needs_sources

SPECS = {
    "calc.py": "def total(numbers): ...\n",
    "spec/spec_calc.py": "from calc import total\nfrom spec.helpers import close\nHERE / 'expected' / 'report.txt'\n",
    "spec/helpers.py": "def close(a, b): ...\n",
}
PACKAGE = {
    "src/acme/__init__.py": "",
    "src/acme/core.py": "import json\n",
    "src/acme/reading.py": "from .core import x\nopen(HERE / 'data' / name)\n",
    "checks/a/check_core.py": "from acme import core\nfrom ..shared import same\n'tea.json', 'golden.txt'\n",
    "checks/shared.py": "from acme.core import x\n",
}
BESIDE = {
    "acme/__init__.py": "",
    "acme/core.py": "",
    "acme/web/__init__.py": "",
    "acme/web/links.py": "from acme.core import x\n",
    "acme/web/test_links.py": "from acme.core import x\nfrom acme.web.links import y\n",
}
USED = {**SPECS, "calc.py": "from spec.helpers import close\n"}
AT_THE_TOP = {"prices.py": "", "test_prices.py": "from prices import discount\nread('wanted.txt')\n"}

FOR_TESTS = [
    (SPECS, "spec/helpers.py"),
    (SPECS, "spec/expected/report.txt"),
    (SPECS, "spec/new_helper.py"),
    (PACKAGE, "checks/shared.py"),
    (PACKAGE, "checks/a/deep/more.py"),
    (PACKAGE, "golden/golden.txt"),
    (AT_THE_TOP, "wanted.txt"),
]
CODE = [
    (SPECS, "calc.py"),
    (SPECS, "README.md"),
    (USED, "spec/helpers.py"),
    (PACKAGE, "src/acme/core.py"),
    (PACKAGE, "src/acme/data/tea.json"),
    (BESIDE, "acme/web/links.py"),
    (BESIDE, "acme/core.py"),
    ({**BESIDE, "acme/web/forms.py": "", "acme/web/test_pages.py": "import acme.core\n"}, "acme/web/forms.py"),
    (AT_THE_TOP, "prices.py"),
    (AT_THE_TOP, "other.txt"),
]


def for_tests(files: Mapping[str, str], path: str) -> bool:
    tests = {name for name in files if name.rpartition("/")[2].startswith(("test_", "spec_", "check_"))}
    return needs_sources(path, tests) and belongs_to_tests(path, files, tests, tests)


@pytest.mark.parametrize(("files", "path"), FOR_TESTS)
def test_a_file_that_only_tests_use_belongs_to_them(files: Mapping[str, str], path: str) -> None:
    assert for_tests(files, path)


@pytest.mark.parametrize(("files", "path"), CODE)
def test_a_file_that_is_tested_does_not_belong_to_the_tests(files: Mapping[str, str], path: str) -> None:
    assert not for_tests(files, path)


def test_code_outside_of_test_folders_is_known_by_its_path() -> None:
    assert not needs_sources("src/acme/core.py", {"tests/test_core.py"})
    assert not needs_sources("prices.py", {"test_prices.py"})
