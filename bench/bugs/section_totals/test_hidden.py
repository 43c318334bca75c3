from section_totals import largest_section, section_totals


def test_largest_comes_first():
    assert largest_section("[a]\n50\n\n[b]\n9\n\n[c]\n10") == "a"


def test_empty_section_in_the_middle():
    assert section_totals("[a]\n1\n\n[b]\n\n[c]\n3") == {"a": 1, "b": 0, "c": 3}


def test_negative_numbers():
    assert section_totals("[a]\n5\n-3\n\n[b]\n-1") == {"a": 2, "b": -1}


def test_many_numbers():
    assert section_totals("[a]\n" + "2\n" * 10) == {"a": 20}
