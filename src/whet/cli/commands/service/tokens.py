"""`tokens`: the tokens of programs that use the web server."""

from typing import Annotated

import typer

from whet.cli.commands.shared import Json, open_project_here

EXAMPLES = {
    "create": "whet tokens create ci --scope prove --days 30",
    "list": "whet tokens list",
    "revoke": "whet tokens revoke ci",
}
group = typer.Typer(
    name="tokens",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make and revoke tokens for programs. None of them can approve.",
    epilog=f"Example: {EXAMPLES['create']}",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the token, such as ci.")]


def create(
    name: Name,
    scope: Annotated[list[str] | None, typer.Option("--scope", help="read, suggest or prove; may be repeated.")] = None,
    days: Annotated[int | None, typer.Option("--days", min=1, max=3650, help="Days until it expires.")] = None,
    as_json: Json = False,
) -> int:
    """Make a token and print its secret, once.

    Without --scope it can only read. The secret is stored as a digest, so it cannot be shown again.
    """
    from whet.app.tokens import create_token, describe_token, parse_scopes
    from whet.cli.output import note

    project = open_project_here(as_json=True)
    token, secret = create_token(project.state, name, parse_scopes(scope or ()), days)
    if as_json:
        import json
        import sys

        from whet.domain.canonical import to_plain

        # Not through `emit`, which redacts secrets: this one is shown on purpose.
        sys.stdout.write(json.dumps(to_plain({**describe_token(token), "secret": secret})) + "\n")
        return 0
    note(f"{name} may {', '.join(sorted(token.scopes))}; its secret is shown only now")
    typer.echo(secret)
    return 0


def list_tokens(as_json: Json = False) -> int:
    """List the tokens, without their secrets."""
    from whet.app import tokens
    from whet.cli.output import emit, say

    described = [tokens.describe_token(token) for token in tokens.list_tokens(open_project_here(as_json=True).state)]
    if as_json:
        emit(described)
    elif not described:
        say("there are no tokens: `whet tokens create NAME` makes one")
    else:
        say(*(_line(token) for token in described))
    return 0


def revoke(name: Name, as_json: Json = False) -> int:
    """Revoke a token; a running server refuses it at once."""
    from whet.app.tokens import revoke_token
    from whet.cli.output import emit, say

    revoke_token(open_project_here(as_json=True).state, name)
    emit({"revoked": name}) if as_json else say(f"{name} is revoked")
    return 0


def _line(token: dict[str, object]) -> str:
    expires = token["expires_at"]
    end = f"expires {expires:%Y-%m-%d}" if expires and token["valid"] else "expired" if expires else "does not expire"
    return f"{token['name']:<20} {', '.join(token['scopes']):<24} {end}"  # type: ignore[arg-type]


group.command(name="create", epilog=f"Example: {EXAMPLES['create']}")(create)
group.command(name="list", epilog=f"Example: {EXAMPLES['list']}")(list_tokens)
group.command(name="revoke", epilog=f"Example: {EXAMPLES['revoke']}")(revoke)
