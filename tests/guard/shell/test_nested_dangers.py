"""A dangerous command is found in every wrapper and under every quoting."""

import random
import shlex

import pytest

from whet.guard.answer import Refuse
from whet.guard.shell import Harm, inspect

INNER = [
    ("rm -rf /", Harm.DELETION),
    ("git push --force", Harm.GIT_HISTORY),
    ("dd if=/dev/zero of=/dev/sda", Harm.DEVICE),
    ("shutdown -h now", Harm.POWER),
    ("terraform destroy", Harm.INFRASTRUCTURE),
    ("iptables -F", Harm.FIREWALL),
    ("npm publish", Harm.PACKAGES),
    ("chmod u+s x", Harm.PRIVILEGE),
]
# `{}` is the command as words, `<>` the command as one quoted word.
WRAPPERS = [
    "env {}", "env -i A=b {}", "nohup {}", "nice -n 5 {}", "timeout 5 {}", "timeout -k 1 5s {}", "stdbuf -oL {}",
    "setsid {}", "time {}", "command {}", "exec {}", "sudo {}", "sudo -u x -- {}", "doas {}", "ionice -c 3 {}",
    "busybox {}", "strace -f {}", "flock /tmp/l {}", "xargs {} < /dev/null", "find . -maxdepth 0 -exec {} \\;",
    "unshare -r {}", "chroot / {}", "docker exec c {}", "kubectl exec p -- {}", "poetry run {}", "uv run {}",
    "ssh h {}", "watch {}", "parallel {} ::: x", "git bisect run {}", "sh -c <>", "bash -lc <>", "bash -xc <>",
    "eval <>", "su -c <> x", "ssh h <>", "script -qc <> x", "watch -n 1 <>", "flock /tmp/l -c <>", "env -S <>",
    "trap <> EXIT", "echo <> | sh", "printf %s <> | bash", "bash <<< <>", "bash <(echo <>)", "source <(echo <>)",
    "x=<>; eval \"$x\"", "git -c alias.x=!<> x", "git submodule foreach <>", "git rebase --exec <> main",
    "tar cf a b --checkpoint-action=exec=<>", "xargs sh -c <>", "PAGER=<> man x", "docker run --rm i sh -c <>",
    "nix-shell --run <>", "split --filter=<> x", "alias q=<>",
]  # fmt: skip
# These join their words and pass them to a shell, which removes one level of quotes.
JOIN_WORDS = {"ssh h {}", "watch {}", "parallel {} ::: x"}
AROUND = [
    "{}", "true; {}", "true && {}", "false || {}", "ls | {}", "{} | cat", "({})", "if true; then {}; fi",
    "for i in 1; do {}; done", "while x; do {}; done", "echo $({})", 'echo "$({})"', "cat <({})", "f() {{ {}; }}; f",
    "! {}", "{} > out 2>&1", "{} &", "case a in a) {};; esac", "x=$({})", "[[ -n $({}) ]]",
]  # fmt: skip


def _quoted(text: str, generator: random.Random) -> str:
    style = generator.randrange(3)
    if style == 0:
        return shlex.quote(text)
    if style == 1 and not set(text) & set('"$`\\!'):
        return f'"{text}"'
    characters = []
    for letter in text:
        if generator.random() < 0.4 and letter.isascii():
            characters.append(f"\\x{ord(letter):02x}")
        else:
            characters.append({"\\": "\\\\", "'": "\\'"}.get(letter, letter))
    return f"$'{''.join(characters)}'"


def _disguised(command: str, generator: random.Random) -> str:
    """Return the same words, each left as it is, quoted, or split by empty quotes."""
    words = []
    for word in command.split(" "):
        style = generator.randrange(5)
        at = generator.randrange(len(word))
        words.append({0: f"'{word}'", 1: f'"{word}"', 2: f"{word[:at]}''{word[at:]}"}.get(style, word))
    return " ".join(words)


@pytest.mark.parametrize("seed", range(60))
def test_a_nested_danger_is_refused_under_its_harm(seed: int) -> None:
    generator = random.Random(seed)
    for _ in range(25):
        inner, harm = generator.choice(INNER)
        command = _disguised(inner, generator)
        for _ in range(generator.randint(1, 4)):
            wrapper = generator.choice(WRAPPERS)
            if "{}" in wrapper and (not _is_plain(command) or (wrapper in JOIN_WORDS and set(command) & set("'\"\\"))):
                wrapper = "sh -c <>"
            command = wrapper.replace("{}", command).replace("<>", _quoted(command, generator))
        command = generator.choice(AROUND).replace("{}", command).replace("{{", "{").replace("}}", "}")
        result = inspect(command)
        assert isinstance(result.answer, Refuse), command
        assert harm in {danger.harm for danger in result.dangers}, command


def _is_plain(command: str) -> bool:
    """True if the command is one simple command without redirections, which a wrapper can start as words."""
    return not set(command) & set("|;&<>()=") and not command.startswith(
        ("PAGER", "x=", "alias", "trap", "eval", "exec", "source", "time ")
    )


@pytest.mark.parametrize(
    "code",
    [
        'c = "rm -rf /"; os.system(c)',
        'c: str = "rm -rf /"; os.system(c)',
        'os.system(c) if (c := "rm -rf /") else None',
        'from os import system as s; s("rm -rf /")',
        'from .os import system as s; s("rm -rf /")',
        'import os.path, subprocess as p; p.run("rm -rf /", shell=True)',
        'os.system("rm -rf " + os.path.expanduser("~"))',
        'os.system("rm " + "-rf " + os.path.expanduser("~" + "/"))',
    ],
)
def test_a_command_is_found_through_the_names_of_python_code(code: str) -> None:
    result = inspect(f"python3 -c {shlex.quote(f'import os; {code}')}")
    assert isinstance(result.answer, Refuse)
    assert Harm.DELETION in {danger.harm for danger in result.dangers}
