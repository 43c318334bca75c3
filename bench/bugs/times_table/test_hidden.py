from times_table import times_table


def test_three():
    assert times_table(3) == [[1, 2, 3], [2, 4, 6], [3, 6, 9]]


def test_number_of_rows():
    assert len(times_table(12)) == 12


def test_rows_are_separate():
    rows = times_table(2)
    rows[0][0] = 99
    assert rows[1] == [2, 4]


def test_last_cell():
    assert times_table(9)[8][8] == 81
