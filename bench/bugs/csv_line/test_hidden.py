from csv_line import csv_row, quote_cell


def test_float_and_bool():
    assert csv_row([1.5, True, 0]) == "1.5,True,0"


def test_quotes():
    assert quote_cell('say "hi"') == '"say ""hi"""'


def test_tuple_needs_quotes():
    assert quote_cell((1, 2)) == '"(1, 2)"'


def test_number_alone():
    assert quote_cell(7) == "7"


def test_empty_text():
    assert csv_row(["", None, ""]) == ",,"
