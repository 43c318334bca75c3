import functools


def counted(func):
    """Wrap a function so that its calls are counted in wrapper.calls."""
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return func(*args)
    wrapper.calls = 0
    return wrapper


@counted
def greet(name, greeting="Hello"):
    """Return a greeting."""
    return f"{greeting}, {name}!"
