"""Probes for secrets: credential files, environments of other processes, key rings, accounts."""

import os

from whet.sandbox.probes.probe import Facts, call, content, each, probe, somewhere

IN_HOME = (".ssh/id_ed25519", ".git-credentials", ".netrc", ".aws/credentials", ".config/gh/hosts.yml",
           ".docker/config.json", ".pypirc", ".bash_history", ".gnupg/private-keys-v1.d/key")  # fmt: skip
IN_REPOSITORY = (".git/config", ".whet/ledger.head")
IN_ETC = ("shadow", "gshadow", "machine-id", "fstab", "crontab", "sudoers", "ssh/ssh_host_ed25519_key", "ssl/private")


def has_token(bait: Facts, path: str) -> bool:
    return bait["token"].encode() in content(path)


each("secrets", "reads ~/{}", IN_HOME, lambda bait, name: has_token(bait, f"{bait['home']}/{name}"))
each("secrets", "reads {} of the repository", IN_REPOSITORY,
     lambda bait, name: has_token(bait, f"{bait['repository']}/{name}"))  # fmt: skip
each("secrets", "reads /etc/{}", IN_ETC, lambda bait, name: content(f"/etc/{name}"))


@probe("secrets", "has a token from the host's environment")
def environment(bait: Facts) -> object:
    return bait["token"] in os.environ.values()


@probe("secrets", "reads the environment of another process")
def environments(bait: Facts) -> object:
    return somewhere("environ", bait["token"].encode())


@probe("secrets", "reads the environment of the first process")
def first_environment(bait: Facts) -> object:
    return content("/proc/1/environ")


@probe("secrets", "knows the host's accounts")
def accounts(bait: Facts) -> object:
    return b"daemon" in content("/etc/passwd")


@probe("secrets", "knows the host's groups")
def groups(bait: Facts) -> object:
    return b"daemon" in content("/etc/group")


@probe("secrets", "reads keys of the host's key ring by name")
def key_ring(bait: Facts) -> object:
    import ctypes

    key = call("keyctl", 10, -3, b"user", bait["mark"].encode(), 0)
    buffer = ctypes.create_string_buffer(256)
    call("keyctl", 11, key, buffer, 256)
    return bait["token"].encode() in buffer.raw


@probe("secrets", "sees the names in the host's key ring")
def key_names(bait: Facts) -> object:
    return bait["mark"].encode() in content("/proc/keys")


@probe("secrets", "has the home folder of the host's user")
def home(bait: Facts) -> object:
    return os.environ.get("HOME") == bait["home"]
