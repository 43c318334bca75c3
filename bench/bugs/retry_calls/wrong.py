class TransientError(Exception):
    """A failure that may go away when tried again."""


def call_with_retry(func, attempts=3):
    """Call func until it succeeds; only transient failures are tried again."""
    if attempts < 1:
        raise ValueError("at least one attempt is needed")
    for attempt in range(1, attempts + 1):
        try:
            return func()
        except Exception:
            if attempt == attempts:
                raise
