from recent_cache import RecentCache


def test_get_missing():
    assert RecentCache(2).get("x", 7) == 7


def test_oldest_is_dropped():
    cache = RecentCache(2)
    for key in "abc":
        cache.put(key, key.upper())
    assert cache.keys() == ["b", "c"]


def test_used_value_is_kept():
    cache = RecentCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.get("a") == 1
    assert cache.get("b") is None
