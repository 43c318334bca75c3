from caseless_map import CaselessMap


def make():
    headers = CaselessMap()
    headers["Content-Type"] = "text"
    return headers


def test_read_with_other_case():
    assert make()["content-TYPE"] == "text"


def test_contains_with_other_case():
    assert "CONTENT-TYPE" in make()


def test_same_key_twice():
    headers = make()
    headers["content-type"] = "json"
    assert len(headers) == 1


def test_unknown():
    assert "accept" not in make()
