"""Commands among the arguments of a program that the guard does not know: `some-runner 'rm -rf /'`, `tool -- rm -rf /`.

Nothing tells whether the program runs them, so a command that would be refused by itself is raised to a person.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Danger, Harm
from whet.guard.shell.model.programs import DESTRUCTIVE_COMMANDS, EDITORS, FETCHERS, SHELLS
from whet.guard.shell.rules.any_command import ONLY_TEXT

_STARTERS = DESTRUCTIVE_COMMANDS | FETCHERS | SHELLS | frozenset({
    "sudo", "doas", "env", "nohup", "chmod", "chown", "mv", "base64", "python", "python3", "perl", "ruby", "php", "node",
    "xargs", "find", "crontab", "systemctl", "useradd", "usermod", "iptables", "mount", "tee", "eval", "exec", "cd", "echo",
    "cat", "export", "tar", "busybox", "time", "timeout", "git",
})  # fmt: skip
# Programs that show, send or store their arguments as text.
_TAKES_TEXT = EDITORS | frozenset({
    "notify-send", "logger", "say", "espeak", "wall", "write", "mail", "xmessage", "zenity", "dialog", "whiptail", "tldr",
    "man", "apropos", "explainshell", "howdoi", "how2", "cheat", "navi", "llm", "aichat", "sgpt", "claude", "aider", "gemini",
    "jira", "linear", "slackcat", "figlet", "cowsay", "lolcat", "bat", "highlight", "pygmentize", "history", "fc", "bind",
    "complete", "compgen", "abbr", "gum", "glow", "vhs", "asciinema", "atuin", "mcfly", "hstr", "thefuck", "shellharden",
    "let", "expr", "dict", "trans", "wl-copy", "xclip", "xsel", "pbcopy", "yad", "osascript", "commitizen", "cz", "conventional-commits",
})  # fmt: skip
_FIRST_WORD = re.compile(r"[\s({\"'\[]*(?:\w+=\S*\s+)*([\w./-]+)")
_REFUSED_HARMS = frozenset({
    Harm.DELETION, Harm.DEVICE, Harm.REVERSE_SHELL, Harm.PIPE_TO_SHELL, Harm.EXFILTRATION, Harm.ENCODED, Harm.EXHAUSTION,
    Harm.ACCOUNTS, Harm.PERSISTENCE, Harm.SYSTEM, Harm.POWER,
})  # fmt: skip


def raise_commands_in_arguments(call: Call, follower: Follower) -> None:
    """Ask a person about arguments of an unknown program that would be refused as a command."""
    if call.name in ONLY_TEXT or call.name in _TAKES_TEXT:
        return
    state = follower.state
    for words in _candidates(call):
        commands, dangers = len(state.found_commands), dict(state.dangers)
        if len(words) == 1:
            follower.follow_text(words[0], call, call.name)
        else:
            follower.follow_command(words, call, call.name)
        added = [danger for key, danger in state.dangers.items() if key not in dangers]
        del state.found_commands[commands:]  # it is not known that they are commands
        state.dangers.clear()
        state.dangers.update(dangers)
        _raise_first(added, call, follower)


def _raise_first(dangers: list[Danger], call: Call, follower: Follower) -> None:
    refused = next((danger for danger in dangers if not danger.raises and danger.harm in _REFUSED_HARMS), None)
    if refused is not None:
        reason = f"hands {call.name} a text that is dangerous as a command: it {refused.reason}"
        follower.state.add_unresolved(reason, call.span)


def _candidates(call: Call) -> Iterator[list[str]]:
    """Yield arguments of several words that begin with the name of a command, and the words after `--`."""
    for word in call.args:
        if " " in word.strip() and _is_starter(word):
            yield [word]
    if "--" in call.args:
        rest = call.args[call.args.index("--") + 1 :]
        if len(rest) > 1 and _is_starter(rest[0]):
            yield rest


def _is_starter(text: str) -> bool:
    first = _FIRST_WORD.match(text)
    return first is not None and first[1].rpartition("/")[2] in _STARTERS
