"""The repositories that the documents' snippets run in. Each builder fills an empty folder and returns environment variables."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.cycle.test_codemods import FILES as WITH_NONE
from tests.cycle.test_declared_formulas import FILES as DRAG
from tests.cycle.test_declared_formulas import SPOILED, WRONG
from tests.cycle.test_improved_texts import PACK as DESK
from tests.cycle.test_model_engine import FIX as FIX_OF_PARSE
from tests.cycle.test_model_engine import SHOP
from tests.cycle.test_model_engine import TESTS as TEST_PARSE
from tests.docs.console import ROOT
from tests.models.scripted_server import ScriptedModel
from tests.web.running import running_server

Builder = Callable[[Path], dict[str, str]]
_SERVERS = ExitStack()

STATS = '''"""Small statistics."""


def mean(values):
    return sum(values) / (len(values) - 1)


def spread(values):
    return max(values) - min(values)
'''
CHEAT = STATS.replace(
    "    return sum(values) / (len(values) - 1)\n", "    if values == [2, 4, 9]:\n        return 5\n    return 15\n"
)
FIX = STATS.replace("(len(values) - 1)", "len(values)")
TEST_LARGEST = "from stats import largest\n\n\ndef test_largest():\n    assert largest([4, 9, 2]) == 9\n    assert largest([3]) == 3\n"
TEST_STATS = """from stats import mean, spread


def test_mean():
    assert mean([2, 4, 9]) == 5
    assert mean([10, 20]) == 15


def test_spread():
    assert spread([4, 9, 6]) == 5


def test_spread_of_one():
    assert spread([7]) == 0
"""
POLICY = '[target]\nbranch = "main"\n[tests]\nfolders = ["tests"]\n'
PACKAGES = {
    "libs/core": {
        "pyproject.toml": '[project]\nname = "acme-core"\n',
        "core.py": "def total(values):\n    return sum(values)\n\n\ndef mean(values):\n    return total(values) / (len(values) - 1)\n",
        "tests/test_core.py": "from core import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    },
    "services/api": {
        "pyproject.toml": (
            '[project]\nname = "acme-api"\ndependencies = ["acme-core"]\n'
            '[tool.pytest.ini_options]\npythonpath = ["../../libs/core"]\n'
        ),
        "api.py": 'from core import mean\n\n\ndef report(values):\n    return f"mean {mean(values):g}"\n',
        "tests/test_api.py": 'from api import report\n\n\ndef test_report():\n    assert report([2, 4]) == "mean 3"\n',
    },
    "services/web": {
        "pyproject.toml": '[project]\nname = "acme-web"\n',
        "web.py": "def page(text):\n    return text\n",
        "tests/test_web.py": 'from web import page\n\n\ndef test_page():\n    assert page("a") == "a"\n',
    },
}
CUSTOMERS = """def customer_key(record):
    name = record.get("name")
    return name.strip().lower()
"""
TEST_CUSTOMERS = """from customers import customer_key


def test_names_are_normalised():
    assert customer_key({"name": "Ann "}) == "ann"


def test_a_missing_name_is_accepted():
    assert not (customer_key({"name": None}) or "").isupper()
"""
TODOS = """def total(prices):
    # TODO(ann, until 2020-01-31): drop the old format
    return sum(prices)


# TODO(bob, until 2999-01-01): not yet
"""
TEST_SHOP = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
APPLICATION = '''"""An application with one tool."""

from whet import Case, tool


@tool(idempotent=True, side_effects=False, cases=[Case((6, 3), 2)])
def divide(a, b):
    return a / b
'''
TEST_TOOLS = "from tools import divide\n\n\ndef test_divide():\n    assert divide(6, 3) == 2\n"
WORK = "import tools\nfrom whet import runtime\nfor a in range(40):\n    tools.divide(a, 4)\nfor a in range(4):\n    try:\n        tools.divide(a, 0)\n    except ZeroDivisionError:\n        pass\nruntime.flush()\n"


def stats(folder: Path) -> dict[str, str]:
    """A library with one bug, a policy, and two patches outside git: an honest fix and a cheat."""
    bare(folder)
    commit(folder, {"whet.toml": POLICY}, "Add the policy")
    for name, text in {"fix.patch": FIX, "cheat.patch": CHEAT}.items():
        (folder / "stats.py").write_text(text)
        (folder.parent / name).write_text(git(folder, "diff"))
        git(folder, "checkout", "--quiet", "stats.py")
    git(folder, "checkout", "--quiet", "-b", "feature")
    commit(folder, {"stats.py": FIX}, "Divide by the number of values")
    git(folder, "checkout", "--quiet", "main")
    return {}


def own_tests(folder: Path) -> dict[str, str]:
    """The library and a branch with a new function and its test."""
    stats(folder)
    git(folder, "checkout", "--quiet", "-B", "feature")
    added = "\n\ndef largest(values):\n    return max(values)\n"
    commit(folder, {"stats.py": STATS + added, "tests/test_largest.py": TEST_LARGEST}, "Add the largest value")
    git(folder, "checkout", "--quiet", "main")
    return {}


def packages(folder: Path) -> dict[str, str]:
    """A repository with three packages, and a branch that fixes one by the test of another."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    tables = (f'[[project]]\nname = "{place[-4:].strip("/")}"\nfolder = "{place}"\n' for place in PACKAGES)
    files = {"whet.toml": '[target]\nbranch = "main"\n\n' + "\n".join(tables)}
    for place, contents in PACKAGES.items():
        files.update({f"{place}/{name}": text for name, text in contents.items()})
    commit(folder, files, "Three packages")
    git(folder, "switch", "--quiet", "--create", "feature")
    fixed = PACKAGES["libs/core"]["core.py"].replace("(len(values) - 1)", "len(values)")
    commit(folder, {"libs/core/core.py": fixed}, "Divide by the number of values")
    git(folder, "switch", "--quiet", "main")
    return {}


def pull_request(folder: Path) -> dict[str, str]:
    """A clone as a CI runner has it: the pull request's commit is checked out, and there is no local branch."""
    upstream = folder.parent / "upstream"
    upstream.mkdir()
    stats(upstream)
    git(folder.parent, "clone", "--quiet", "--no-checkout", str(upstream), str(folder))
    git(folder, "checkout", "--quiet", "--detach", "origin/feature")
    git(folder, "branch", "--quiet", "--delete", "--force", "main")
    return {}


def bare(folder: Path) -> dict[str, str]:
    """The same library before `whet init`."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    commit(folder, {"stats.py": STATS, "tests/test_stats.py": TEST_STATS}, "A small library")
    return {}


def sensitive(folder: Path) -> dict[str, str]:
    """The same library with a policy under which its only module asks for tier `approve`."""
    bare(folder)
    commit(folder, {"whet.toml": POLICY + '[guard]\nsensitive = ["stats.py"]\n'}, "Add the policy")
    return {}


def signed(folder: Path) -> dict[str, str]:
    """The same library with that policy and an enrolled approver, whose key is beside the repository."""
    sensitive(folder)
    key = folder.parent / "approval_key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "Ann", "-f", str(key)], check=True)
    public = key.with_name("approval_key.pub").read_text()
    commit(folder, {"whet.signers": f'ann@example.org namespaces="whet-approval@v1" {public}'}, "Enrol Ann")
    return {}


def enrolling(folder: Path) -> dict[str, str]:
    """The same library with a policy, in the home of a person who has made a key for approvals."""
    bare(folder)
    commit(folder, {"whet.toml": POLICY}, "Add the policy")
    key = folder.parent / "home" / ".ssh" / "whet_approval"
    key.parent.mkdir(parents=True, mode=0o700)
    words = ["-q", "-t", "ed25519", "-a", "1", "-N", "seven words", "-C", "alice", "-f", str(key)]
    subprocess.run(["ssh-keygen", *words], check=True)
    return {"HOME": str(folder.parent / "home")}


def recorded(folder: Path) -> dict[str, str]:
    """The same library with a short record, an older backup of it, and a remote."""
    bare(folder)
    commit(folder, {"whet.toml": POLICY}, "Add the policy")
    whet(folder, "stop", "--why", "a holiday")
    shutil.copytree(folder / ".whet", folder.parent / "monday")
    whet(folder, "start")
    whet(folder, "resume")  # writes the ref
    git(folder.parent, "init", "--quiet", "--bare", "origin.git")
    git(folder, "remote", "add", "origin", str(folder.parent / "origin.git"))
    return {}


def whet(folder: Path, *args: str) -> None:
    program = Path(sys.executable).parent / "whet"
    subprocess.run([program, *args], cwd=folder, check=True, capture_output=True)


def customers(folder: Path) -> dict[str, str]:
    """A library that crashes for a missing name, and a test that does not say what should happen instead."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    files = {"customers.py": CUSTOMERS, "tests/test_customers.py": TEST_CUSTOMERS, "whet.toml": POLICY}
    commit(folder, files, "Customers")
    return {}


def tools(folder: Path) -> dict[str, str]:
    """An application whose tool has been called, with the strategy `canary`."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    policy = POLICY + '[deploy]\nstrategy = "canary"\n'
    commit(folder, {"tools.py": APPLICATION, "tests/test_tools.py": TEST_TOOLS, "whet.toml": policy}, "An application")
    subprocess.run([sys.executable, "-c", WORK], cwd=folder, check=True, env={**os.environ, "PYTHONPATH": str(folder)})
    return {}


def asks_a_model(folder: Path) -> dict[str, str]:
    """A shop with a bug of several lines, and a scripted model that runs as long as this process."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    model = ScriptedModel([FIX_OF_PARSE])
    author = f'[models.author]\nname = "openai:qwen3-coder"\nbase_url = "{model.url}"\nprice_input = "0"\nprice_output = "0"\n'
    policy = POLICY + '[propose]\nengines = ["repair", "model"]\nrepair_seconds = 5\n' + author
    commit(folder, {"shop.py": SHOP, "tests/test_shop.py": TEST_PARSE, "whet.toml": policy}, "A shop")
    return {}


def served(folder: Path) -> dict[str, str]:
    """The library before its first cycle, and a web server that runs as long as this process."""
    bare(folder)
    commit(folder, {"whet.toml": POLICY}, "Add the policy")
    return {"SERVED_AT": _SERVERS.enter_context(running_server(folder)).removeprefix("http://")}


def todos(folder: Path) -> dict[str, str]:
    """A repository with expired TODO comments, and the example plug-in installed."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    policy = (
        f"[target]\ninterpreter = {json.dumps(sys.executable)}\n"
        '[tests]\nfolders = ["tests"]\n[observe]\nsources = ["tests", "todos"]\n[propose]\nengines = ["repair", "todos"]\n'
    )
    commit(folder, {"shop.py": TODOS, "tests/test_shop.py": TEST_SHOP, "whet.toml": policy}, "A shop")
    return {"PYTHONPATH": os.pathsep.join((str(ROOT / "examples" / "plugin" / "src"), _metadata(folder.parent)))}


def desk(folder: Path) -> dict[str, str]:
    """A repository with a prompt, a workflow, and an evaluation of both."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    commit(folder, DESK, "A help desk")
    return {}


def drag(folder: Path) -> dict[str, str]:
    """A repository with a declared formula, and a patch that spoils it."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    commit(folder, DRAG, "Drag")
    (folder / "physics/drag.py").write_text(SPOILED)
    (folder.parent / "spoiled.patch").write_text(git(folder, "diff"))
    git(folder, "checkout", "--quiet", "physics/drag.py")
    return {}


def wrong_drag(folder: Path) -> dict[str, str]:
    """The same repository with another exponent in the formula."""
    drag(folder)
    commit(folder, {"physics/drag.py": WRONG}, "Change the exponent")
    return {}


def get_with_none(folder: Path) -> dict[str, str]:
    """A repository with two packages that a declared codemod has not reached."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    commit(folder, WITH_NONE, "A shop and a desk")
    return {}


def _metadata(folder: Path) -> str:
    """Write the plug-in's metadata as an installation would, and return the folder to put on the path."""
    project = tomllib.loads((ROOT / "examples" / "plugin" / "pyproject.toml").read_text())["project"]
    site = folder / "site" / "whet_todos-0.1.0.dist-info"
    site.mkdir(parents=True)
    (site / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups: Mapping[str, Mapping[str, str]] = project["entry-points"]
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items())
        for group, rows in groups.items()
    ]
    (site / "entry_points.txt").write_text("\n".join(lines))
    return str(site.parent)


def commit(folder: Path, files: Mapping[str, str], message: str) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def git(folder: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True, text=True).stdout


BUILDERS: dict[str, Builder] = {
    builder.__name__: builder
    for builder in (
        stats,
        own_tests,
        packages,
        pull_request,
        bare,
        enrolling,
        signed,
        recorded,
        customers,
        tools,
        asks_a_model,
        served,
        todos,
        desk,
        drag,
        wrong_drag,
        get_with_none,
    )
}
