from call_counter import counted, greet


def test_keyword_only():
    @counted
    def area(*, width, height):
        return width * height
    assert area(width=2, height=5) == 10
    assert area.calls == 1


def test_any_keywords():
    @counted
    def collect(*args, **kwargs):
        return args, kwargs
    assert collect(1, 2, a=3) == ((1, 2), {"a": 3})


def test_name_as_keyword():
    assert greet(name="Zoe") == "Hello, Zoe!"


def test_starts_at_zero():
    assert counted(len).calls == 0
