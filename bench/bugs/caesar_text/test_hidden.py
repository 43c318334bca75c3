from caesar_text import decrypt, encrypt


def test_round_trip():
    text = "The Quick Brown Fox Jumps Over The Lazy Dog"
    assert all(decrypt(encrypt(text, n), n) == text for n in range(30))


def test_full_turn():
    assert encrypt("AZaz", 26) == "AZaz"


def test_half_turn_twice():
    assert encrypt(encrypt("Zebra", 13), 13) == "Zebra"


def test_to_z():
    assert encrypt("yY", 1) == "zZ"
