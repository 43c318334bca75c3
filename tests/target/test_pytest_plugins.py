import pytest

from whet.target.pytest_plugins import missing_plugins

ERROR = "__main__.py: error: unrecognized arguments: "


@pytest.mark.parametrize(
    ("options", "packages"),
    [
        ("--disable-socket", ["pytest-socket"]),
        ("--cov=shop --cov-report=term", ["pytest-cov"]),
        ("-n 4", ["pytest-xdist"]),
        ("-nauto", ["pytest-xdist"]),
        ("--dist loadscope", ["pytest-xdist"]),
        ("--timeout=30", ["pytest-timeout"]),
        ("--asyncio-mode=auto", ["pytest-asyncio"]),
        ("--randomly-seed=1", ["pytest-randomly"]),
        ("--random-order", ["pytest-random-order"]),
        ("--ds=settings --cov", ["pytest-cov", "pytest-django"]),
        ("--our-own-option", []),
        ("--covered", []),
        ("x--cov", []),
    ],
)
def test_the_plugin_of_an_unknown_option_is_named(options: str, packages: list[str]) -> None:
    assert missing_plugins(ERROR + options) == packages


def test_an_option_outside_a_usage_error_names_no_plugin() -> None:
    assert missing_plugins("AssertionError: --cov") == []
