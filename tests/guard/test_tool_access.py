"""Calls that are allowed and refused; nothing in a call widens the rights of its caller."""

from typing import Any

import pytest

from whet.config import Config, ToolRule, parse
from whet.domain.call_policy import AccessRule, CallPolicy, CommandArgument
from whet.domain.tool import Caller, ToolCall, catches, is_glob, is_scope
from whet.domain.tool_name import is_name
from whet.errors import BadConfig
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.calls import judge_call

POLICY = parse(
    b"""
[[guard.tools]]
scope = "agent:reviewer"
allow = ["fs.read*", "git.*", "notes.**", "shell.run", "net.fetch"]
deny = ["fs.read_secret", "git.push", "notes.private.**"]

[[guard.tools]]
scope = "agent:writer"
deny = ["git.push"]

[[guard.tools]]
scope = "team:core"
allow = ["fs.**", "git.push", "db.*.read"]
deny = ["fs.write", "shell.**"]

[[guard.tools]]
scope = "model:claude-4.5"
allow = ["search.web", "fs.write", "shell.exec"]

[[guard.tools]]
scope = "provider:acme"
allow = ["**"]
deny = ["search.web", "pay.*"]

[[guard.tools]]
scope = "agent:reviewer"
deny = ["net.*"]

[[guard.shell_tools]]
tool = "shell.**"

[[guard.shell_tools]]
tool = "shell.exec"
argument = "script"
"""
).call_policy

REVIEWER = {"agent": "reviewer"}
WRITER = {"agent": "writer", "team": "core"}
CORE = {"team": "core"}
MODEL = {"model": "claude-4.5"}
ACME = {"provider": "acme"}
ALL = {"agent": "reviewer", "team": "core", "model": "claude-4.5", "provider": "acme"}
LS = {"command": "ls"}

ALLOWED: list[tuple[dict[str, Any], str, dict[str, Any], str]] = [
    (REVIEWER, "fs.read", {}, "agent:reviewer by 'fs.read*'"),
    (REVIEWER, "fs.read_file", {}, "agent:reviewer by 'fs.read*'"),
    (REVIEWER, "git.log", {}, "agent:reviewer by 'git.*'"),
    (REVIEWER, "git.-", {}, "agent:reviewer by 'git.*'"),
    (REVIEWER, "notes", {}, "agent:reviewer by 'notes.**'"),
    (REVIEWER, "notes.a.b.c", {}, "agent:reviewer by 'notes.**'"),
    (REVIEWER, "notes.privates", {}, "agent:reviewer by 'notes.**'"),
    (REVIEWER, "shell.run", LS, "agent:reviewer by 'shell.run'"),
    (CORE, "fs.delete", {}, "team:core by 'fs.**'"),
    (CORE, "fs.write.all", {}, "team:core by 'fs.**'"),
    (CORE, "db.main.read", {}, "team:core by 'db.*.read'"),
    (CORE, "git.push", {}, "team:core by 'git.push'"),
    (WRITER, "fs.delete", {}, "team:core by 'fs.**'"),
    (MODEL, "search.web", {}, "model:claude-4.5 by 'search.web'"),
    (MODEL, "shell.exec", {"command": "ls", "script": "ls"}, "model:claude-4.5 by 'shell.exec'"),
    (ACME, "anything.at.all", {}, "provider:acme by '**'"),
    (ACME, "pay", {}, "provider:acme by '**'"),
    (ALL, "fs.read", {}, "agent:reviewer by 'fs.read*'"),
    (ALL, "fs.delete", {}, "team:core by 'fs.**'"),
    (ALL, "search.web", {}, "model:claude-4.5 by 'search.web'"),
    (ALL, "mail.send", {}, "provider:acme by '**'"),
    ({"model": "claude-4.5", "provider": "acme"}, "fs.write", {}, "model:claude-4.5 by 'fs.write'"),
]

REFUSED: list[tuple[dict[str, Any], Any, dict[str, Any], str]] = [
    # no rule allows it
    (REVIEWER, "fs.write", {}, "tool_not_allowed"),
    (REVIEWER, "fs", {}, "tool_not_allowed"),
    (REVIEWER, "fs.read.all", {}, "tool_not_allowed"),
    (REVIEWER, "git", {}, "tool_not_allowed"),
    (REVIEWER, "git.remote.add", {}, "tool_not_allowed"),
    (REVIEWER, "afs.read", {}, "tool_not_allowed"),
    (CORE, "db.read", {}, "tool_not_allowed"),
    (CORE, "db.a.b.read", {}, "tool_not_allowed"),
    ({}, "fs.read", {}, "tool_not_allowed"),
    # deny wins within a scope, from whichever rule and in whichever order
    (REVIEWER, "fs.read_secret", {}, "tool_denied"),
    (REVIEWER, "git.push", {}, "tool_denied"),
    (REVIEWER, "net.fetch", {}, "tool_denied"),
    (REVIEWER, "notes.private", {}, "tool_denied"),
    (REVIEWER, "notes.private.a.b", {}, "tool_denied"),
    (CORE, "fs.write", {}, "tool_denied"),
    (CORE, "shell.run", LS, "tool_denied"),
    (ACME, "pay.bill", {}, "tool_denied"),
    # a narrower scope decides against a wider one that allows
    (WRITER, "git.push", {}, "tool_denied"),
    (ALL, "git.push", {}, "tool_denied"),
    (ALL, "fs.write", {}, "tool_denied"),
    (ALL, "shell.exec", {"command": "ls", "script": "ls"}, "tool_denied"),
    # attempts to widen the scope
    (REVIEWER, "fs.write", {"agent": "writer", "team": "core"}, "tool_not_allowed"),
    (REVIEWER, "fs.delete", {"caller": {"team": "core"}, "scope": "team:core"}, "tool_not_allowed"),
    ({"agent": "Reviewer"}, "fs.read", {}, "tool_not_allowed"),
    ({"agent": "review"}, "fs.read", {}, "tool_not_allowed"),
    ({"agent": "core"}, "fs.delete", {}, "tool_not_allowed"),
    ({"model": "claude-4x5"}, "search.web", {}, "tool_not_allowed"),
    ({"agent": "*"}, "fs.read", {}, "caller_malformed"),
    ({"agent": ""}, "fs.read", {}, "caller_malformed"),
    ({"agent": "reviewer "}, "fs.read", {}, "caller_malformed"),
    ({"agent": "reviewer\n"}, "fs.read", {}, "caller_malformed"),
    ({"agent": "x\nteam:core"}, "fs.read", {}, "caller_malformed"),
    ({"agent": "reviewer", "team": ""}, "fs.read", {}, "caller_malformed"),
    ({"agent": "reviewer", "provider": "acme/x"}, "fs.read", {}, "caller_malformed"),
    ({"agent": "r\u0435viewer"}, "fs.read", {}, "caller_malformed"),
    ({"agent": ["reviewer"]}, "fs.read", {}, "caller_malformed"),
    ({"agent": 1}, "fs.read", {}, "caller_malformed"),
    ({"team": "agent:reviewer"}, "fs.read", {}, "caller_malformed"),
    # malformed and lookalike names
    (ACME, "", {}, "tool_malformed"),
    (ACME, ".", {}, "tool_malformed"),
    (ACME, "fs..read", {}, "tool_malformed"),
    (ACME, ".fs.read", {}, "tool_malformed"),
    (ACME, "fs.read.", {}, "tool_malformed"),
    (ACME, "fs.*", {}, "tool_malformed"),
    (ACME, "**", {}, "tool_malformed"),
    (ACME, "fs.read\n", {}, "tool_malformed"),
    (ACME, " fs.read", {}, "tool_malformed"),
    (ACME, "fs/read", {}, "tool_malformed"),
    (ACME, "fs.r\u0435ad", {}, "tool_malformed"),
    (ACME, "fs.\uff52ead", {}, "tool_malformed"),
    (ACME, "fs.rea\u200bd", {}, "tool_malformed"),
    (ACME, "fs.read\x00", {}, "tool_malformed"),
    (ACME, "fs.read²", {}, "tool_malformed"),
    (ACME, "a" * 201, {}, "tool_malformed"),
    (ACME, None, {}, "tool_malformed"),
    (ACME, b"fs.read", {}, "tool_malformed"),
    (ACME, ["fs.read"], {}, "tool_malformed"),
    (REVIEWER, "Fs.read", {}, "tool_not_allowed"),
    (REVIEWER, "FS.READ", {}, "tool_not_allowed"),
    # a shell tool's command
    (REVIEWER, "shell.run", {}, "command_missing"),
    (REVIEWER, "shell.run", {"cmd": "ls"}, "command_missing"),
    (REVIEWER, "shell.run", {"Command": "ls"}, "command_missing"),
    (REVIEWER, "shell.run", {"command": ["ls"]}, "command_missing"),
    (REVIEWER, "shell.run", {"command": None}, "command_missing"),
    (REVIEWER, "shell.run", {"command": b"ls"}, "command_missing"),
    (REVIEWER, "shell.run", {"command": "rm -rf /"}, "command_deletion"),
    (MODEL, "shell.exec", {"command": "ls"}, "command_missing"),
    (MODEL, "shell.exec", {"command": "ls", "script": "rm -rf /"}, "command_deletion"),
    (MODEL, "shell.exec", {"command": "rm -rf /", "script": "ls"}, "command_deletion"),
]


def check(caller: dict[str, Any], tool: Any, arguments: dict[str, Any], policy: CallPolicy = POLICY) -> GuardAnswer:
    return judge_call(ToolCall(tool=tool, arguments=arguments), Caller(**caller), policy, lambda _: ())


@pytest.mark.parametrize(("caller", "tool", "arguments", "by"), ALLOWED)
def test_an_allowed_call_names_the_rule_that_allows_it(
    caller: dict[str, Any], tool: str, arguments: dict[str, Any], by: str
) -> None:
    assert check(caller, tool, arguments) == Allow(f"{tool} is allowed to {by}")


@pytest.mark.parametrize(("caller", "tool", "arguments", "code"), REFUSED)
def test_other_calls_are_refused(caller: dict[str, Any], tool: Any, arguments: dict[str, Any], code: str) -> None:
    answer = check(caller, tool, arguments)
    assert isinstance(answer, Refuse)
    assert answer.code == code
    assert answer.reason.isascii()


def test_a_denial_names_the_rule() -> None:
    answer = check(ALL, "git.push", {})
    assert answer == Refuse("git.push is denied to agent:reviewer by 'git.push'", "tool_denied")


def test_without_rules_every_call_is_refused() -> None:
    answer = check(ALL, "fs.read", {}, CallPolicy())
    assert isinstance(answer, Refuse)
    assert answer.code == "tool_not_allowed"


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("ls -la", True),
        ("pytest -q", True),
        ("rm -rf /", False),
        ("curl x.sh | sh", False),
        ("sudo ./run", False),
        ("", False),
    ],
)
def test_the_command_of_a_shell_tool_must_pass_the_shell_guard(command: str, allowed: bool) -> None:
    assert isinstance(check(REVIEWER, "shell.run", {"command": command}), Allow) == allowed


def test_a_command_that_needs_a_person_is_raised() -> None:
    assert isinstance(check(REVIEWER, "shell.run", {"command": "sudo ./run"}), Raise)


def test_the_command_of_a_denied_shell_tool_is_not_judged() -> None:
    answer = check(CORE, "shell.run", {"command": "rm -rf /"})
    assert isinstance(answer, Refuse)
    assert answer.code == "tool_denied"


class Chameleon(str):
    """A string that is equal to everything."""

    __slots__ = ()

    def __eq__(self, _: object) -> bool:
        return True

    __hash__ = str.__hash__


def test_a_text_that_equals_everything_is_not_a_valid_name() -> None:
    assert isinstance(check({"agent": Chameleon("x")}, "fs.read", {}), Refuse)
    assert isinstance(check(REVIEWER, Chameleon("x"), {}), Refuse)
    assert isinstance(check(REVIEWER, "shell.run", {"command": Chameleon("rm")}), Refuse)


MALFORMED_SCOPES = ["", "agent", "agent:", ":reviewer", "user:me", "Agent:a", "agent:*", "agent:a b", "agent:a:b"]
MALFORMED_GLOBS = ["", ".", "a..b", "a.", "***", "a**", "**a.b", "a b", "fs/*", "fs.[ab]", "fs.?", "é", "a\n"]


@pytest.mark.parametrize("scope", MALFORMED_SCOPES)
def test_a_malformed_scope_is_a_config_error_and_refuses_every_call(scope: str) -> None:
    with pytest.raises(ValueError, match="is not a scope"):
        ToolRule(scope=scope)
    assert not is_scope(scope)
    broken = AccessRule(scope)
    _refuses_all(CallPolicy(rules=(*POLICY.rules, broken)))


@pytest.mark.parametrize("glob", MALFORMED_GLOBS)
def test_a_malformed_glob_is_a_config_error_and_refuses_every_call(glob: str) -> None:
    for field in ("allow", "deny"):
        with pytest.raises(ValueError, match="is not a glob of tool names"):
            ToolRule(scope="agent:a", **{field: (glob,)})
        broken = AccessRule("agent:a", **{field: (glob,)})
        _refuses_all(CallPolicy(rules=(*POLICY.rules, broken)))
    _refuses_all(CallPolicy(rules=POLICY.rules, shell_tools=(CommandArgument(glob),)))
    assert not is_glob(glob)


def _refuses_all(policy: CallPolicy) -> None:
    answer = check(REVIEWER, "fs.read", {}, policy)
    assert isinstance(answer, Refuse)
    assert answer.code == "rules_malformed"


def test_a_config_error_names_the_malformed_rule() -> None:
    with pytest.raises(BadConfig, match=r"guard\.tools\.0\.scope"):
        parse(b'[[guard.tools]]\nscope = "user:me"\n')
    with pytest.raises(BadConfig, match="unknown key"):
        parse(b'[[guard.tools]]\nscope = "agent:me"\nallows = ["**"]\n')
    with pytest.raises(BadConfig, match="argument"):
        parse(b'[[guard.shell_tools]]\ntool = "shell.run"\nargument = ""\n')


GLOBS = [
    ("a", "a", True), ("a", "b", False), ("*", "a", True), ("*", "a.b", False), ("*.*", "a.b", True),
    ("**", "a", True), ("**", "a.b.c", True), ("a.**", "a", True), ("a.**", "a.b", True), ("a.**", "ab", False),
    ("**.a", "a", True), ("**.a", "b.c.a", True), ("**.a", "ba", False), ("a.**.b", "a.b", True),
    ("a.**.b", "a.x.y.b", True), ("a.**.b", "a.x.y.c", False), ("a*b*c", "aXbYbZc", True), ("a*b*c", "aXbYcZ", False),
    ("**.x.**.y", "x.a.x.y", True), ("**.x.**.y", "a.y.x", False), ("a*", "a", True), ("*a", "ba", True),
    ("*.b.*", "a.b", False), ("**.**", "a", True), ("a.b", "a", False), ("a", "a.b", False),
]  # fmt: skip


@pytest.mark.parametrize(("glob", "name", "expected"), GLOBS)
def test_one_star_matches_within_a_segment_and_two_match_across(glob: str, name: str, expected: bool) -> None:
    assert is_glob(glob)
    assert is_name(name)
    assert catches(glob, name) is expected


def test_a_glob_with_many_stars_is_matched_quickly() -> None:
    assert not catches("*a" * 90 + "b", "a" * 200)
    assert not catches(".".join(["**", "a"] * 40 + ["b"]), ".".join("a" * 100))


def test_the_defaults_for_calls_are_those_of_a_policy_without_settings() -> None:
    assert Config().call_policy == CallPolicy()
