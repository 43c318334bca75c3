def parse_query(query):
    """Turn 'a=1&b=x' into a dict; whole numbers become ints."""
    options = {}
    for pair in query.split("&"):
        if not pair:
            continue
        key, _, value = pair.partition("=")
        options[key] = value
    return options


def page_range(query, size=10):
    """Return the (first, last) item numbers of the page asked for."""
    page = parse_query(query).get("page", 1)
    return (page - 1) * size + 1, page * size
