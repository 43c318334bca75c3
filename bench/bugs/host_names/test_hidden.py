from host_names import bare_host, same_site


def test_w_without_www():
    assert bare_host("https://wiki.test") == "wiki.test"


def test_many_w():
    assert bare_host("www.www.test") == "www.test"


def test_wwf():
    assert bare_host("https://wwf.test/") == "wwf.test"


def test_different_sites():
    assert not same_site("https://web.test", "https://eb.test")
