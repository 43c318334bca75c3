"""Commands inside containers, clusters and other machines."""

import re
from collections.abc import Iterator

from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_secret, is_system_path

# Options of `run` and `exec` that stand alone; every other long option takes a word.
_ALONE = frozenset({"rm", "interactive", "tty", "detach", "init", "privileged", "read-only", "publish-all", "no-healthcheck",
                    "oom-kill-disable", "sig-proxy", "help", "quiet", "no-deps", "service-ports", "build", "remove-orphans",
                    "use-aliases", "stdin", "no-TTY", "replace", "systemd"})  # fmt: skip
_SHORT_VALUED = "aceghlmpuvwnf"
_GLOBAL_VALUED = frozenset({"-H", "--host", "-c", "--context", "--config", "-l", "--log-level", "-f", "--file", "-p", "--project-name",
                            "--profile", "--env-file", "--project-directory"})  # fmt: skip
_TASK = re.compile(r"\b(shell|command|raw|script)\s*:\s*([^}\]\n]+)")
_SSH_VALUED = "BbcDEeFIiJLlmOoPpQRSWw"


def docker(call: Call, follower: Follower) -> None:
    words = _after_global(call.args)
    while words[:1] in (["container"], ["compose"], ["exec-shell"]):
        words = _after_global(words[1:])
    if not words or words[0] not in ("run", "exec", "create"):
        return
    options, operands = _options_and_operands(words[1:])
    _openings(call, options, follower)
    entry = [value for name, value in options if name == "entrypoint"]
    inner = [*entry, *operands[1:]] if entry and entry[0] else operands[1:]
    if inner:
        follower.follow_command(_on_host(inner, options), call, f"{call.name} {words[0]}")


def _on_host(words: list[str], options: list[tuple[str, str]]) -> list[str]:
    """What is done to a mounted folder is done to the host's."""
    for name, value in options:
        source, _, target = value.partition(":")
        target = target.partition(":")[0].rstrip("/")
        if name in ("v", "volume") and source[:1] in ("/", "~") and len(target) > 1:
            mounted = re.compile(rf"(?<![\w.~/-]){re.escape(target)}(?![\w.-])")
            host = source.rstrip("/").replace("\\", r"\\")
            words = [mounted.sub(host, word) for word in words]
    return words


def _after_global(words: list[str]) -> list[str]:
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _GLOBAL_VALUED else 1
    return words[place:]


def _options_and_operands(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    options, place = [], 0
    while place < len(words) and words[place].startswith("-") and words[place] != "--":
        word = words[place]
        name, equals, value = word.lstrip("-").partition("=")
        if word.startswith("--"):
            takes = not equals and name not in _ALONE
        else:
            takes = (
                word[-1] in _SHORT_VALUED
                and len(word) == len(word.rstrip("="))
                and not any(one in _SHORT_VALUED for one in word[1:-1])
            )
            if not takes and any(one in _SHORT_VALUED for one in word[1:]):
                at = next(at for at, one in enumerate(word[1:], 1) if one in _SHORT_VALUED)
                name, value = word[at], word[at + 1 :]
        if takes:
            value = words[place + 1] if place + 1 < len(words) else ""
            place += 1
        options.append((name if word.startswith("--") or len(name) == 1 else name[-1] if takes else name, value))
        place += 1
    return options, words[place + (words[place : place + 1] == ["--"]) :]


def _openings(call: Call, options: list[tuple[str, str]], follower: Follower) -> None:
    """What makes a container no container: the host's folders, its devices, its namespaces."""
    for name, value in options:
        source = value.partition(":")[0]
        if name == "mount":
            source = next(
                (part.partition("=")[2] for part in value.split(",") if part.startswith(("source=", "src="))), ""
            )
        if name in ("v", "volume", "mount") and "docker.sock" in value:
            follower.add_danger(call, Harm.PRIVILEGE, "gives a container the docker socket, and with it the machine")
        elif name in ("v", "volume", "mount") and _is_host(source):
            follower.add_danger(call, Harm.PRIVILEGE, f"gives a container the host's {source}")
        elif name == "privileged" and value != "false":
            follower.add_danger(call, Harm.PRIVILEGE, "starts a container with every privilege")
        elif (name in ("pid", "userns", "ipc", "uts", "cgroupns") and value == "host") or (name == "cap-add" and value.upper().removeprefix("CAP_") in
              ("ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO")):  # fmt: skip
            follower.add_danger(call, Harm.PRIVILEGE, f"starts a container with the host's {value}")
        elif name == "device" and is_system_path(source):
            follower.add_danger(call, Harm.PRIVILEGE, f"gives a container the device {source}")


def _is_host(path: str) -> bool:
    return path in (
        "/",
        "/etc",
        "/root",
        "/home",
        "/var",
        "/proc",
        "/sys",
        "/dev",
        "/boot",
        "/usr",
        "/var/run",
        "/run",
    ) or (
        is_secret(path)
        or (
            is_system_path(path)
            and path != "/etc/localtime"
            and not path.startswith(("/etc/timezone", "/etc/ssl/certs", "/usr/share"))
        )
    )


def kubectl(call: Call, follower: Follower) -> None:
    if not {"exec", "run", "debug"}.isdisjoint(call.args) and "--" in call.args:
        inner = call.args[call.args.index("--") + 1 :]
        if inner:
            follower.follow_command(inner, call, f"{call.name} exec")
    if "run" in call.args and any("privileged" in word and ("true" in word or "hostPID" in word) for word in call.args):
        follower.add_danger(call, Harm.PRIVILEGE, "starts a pod with every privilege")


def ssh(call: Call, follower: Follower) -> None:
    for text in _ssh_options(call.args):
        follower.follow_program(text, call, "an option of ssh")
    words, place = call.args, 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] == "--":
            place += 1
            break
        place += (
            2 if words[place][-1] in _SSH_VALUED and not any(one in _SSH_VALUED for one in words[place][1:-1]) else 1
        )
    rest = words[place + 1 :]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0][-1] in _SSH_VALUED else rest[1:]
    if rest:
        follower.follow_text(" ".join(rest), call, f"ssh {words[place]}")
    elif call.stdin is not None and place < len(words):
        follower.follow_text(call.stdin, call, f"ssh {words[place]}")


def copies(call: Call, follower: Follower) -> None:
    for text in _ssh_options(call.args):
        follower.follow_program(text, call, f"an option of {call.name}")


def _ssh_options(words: list[str]) -> Iterator[str]:
    for value in values_of(words, "-o"):
        name, _, text = value.replace("=", " ", 1).partition(" ")
        if name.lower() in ("proxycommand", "localcommand", "knownhostscommand", "pkcs11provider") and text != "none":
            yield text.strip()


def machine(call: Call, follower: Follower) -> None:
    """`vagrant ssh -c`, `multipass exec vm -- cmd`, `lima cmd`, `distrobox enter -- cmd`, `machinectl shell`."""
    if "--" in call.args:
        inner = call.args[call.args.index("--") + 1 :]
        if inner:
            follower.follow_command(inner, call, call.name)


def playbook(call: Call, follower: Follower) -> None:
    """What the tasks of a playbook run, where this very text wrote it."""
    for word in call.args:
        for _, text in _TASK.findall(text_of_file(call, word, follower) or ""):
            follower.follow_program(text.strip(), call, "ansible-playbook")


def ansible(call: Call, follower: Follower) -> None:
    if (
        any(word in ("shell", "command", "raw", "ansible.builtin.shell") for word in values_of(call.args, "-m"))
        or "-a" in call.args
    ):
        for text in values_of(call.args, "-a"):
            follower.follow_text(text, call, "ansible")


LAUNCHERS = {
    "docker": docker, "podman": docker, "nerdctl": docker, "docker-compose": docker, "kubectl": kubectl, "oc": kubectl, "k": kubectl,
    "ssh": ssh, "mosh": ssh, "autossh": ssh, "dbclient": ssh, "multipass": machine, "lxc-attach": machine, "machinectl": machine, "distrobox": machine,
    "scp": copies, "sftp": copies, "ssh-keyscan": copies, "ctr": docker, "ansible-playbook": playbook,
    "toolbox": machine, "limactl": machine, "gcloud": machine, "ansible": ansible,
}  # fmt: skip
