from template_fill import fill_in, placeholders


def test_list_of_names():
    assert placeholders("{a}{b} {long name}") == ["a", "b", "long name"]


def test_same_name_twice():
    assert fill_in("{x}-{x}", {"x": "o"}) == "o-o"


def test_on_several_lines():
    assert fill_in("{a}\n{b} {c}", {"a": 1, "b": 2, "c": 3}) == "1\n2 3"


def test_one_known_one_unknown():
    assert fill_in("{a} {zz}", {"a": 5}) == "5 {zz}"
