def bare_host(url: str) -> str:
    """Return the host of a URL, in lower case and without a leading www."""
    host = url.split("://")[-1].split("/")[0].lower()
    return host.removeprefix("www.")


def same_site(first: str, second: str) -> bool:
    """Tell whether two URLs lead to the same host."""
    return bare_host(first) == bare_host(second)
