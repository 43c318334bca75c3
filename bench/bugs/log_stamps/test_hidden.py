from datetime import datetime

import pytest

from log_stamps import parse_line, seconds_between


def test_midnight():
    assert parse_line("2024-01-01 00:00:01 | X | y")[0] == datetime(2024, 1, 1, 0, 0, 1)


def test_noon():
    assert parse_line("2024-01-01 12:30:00 | X | y")[0].hour == 12


def test_over_midnight():
    assert seconds_between("2024-01-31 23:59:59 | a | b", "2024-02-01 00:00:00 | a | b") == 1


def test_bad_hour():
    with pytest.raises(ValueError):
        parse_line("2024-01-01 24:00:00 | a | b")
