from outline_print import outline, outline_text


TREE = ("book", [("one", [("a", [])]), ("two", [])])


def test_leaf():
    assert outline(("x", [])) == ["x"]


def test_tree():
    assert outline(TREE) == ["book", "  one", "    a", "  two"]


def test_other_indent():
    assert outline_text(TREE, indent="-") == "book\n-one\n--a\n-two"
