"""Words are expanded as bash would; words that cannot be known are raised to a person."""

import pytest

from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import Harm, ShellPolicy, inspect

RESOLVED = [
    ("r''m a", "rm", ("a",)),
    ('"git" status', "git", ("status",)),
    ("\\ls -l", "ls", ("-l",)),
    ("$'\\x6c\\x73' -l", "ls", ("-l",)),
    ("$'\\154s'", "ls", ()),
    ("$'\\u006cs'", "ls", ()),
    ("a=ls; $a -l", "ls", ("-l",)),
    ("a='ls -l'; $a x", "ls", ("-l", "x")),
    ("a='ls -l'; \"$a\"", "ls -l", ()),
    ("a=l; ${a}s", "ls", ()),
    ("${a:-ls}", "ls", ()),
    ("a=x; ${a:+ls}", "ls", ()),
    ("a=lsx; ${a%x}", "ls", ()),
    ("a=xls; ${a#x}", "ls", ()),
    ("a=LS; ${a,,}", "ls", ()),
    ("a=xlsx; ${a:1:2}", "ls", ()),
    ("a=lx; ${a/x/s}", "ls", ()),
    ("b=a; a=ls; ${!b}", "ls", ()),
    ("a=(ls -l); ${a[@]}", "ls", ("-l",)),
    ("a=(x ls); ${a[1]}", "ls", ()),
    ("a=ls; ${a[0]}", "ls", ()),
    ("a=l; a+=s; $a", "ls", ()),
    ("$(echo ls) -l", "ls", ("-l",)),
    ("`echo ls` -l", "ls", ("-l",)),
    ("$(printf '%s%s' l s)", "ls", ()),
    ("$(which ls)", "ls", ()),
    ("$(echo sl | rev)", "ls", ()),
    ("$(echo LS | tr A-Z a-z)", "ls", ()),
    ("ls${IFS}-l", "ls", ("-l",)),
    ("echo {a,b}{1,2}", "echo", ("a1", "a2", "b1", "b2")),
    ("echo {1..3}", "echo", ("1", "2", "3")),
    ("echo {c..a}", "echo", ("…",)),
    ("echo '{a,b}'", "echo", ("{a,b}",)),
    ("echo ~/x ~root/y", "echo", ("~/x", "/root/y")),
    ("echo $HOME/x", "echo", ("~/x",)),
    ("echo 'a'\"b\"c\\ d", "echo", ("abc d",)),
    ("echo $((2 + 3))", "echo", ("5",)),
    ("l\\\ns -l", "ls", ("-l",)),
    ("set -- a b; echo $2 $1", "echo", ("b", "a")),
    ("f() { echo \"$1-$2\"; }; f a b", "echo", ("a-b",)),
    ("read x <<< ls; $x", "ls", ()),
    ("bash -c '$0 $1' ls -l", "ls", ("-l",)),
]  # fmt: skip


@pytest.mark.parametrize(("command", "name", "arguments"), RESOLVED)
def test_words_are_expanded(command: str, name: str, arguments: tuple[str, ...]) -> None:
    last = inspect(command).commands[-1]
    assert (last.name, last.arguments) == (name, arguments)


UNRESOLVED = [
    "$UNSET_NAME -l", "$(cat name) -l", "$1", '"$@"', "eval $x", 'sh -c "$x"', "bash -c \"$(cat x)\"",
    "cat x.sh | sh", "$(date) x", "rm -rf $DIR", 'rm -rf "$1"', "/bin/l?", "sudo --frobnicate ls",
    "timeout --frobnicate 1 ls", "xargs --frobnicate ls", "env --frobnicate ls",
    "echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "touch 'unclosed", "if make; then", "make $(", "((", "a | | b",
    "python -c \"$x\"", "python3 -c 'def'", "source $FILE", "awk '{system($1)}' x", "find . -exec $x {} \\;",
    "nice $x",
]  # fmt: skip


@pytest.mark.parametrize("command", UNRESOLVED)
def test_an_unresolved_command_is_raised_and_refused_under_an_allow_list(command: str) -> None:
    result = inspect(command)
    assert isinstance(result.answer, Raise)
    assert Harm.UNRESOLVED in {danger.harm for danger in result.dangers}
    every_name = frozenset(found.name for found in result.commands)
    assert isinstance(inspect(command, ShellPolicy(allow=every_name)).answer, Refuse)


@pytest.mark.parametrize("command", [
    "echo 'unclosed", "ls !(*.c)", "grep -r \"text” folder", "find . -name '*.txt", "du -s <file>", "<Ctrl c>",
    "find . -exec du -ch {} + | grep total$.", "find . | xargs grep 'x", "ssh -o ConnectTimeout=10 <host>",
])  # fmt: skip
def test_a_text_that_only_reads_however_it_is_parsed_is_allowed_but_not_under_an_allow_list(command: str) -> None:
    result = inspect(command)
    assert isinstance(result.answer, Allow)
    every_name = frozenset(found.name for found in result.commands)
    assert isinstance(inspect(command, ShellPolicy(allow=every_name)).answer, Refuse)


@pytest.mark.parametrize("command", [
    "rm !(*.c)", "echo 'x; rm -rf y", "if !(reboot); then ls 'x", "find . -name '*.c -exec rm {} +", "rm <1-9>",
    "make <<EOF >", "cat 'x > /etc/hosts", "find . | xargs -I{} sh 'x", "ls $(./run 'x", "sort -o x 'y", "ls 'x & ./run",
])  # fmt: skip
def test_a_text_that_cannot_be_parsed_is_raised_if_it_may_do_more_than_read(command: str) -> None:
    assert not isinstance(inspect(command).answer, Allow)


@pytest.mark.parametrize("command", ["w'h'oami", "$'\\x69d'", 'i""d', "l\\s"])
def test_a_name_disguised_with_quotes_or_escapes_is_raised(command: str) -> None:
    assert {danger.harm for danger in inspect(command).dangers} == {Harm.CONCEALED}


def test_a_command_is_evaluated_for_every_possible_value_of_a_variable() -> None:
    assert {found.name for found in inspect("for c in ls pwd id; do $c; done").commands} == {"ls", "pwd", "id"}
    assert {found.name for found in inspect("a=ls; if x; then a=id; fi; $a").commands} == {"x", "ls", "id"}
    assert isinstance(inspect("a=ls; (a=id); $a").answer, Allow)
    assert {found.name for found in inspect("a=ls; (a=id); $a").commands} == {"ls", "id"}
