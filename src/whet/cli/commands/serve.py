"""`whet serve`: the web server of a repository."""

from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen at.")] = 8787,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A host name of this server, if other machines reach it.")
    ] = None,
    certificate: Annotated[str, typer.Option("--certificate", metavar="FILE", help="The TLS certificate.")] = "",
    private_key: Annotated[str, typer.Option("--private-key", metavar="FILE", help="The key of the certificate.")] = "",
) -> int:
    """Serve the pages, REST and MCP of this repository.

    Prints a link that signs one browser in, once. Programs sign in with tokens: `whet tokens create`. Neither can approve.
    """
    from whet.cli.commands.shared import open_project_here, repository_of
    from whet.cli.output import say
    from whet.errors import EnvironmentProblem

    try:
        from whet.web import server
        from whet.web.settings import WebSettings, refuse_public
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem(
            f"the web server needs a package that is not installed: {missing.name}", "pip install 'whet[web]'"
        ) from missing
    repository = repository_of(open_project_here(as_json=True))
    settings = WebSettings(
        host=host, port=port, names=tuple(name or ()), certificate=certificate, private_key=private_key
    )
    refuse_public(settings, enrolled=len(repository.approvers().keys))
    app = server.create_app(repository, settings=settings)

    def ready() -> None:
        link = server.entry_link(app)
        say(f"whet serves {repository.project.git.root.name} at {settings.url}", f"sign in once with {link}")
        if not no_open:
            typer.launch(link)

    server.serve(app, host, port, ready=ready)
    return 0
