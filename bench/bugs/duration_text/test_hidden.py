from duration_text import format_duration, split_seconds


def test_long():
    assert format_duration(86399) == "23h 59m 59s"


def test_exact_hour():
    assert format_duration(7200) == "2h 00m 00s"


def test_split_just_under_an_hour():
    assert split_seconds(3599) == (0, 59, 59)


def test_zero():
    assert split_seconds(0) == (0, 0, 0)
