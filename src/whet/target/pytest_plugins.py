"""Name the pytest plug-in that defines an option which pytest does not know."""

import re

_UNKNOWN = "unrecognized arguments: "
# An entry ending in "*" stands for every option that begins so.
_OPTIONS = {
    "allure-pytest": "--alluredir --allure-*",
    "flaky": "--force-flaky --no-flaky-report --max-runs --min-passes",
    "hypothesis": "--hypothesis-*",
    "inline-snapshot": "--inline-snapshot*",
    "nbval": "--nbval*",
    "pytest-asyncio": "--asyncio-*",
    "pytest-base-url": "--base-url",
    "pytest-beartype": "--beartype-*",
    "pytest-benchmark": "--benchmark-*",
    "pytest-black": "--black",
    "pytest-codeblocks": "--codeblocks",
    "pytest-cov": "--cov --cov-* --no-cov --no-cov-on-fail",
    "pytest-django": "--ds --dc --reuse-db --create-db --nomigrations --no-migrations --migrations --fail-on-template-vars",
    "pytest-docker": "--docker-* --container-scope",
    "pytest-doctestplus": "--doctest-plus* --doctest-rst --doctest-ufunc --doctest-only --text-file-format",
    "pytest-env": "--envfile",
    "pytest-fail-slow": "--fail-slow*",
    "pytest-flake8": "--flake8",
    "pytest-flakes": "--flakes",
    "pytest-forked": "--forked --boxed",
    "pytest-html": "--html --self-contained-html",
    "pytest-instafail": "--instafail",
    "pytest-isort": "--isort",
    "pytest-json-report": "--json-report*",
    "pytest-markdown-docs": "--markdown-docs*",
    "pytest-memray": "--memray*",
    "pytest-mpl": "--mpl --mpl-*",
    "pytest-mypy": "--mypy --mypy-*",
    "pytest-mypy-plugins": "--mypy-ini-file --mypy-same-process --mypy-only-local-stub",
    "pytest-order": "--order-* --indulgent-ordering --sparse-ordering",
    "pytest-parallel": "--workers --tests-per-worker",
    "pytest-picked": "--picked",
    "pytest-playwright": "--browser --headed --tracing --slowmo",
    "pytest-profiling": "--profile --profile-svg",
    "pytest-pylint": "--pylint*",
    "pytest-randomly": "--randomly-*",
    "pytest-random-order": "--random-order*",
    "pytest-recording": "--record-mode --block-network --allowed-hosts --disable-recording",
    "pytest-remotedata": "--remote-data",
    "pytest-repeat": "--count --repeat-scope",
    "pytest-reportlog": "--report-log*",
    "pytest-rerunfailures": "--reruns* --only-rerun --rerun-except --fail-on-flaky",
    "pytest-retry": "--retries --retry-*",
    "pytest-ruff": "--ruff*",
    "pytest-run-parallel": "--parallel-threads --iterations --skip-thread-unsafe",
    "pytest-socket": "--disable-socket --force-enable-socket --allow-hosts --allow-unix-socket",
    "pytest-split": "--splits --group --splitting-algorithm --store-durations --durations-path",
    "pytest-sugar": "--force-sugar --old-summary",
    "pytest-testmon": "--testmon*",
    "pytest-timeout": "--timeout --timeout-method --timeout-func-only --session-timeout --timeout-disable-debugger-detection",
    "pytest-timer": "--timer-*",
    "pytest-vcr": "--vcr-record --vcr-record-mode --disable-vcr",
    "pytest-xdist": "-n -n* -f --looponfail --numprocesses --maxprocesses --dist --tx --px --rsyncdir --max-worker-restart"
    " --loadscope-reorder --no-loadscope-reorder --testrunuid",
    "pytest-xvfb": "--no-xvfb --xvfb-*",
    "syrupy": "--snapshot-*",
    "typeguard": "--typeguard-*",
}  # fmt: skip
_OPTION = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*")


def missing_plugins(error: str) -> list[str]:
    """Return the packages that define the options which `error`, a usage error of pytest, calls unrecognized."""
    _, found, rest = error.partition(_UNKNOWN)
    if not found:
        return []
    options = _OPTION.findall(rest)
    return [package for package, patterns in _OPTIONS.items() if any(_defines(patterns, name) for name in options)]


def _defines(patterns: str, option: str) -> bool:
    for pattern in patterns.split():
        if option == pattern or (pattern.endswith("*") and option.startswith(pattern[:-1])):
            return True
    return False
