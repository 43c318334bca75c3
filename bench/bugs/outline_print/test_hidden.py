from outline_print import outline, outline_text


def test_no_indent():
    assert outline_text(("r", [("a", [("b", [])])]), "") == "r\na\nb"


def test_tabs():
    assert outline(("r", [("a", [("b", [("c", [])])])]), "\t") == ["r", "\ta", "\t\tb", "\t\t\tc"]


def test_start_depth():
    assert outline(("r", [("a", [])]), "..", 1) == ["..r", "....a"]


def test_default_deep():
    assert outline(("r", [("a", [("b", [])])]))[-1] == "    b"
