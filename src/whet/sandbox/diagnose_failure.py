"""Turn bubblewrap's error output into an error with a cause and a remedy."""

from whet.errors import SandboxUnavailable

_NO_USER_NAMESPACES = (
    "this kernel does not allow user namespaces for ordinary users",
    "allow them: `sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000`; on Ubuntu also "
    "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`, or an AppArmor profile for bwrap",
)
_IN_A_CONTAINER = (
    "this machine, most likely a container, forbids the mounts and namespaces that a sandbox needs",
    "run whet outside the container, or start it with `--security-opt seccomp=unconfined --security-opt "
    "systempaths=unconfined --cap-add SYS_ADMIN`",
)
_TOO_OLD = ("this bubblewrap is too old", "install version 0.7 or newer")
_TOO_MANY = (
    "no more namespaces may be made here",
    "raise `sysctl user.max_user_namespaces` (and the other `user.max_*_namespaces`)",
)
_NO_SECCOMP = ("this kernel has no seccomp filters", "use a kernel with CONFIG_SECCOMP_FILTER")
_UNKNOWN = ("bubblewrap could not build the sandbox", "`whet doctor` shows what works here")

# Cause and remedy by a part of bubblewrap's message. The first entry that occurs in the message counts.
_CAUSES = {
    "No permissions to create new namespace": _NO_USER_NAMESPACES,
    "No permissions to creating new namespace": _NO_USER_NAMESPACES,
    "setting up uid map": _NO_USER_NAMESPACES,
    "setting up gid map": _NO_USER_NAMESPACES,
    "Failed RTM_NEWADDR": _NO_USER_NAMESPACES,
    "namespaces exceeded": _TOO_MANY,
    "No space left on device": _TOO_MANY,
    "Creating new namespace failed": _IN_A_CONTAINER,
    "Failed to make / slave": _IN_A_CONTAINER,
    "Can't mount proc": _IN_A_CONTAINER,
    "mount tmpfs": _IN_A_CONTAINER,
    "pivot_root": _IN_A_CONTAINER,
    "Unknown option": _TOO_OLD,
    "PR_SET_SECCOMP": _NO_SECCOMP,
}


def refusal(output: str) -> SandboxUnavailable:
    """Return an error with cause and remedy that quotes bubblewrap's output, in case the cause is not known."""
    cause, remedy = _UNKNOWN
    for text, known_cause in _CAUSES.items():
        if text in output:
            cause, remedy = known_cause
            break
    return SandboxUnavailable(f"{cause} ({output[-400:] or 'bubblewrap said nothing'})", remedy)
