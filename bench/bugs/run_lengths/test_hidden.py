from run_lengths import decode_runs, encode_runs


def test_words():
    words = "red red blue red".split()
    assert encode_runs(words) == [("red", 2), ("blue", 1), ("red", 1)]


def test_floats():
    values = [float(x) for x in ("0.5", "0.5", "0.25")]
    assert encode_runs(values) == [(0.5, 2), (0.25, 1)]


def test_tuples():
    points = [tuple([i // 2, 0]) for i in range(4)]
    assert encode_runs(points) == [((0, 0), 2), ((1, 0), 2)]


def test_decode():
    assert decode_runs([("x", 2), ("y", 0)]) == ["x", "x"]
