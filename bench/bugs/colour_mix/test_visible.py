from colour_mix import brighten, clamp, to_hex


def test_brighten_a_little():
    assert brighten((10, 20, 30), 5) == (15, 25, 35)


def test_brighten_to_white():
    assert brighten((250, 100, 255), 20) == (255, 120, 255)


def test_hex():
    assert to_hex((255, 0, 16)) == "#ff0010"


def test_clamp():
    assert clamp(7, 1, 5) == 5
