"""Commands that run inside containers, clusters and other machines."""

import re
from collections.abc import Iterator

from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_secret, is_system_path
from whet.guard.shell.model.placeholders import UNKNOWN

# Long options of `run` and `exec` without a value; every other long option takes a word.
_FLAGS = frozenset({
    "rm", "interactive", "tty", "detach", "init", "privileged", "read-only", "publish-all", "no-healthcheck",
    "oom-kill-disable", "sig-proxy", "help", "quiet", "no-deps", "service-ports", "build", "remove-orphans",
    "use-aliases", "stdin", "no-TTY", "replace", "systemd",
})  # fmt: skip
_VALUED_LETTERS = "aceghlmpuvwnf"
_VALUED_GLOBAL_OPTIONS = frozenset({
    "-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "-f", "--file", "-p", "--project-name",
    "--profile", "--env-file", "--project-directory",
})  # fmt: skip
_TASK = re.compile(r"\b(shell|command|raw|script)\s*:\s*([^}\]\n]+)")
_SSH_VALUED_LETTERS = "BbcDEeFIiJLlmOoPpQRSWw"
# Short options with a value, by the tool that runs a command on many machines.
_PSSH_VALUED_LETTERS = "hHlptoexOA"
_PARALLEL_VALUED_LETTERS = {
    "pssh": _PSSH_VALUED_LETTERS,
    "parallel-ssh": _PSSH_VALUED_LETTERS,
    "pdsh": "wxlRutgGXfM",
    "clush": "wxgXlfutopO",
    "dsh": "mgfrFnot",
    "mussh": "hHlmstuodp",
}
_AUTOSSH_VALUED_LETTERS = _SSH_VALUED_LETTERS + "M"  # `-M port`: the port on which autossh checks the connection

_COMMAND_MODULES = ("shell", "command", "raw", "script", "expect", "win_shell", "win_command")
_NAMESPACE_OPTIONS = ("pid", "userns", "ipc", "uts", "cgroupns")
_DANGEROUS_CAPABILITIES = ("ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO")
_BWRAP_TWO_VALUES = frozenset({
    "--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--ro-bind", "--ro-bind-try", "--bind-fd", "--ro-bind-fd", "--setenv",
    "--file", "--bind-data", "--ro-bind-data", "--symlink", "--chmod",
})  # fmt: skip
_BWRAP_FLAGS = (
    "--unshare-", "--share-net", "--die-with-parent", "--new-session", "--clearenv", "--as-pid-1", "--disable-userns",
    "--assert-", "--help", "--version",
)  # fmt: skip
_HOST_FOLDERS = frozenset(
    {"/", "/etc", "/root", "/home", "/var", "/proc", "/sys", "/dev", "/boot", "/usr", "/var/run", "/run"}
)


def docker(call: Call, follower: Follower) -> None:
    words = _without_global_options(call.args)
    while words[:1] in (["container"], ["compose"], ["exec-shell"]):
        words = _without_global_options(words[1:])
    if words[:1] == ["unshare"] and words[1:]:  # podman: a command of this machine in a user namespace
        follower.follow_command(_without_global_options(words[1:]), call, f"{call.name} unshare")
    if not words or words[0] not in ("run", "exec", "create"):
        return
    options, operands = _options_and_operands(words[1:])
    _judge_host_access(call, options, follower)
    entrypoint = [value for name, value in options if name == "entrypoint"]
    inner = [*entrypoint, *operands[1:]] if entrypoint and entrypoint[0] else operands[1:]
    if inner:
        follower.follow_command(_with_host_paths(inner, options), call, f"{call.name} {words[0]}")


def _with_host_paths(words: list[str], options: list[tuple[str, str]]) -> list[str]:
    """Replace paths of mounted folders by the host's paths: changing the one changes the other."""
    for name, value in options:
        source, _, target = value.partition(":")
        target = target.partition(":")[0].rstrip("/")
        if name in ("v", "volume") and source[:1] in ("/", "~", ".") and len(target) > 1:
            mounted = re.compile(rf"(?<![\w.~/-]){re.escape(target)}(?![\w.-])")
            host = source.rstrip("/").replace("\\", r"\\")
            words = [mounted.sub(host, word) for word in words]
    return words


def _without_global_options(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) and words[start].startswith("-"):
        start += 2 if words[start] in _VALUED_GLOBAL_OPTIONS else 1
    return words[start:]


def _options_and_operands(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Parse the options of `docker run` or `exec` up to the first operand."""
    options, index = [], 0
    while index < len(words) and words[index].startswith("-") and words[index] != "--":
        word = words[index]
        name, value, takes_next = _long_option(word) if word.startswith("--") else _short_options(word)
        if takes_next:
            value = words[index + 1] if index + 1 < len(words) else ""
            index += 1
        options.append((name, value))
        index += 1
    return options, words[index + (words[index : index + 1] == ["--"]) :]


def _long_option(word: str) -> tuple[str, str, bool]:
    """Return name, attached value, and whether the next word is the value."""
    name, equals, value = word.lstrip("-").partition("=")
    return name, value, not equals and name not in _FLAGS


def _short_options(word: str) -> tuple[str, str, bool]:
    """Return the same for a cluster of short options: `-it`, `-v/a:/b`, `-itv /a:/b`."""
    letters = word[1:]
    first = next((index for index, letter in enumerate(letters) if letter in _VALUED_LETTERS), None)
    if first is None:
        name, _, value = word.lstrip("-").partition("=")
        return name, value, False
    if first == len(letters) - 1:
        return letters[-1], "", True
    return letters[first], letters[first + 1 :], False


def _judge_host_access(call: Call, options: list[tuple[str, str]], follower: Follower) -> None:
    """Report options that give a container the host's folders, devices, namespaces or privileges."""
    for name, value in options:
        source = value.partition(":")[0]
        if name == "mount":
            fields = value.split(",")
            source = next((part.partition("=")[2] for part in fields if part.startswith(("source=", "src="))), "")
        is_mount = name in ("v", "volume", "mount")
        capability = value.upper().removeprefix("CAP_") if name == "cap-add" else ""
        if is_mount and "docker.sock" in value:
            reason = "gives a container the docker socket, and with it the machine"
        elif is_mount and _is_host_path(source):
            reason = f"gives a container the host's {source}"
        elif name == "privileged" and value != "false":
            reason = "starts a container with every privilege"
        elif (name in _NAMESPACE_OPTIONS and value == "host") or capability in _DANGEROUS_CAPABILITIES:
            reason = f"starts a container with the host's {value}"
        elif name == "device" and is_system_path(source):
            reason = f"gives a container the device {source}"
        else:
            continue
        follower.add_danger(call, Harm.PRIVILEGE, reason)


def _is_host_path(path: str) -> bool:
    """True if mounting the path gives a container access to the host's system or secrets."""
    if path in _HOST_FOLDERS or is_secret(path):
        return True
    is_harmless = path == "/etc/localtime" or path.startswith(("/etc/timezone", "/etc/ssl/certs", "/usr/share"))
    return is_system_path(path) and not is_harmless


def kubectl(call: Call, follower: Follower) -> None:
    if not {"exec", "run", "debug"}.isdisjoint(call.args) and "--" in call.args:
        inner = call.args[call.args.index("--") + 1 :]
        if inner:
            follower.follow_command(inner, call, f"{call.name} exec")
    if "run" in call.args and any("privileged" in word and ("true" in word or "hostPID" in word) for word in call.args):
        follower.add_danger(call, Harm.PRIVILEGE, "starts a pod with every privilege")


def ssh(call: Call, follower: Follower) -> None:
    """Follow the command that runs on the other machine, and local programs that options name."""
    for text in _programs_in_ssh_options(call.args):
        follower.follow_program(text, call, "an option of ssh")
    words, host = call.args, 0
    valued = _AUTOSSH_VALUED_LETTERS if call.name == "autossh" else _SSH_VALUED_LETTERS
    while host < len(words) and words[host].startswith("-"):
        word = words[host]
        if word == "--":
            host += 1
            break
        has_attached_value = any(letter in valued for letter in word[1:-1])
        host += 2 if word[-1] in valued and not has_attached_value else 1
    rest = words[host + 1 :]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0][-1] in _SSH_VALUED_LETTERS else rest[1:]
    remote_text = " ".join(rest) or call.stdin or ""
    # An unknown text for the other machine is like `ssh host` alone: what runs there is decided there.
    if host < len(words) and remote_text.strip(f" {UNKNOWN}"):
        follower.follow_text(remote_text, call, f"ssh {words[host]}")


def many_machines(call: Call, follower: Follower) -> None:
    """Follow the command that `pdsh`, `pssh` or `clush` runs on other machines: the words after the options."""
    words, index = call.args, 0
    while index < len(words) and words[index].startswith("-"):
        is_attached = "=" in words[index] or (words[index][1:2] != "-" and len(words[index]) > 2)
        index += 2 if not is_attached and words[index][-1] in _PARALLEL_VALUED_LETTERS[call.name] else 1
    if words[index:]:
        follower.follow_text(" ".join(words[index:]), call, call.name)


def ssh_copy(call: Call, follower: Follower) -> None:
    for text in _programs_in_ssh_options(call.args):
        follower.follow_program(text, call, f"an option of {call.name}")


def _programs_in_ssh_options(words: list[str]) -> Iterator[str]:
    """Yield the programs of `-o ProxyCommand=...` and similar options, which run on this machine."""
    for value in values_of(words, "-o"):
        name, _, text = value.replace("=", " ", 1).partition(" ")
        if name.lower() in ("proxycommand", "localcommand", "knownhostscommand", "pkcs11provider") and text != "none":
            yield text.strip()


def bubblewrap(call: Call, follower: Follower) -> None:
    """Follow the command after the options of bwrap."""
    words, index = call.args, 0
    while index < len(words) and words[index].startswith("--"):
        option = words[index]
        index += 1
        if option == "--":
            break
        index += 2 if option in _BWRAP_TWO_VALUES else 0 if option.startswith(_BWRAP_FLAGS) else 1
    if words[index:]:
        follower.follow_command(words[index:], call, "bwrap")


def machine(call: Call, follower: Follower) -> None:
    """Follow the command after `--`: `multipass exec vm -- cmd`, `distrobox enter -- cmd`."""
    if "--" in call.args:
        inner = call.args[call.args.index("--") + 1 :]
        if inner:
            follower.follow_command(inner, call, call.name)


def playbook(call: Call, follower: Follower) -> None:
    """Follow the commands in the tasks of a playbook that the command text wrote."""
    for word in call.args:
        for _, text in _TASK.findall(text_of_file(call, word, follower) or ""):
            follower.follow_program(text.strip(), call, "ansible-playbook")


def ansible(call: Call, follower: Follower) -> None:
    """Follow the command in `-a`, if the module runs commands. Other modules read settings from it (`-m debug -a var=x`)."""
    modules = [value for option in ("-m", "--module-name") for value in values_of(call.args, option)]
    if not modules or any(module.rpartition(".")[2] in _COMMAND_MODULES for module in modules):
        for option in ("-a", "--args"):
            for text in values_of(call.args, option):
                follower.follow_text(text, call, "ansible")


LAUNCHERS = {
    "docker": docker,
    "podman": docker,
    "nerdctl": docker,
    "docker-compose": docker,
    "kubectl": kubectl,
    "oc": kubectl,
    "k": kubectl,
    "bwrap": bubblewrap,
    "ssh": ssh,
    "mosh": ssh,
    "autossh": ssh,
    "dbclient": ssh,
    **dict.fromkeys(_PARALLEL_VALUED_LETTERS, many_machines),
    "multipass": machine,
    "lxc-attach": machine,
    "machinectl": machine,
    "distrobox": machine,
    "scp": ssh_copy,
    "sftp": ssh_copy,
    "ssh-keyscan": ssh_copy,
    "ctr": docker,
    "ansible-playbook": playbook,
    "toolbox": machine,
    "limactl": machine,
    "gcloud": machine,
    "ansible": ansible,
}  # fmt: skip
