from run_lengths import decode_runs, encode_runs


def test_letters():
    assert encode_runs("aaab") == [("a", 3), ("b", 1)]


def test_empty():
    assert encode_runs([]) == []


def test_numbers_read_from_text():
    readings = [int(part) for part in "1500 1500 1500 20".split()]
    assert encode_runs(readings) == [(1500, 3), (20, 1)]


def test_round_trip():
    data = [1, 1, 2, 2, 2]
    assert decode_runs(encode_runs(data)) == data
