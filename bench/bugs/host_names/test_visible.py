from host_names import bare_host, same_site


def test_plain_host():
    assert bare_host("https://example.org/a/b") == "example.org"


def test_www_is_dropped():
    assert bare_host("http://www.Example.org") == "example.org"


def test_host_that_begins_with_w():
    assert bare_host("https://www.weather.test/today") == "weather.test"


def test_same_site():
    assert same_site("http://www.example.org/x", "https://example.org")
