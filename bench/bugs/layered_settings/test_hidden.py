from layered_settings import load_settings, merge_settings


def test_three_layers():
    merged = load_settings({"x": {"v": 1}}, {"x": {"v": 2}}, {"x": {"v": 3, "w": 0}})
    assert merged == {"x": {"v": 3, "w": 0}}


def test_deep_sections():
    assert merge_settings({"a": {"b": {"c": 1, "d": 1}}}, {"a": {"b": {"c": 2}}}) == {
        "a": {"b": {"c": 2, "d": 1}}}


def test_section_replaced_by_value():
    assert merge_settings({"a": {"b": 1}}, {"a": None}) == {"a": None}


def test_input_is_untouched():
    base = {"a": {"b": 1}}
    merge_settings(base, {"a": {"b": 2}})
    assert base == {"a": {"b": 1}}
