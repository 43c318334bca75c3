from datetime import datetime

import pytest

from log_stamps import parse_line, seconds_between


MORNING = "2024-03-05 08:15:00 | INFO  | started"
EVENING = "2024-03-05 20:15:30 | ERROR | disk | full"


def test_morning():
    assert parse_line(MORNING) == (datetime(2024, 3, 5, 8, 15), "INFO", "started")


def test_evening():
    assert parse_line(EVENING) == (datetime(2024, 3, 5, 20, 15, 30), "ERROR", "disk | full")


def test_difference():
    assert seconds_between(MORNING, EVENING) == 12 * 3600 + 30


def test_not_a_log_line():
    with pytest.raises(ValueError):
        parse_line("hello")
