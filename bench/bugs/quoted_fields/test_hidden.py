from quoted_fields import split_fields


def test_empty_fields():
    assert split_fields(",,x,") == ["", "", "x", ""]


def test_other_separator():
    assert split_fields("a,b;c", ";") == ["a,b", "c"]


def test_empty_line():
    assert split_fields("") == [""]


def test_quotes_within():
    assert split_fields('"a"b,"",c') == ["ab", "", "c"]
