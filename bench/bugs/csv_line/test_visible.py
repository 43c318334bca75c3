from csv_line import csv_row


def test_words():
    assert csv_row(["a", "b"]) == "a,b"


def test_comma():
    assert csv_row(["x,y", "z"]) == '"x,y",z'


def test_numbers():
    assert csv_row(["age", 41]) == "age,41"


def test_nothing():
    assert csv_row([None, "a"]) == ",a"
