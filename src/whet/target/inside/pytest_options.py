"""Options that keep well-known pytest plug-ins from interfering, chosen so that the project's own options stay valid.

Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import importlib.util
import os
import re
import sys

CONFIG_FILES = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg")
CACHE_OPTIONS = re.compile(r"--(?:lf|ff|nf|sw|last-failed|failed-first|new-first|stepwise|cache-)")


def one_process(arguments):
    """Return options that stop xdist from starting processes and pytest-cov from measuring.

    A plug-in that the project switches off (`-p no:xdist`) does not know its own options; it gets none.
    """
    text = project_options(arguments)
    options = []
    for module, plugin, option in (("xdist", "xdist", "-n0"), ("pytest_cov", "pytest_cov", "--no-cov")):
        if importlib.util.find_spec(module) is not None and f"no:{plugin}" not in text:
            options.append(option)
    return options


def without_cache(arguments, folder):
    """Return options that keep pytest's cache out of the project.

    If the project uses an option of the cache plug-in (`--ff`), the plug-in must stay; its folder is moved.
    """
    if CACHE_OPTIONS.search(project_options(arguments)):
        return ["-o", "cache_dir=" + os.path.join(folder, "pytest_cache")]
    return ["-p", "no:cacheprovider"]


def package_plugins():
    """Return the plug-in that runs the suite of one package of a repository as `cd FOLDER && python -m pytest` would; none
    for the suite of a whole repository.

    Test ids stay relative to the repository's top folder, because `--rootdir` names it. The variable WHET_PACKAGE names the
    package's folder. Call it only after pytest was imported, so that no module of the project replaces it.
    """
    folder = os.environ.get("WHET_PACKAGE")
    if not folder:
        return []
    pytest = sys.modules["pytest"]

    class Package:
        @pytest.hookimpl(tryfirst=True)
        def pytest_load_initial_conftests(self):
            """Enter the package's folder, and put it on the path in the place of the top folder."""
            top = os.getcwd()
            place = os.path.join(top, folder)
            if os.path.isdir(place):
                sys.path[:] = [place if entry == top else entry for entry in sys.path]
                os.chdir(place)

    return [Package()]


def project_options(arguments):
    """Return all texts that may hold options: the arguments, the environment and the configuration files."""
    texts = [*arguments, os.environ.get("PYTEST_ADDOPTS", "")]
    folders = dict.fromkeys(["", os.environ.get("WHET_PACKAGE", "")])
    for name in [os.path.join(folder, name) for folder in folders for name in CONFIG_FILES]:
        try:
            with open(name, encoding="utf-8", errors="replace") as file:
                texts.append(file.read())
        except OSError:
            continue
    return "\n".join(texts)
