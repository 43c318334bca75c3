"""`whet mcp`: the MCP server on standard input and output."""

from pathlib import Path


def mcp() -> int:
    """Serve agents over MCP: read, suggest, prove; never approve.

    Speaks the Model Context Protocol on standard input and output, for the repository around the current folder. An agent
    starts it by itself: docs/how-to/mcp.md has the settings.
    """
    from whet.app.project import open_project
    from whet.errors import EnvironmentProblem

    open_project()  # refuse here, in words, what every call would refuse
    try:
        from whet.mcp.server import make_server
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem(
            f"the MCP server needs a package that is not installed: {missing.name}", "pip install 'whet[mcp]'"
        ) from missing
    make_server(Path.cwd()).run("stdio")
    return 0
