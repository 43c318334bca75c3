from colour_mix import brighten, clamp, to_hex


def test_darken_to_black():
    assert brighten((5, 0, 200), -10) == (0, 0, 190)


def test_all_white():
    assert to_hex(brighten((200, 200, 200), 100)) == "#ffffff"


def test_clamp_in_range():
    assert clamp(3, 1, 5) == 3
    assert clamp(-3, 1, 5) == 1


def test_exact_limit():
    assert brighten((155, 154, 156), 100) == (255, 254, 255)
