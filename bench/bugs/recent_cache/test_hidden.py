from recent_cache import RecentCache


def test_order_after_get():
    cache = RecentCache(3)
    for key in "abc":
        cache.put(key, 0)
    cache.get("b")
    assert cache.keys() == ["a", "c", "b"]


def test_order_after_second_put():
    cache = RecentCache(3)
    for key in "aba":
        cache.put(key, 0)
    assert cache.keys() == ["b", "a"]


def test_missing_key_does_not_matter():
    cache = RecentCache(1)
    cache.put("a", 1)
    assert cache.get("zzz") is None
    assert cache.keys() == ["a"]


def test_several_gets():
    cache = RecentCache(3)
    for key in "abc":
        cache.put(key, key)
    cache.get("a")
    cache.get("b")
    cache.put("d", "d")
    assert cache.keys() == ["a", "b", "d"]
