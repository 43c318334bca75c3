from layered_settings import load_settings


def test_flat():
    assert load_settings({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}


def test_section_is_overridden():
    merged = load_settings({"db": {"host": "local", "port": 1}}, {"db": {"port": 9}})
    assert merged == {"db": {"host": "local", "port": 9}}


def test_no_layers():
    assert load_settings({"a": 1}) == {"a": 1}
