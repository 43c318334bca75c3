from section_totals import largest_section, section_totals


def test_one_section():
    assert section_totals("[food]\n12\n3\n") == {"food": 15}


def test_two_sections():
    assert section_totals("[food]\n12\n\n[rent]\n500\n20") == {"food": 12, "rent": 520}


def test_empty_section():
    assert section_totals("[none]") == {"none": 0}


def test_largest():
    assert largest_section("[a]\n1\n\n[b]\n9") == "b"
