"""Probes of communication with processes of the host: shared memory, queues, sockets, pipes, the host's name."""

import ctypes
import os
import platform
import socket

from whet.sandbox.probes.probe import Facts, call, content, each, probe


@probe("ipc", "opens shared memory of the host by its key")
def shared_memory(bait: Facts) -> object:
    return call("shmget", bait["key"], 0, 0) >= 0


@probe("ipc", "opens semaphores of the host by their key")
def semaphores(bait: Facts) -> object:
    return call("semget", bait["key"], 0, 0) >= 0


@probe("ipc", "opens a message queue of the host by its key")
def message_queue(bait: Facts) -> object:
    return call("msgget", bait["key"], 0) >= 0


@probe("ipc", "lists the host's shared memory")
def lists(bait: Facts) -> object:
    return content("/proc/sysvipc/shm").count(b"\n") > 1


@probe("ipc", "lists the host's message queues")
def lists_queues(bait: Facts) -> object:
    return content("/proc/sysvipc/msg").count(b"\n") > 1


@probe("ipc", "opens a POSIX message queue of the host")
def posix_queue(bait: Facts) -> object:
    return call("mq_open", bait["mark"].encode(), os.O_RDONLY, 0, None) >= 0


@probe("ipc", "opens shared memory of the host by its name")
def posix_memory(bait: Facts) -> object:
    return content(f"/dev/shm/{bait['mark']}") == bait["token"].encode()


@probe("ipc", "writes to a named pipe of the host")
def named_pipe(bait: Facts) -> object:
    return os.open(bait["fifo"], os.O_WRONLY | os.O_NONBLOCK)


@probe("ipc", "asks the agent that SSH_AUTH_SOCK names")
def agent(bait: Facts) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["SSH_AUTH_SOCK"])
        return connection.recv(64)


@probe("ipc", "knows the host's name")
def host_name(bait: Facts) -> object:
    return platform.node() == bait["hostname"]


@probe("ipc", "changes the host's name")
def change_name(bait: Facts) -> object:
    socket.sethostname(socket.gethostname())
    return True


@probe("ipc", "shares a lock file with the host")
def lock(bait: Facts) -> object:
    import fcntl

    with open(bait["file"], "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return True


@probe("ipc", "watches a folder of the host")
def watches(bait: Facts) -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.inotify_add_watch(libc.inotify_init(), os.path.dirname(bait["file"]).encode(), 0xFFF) > 0


SERVICES = ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/containerd/containerd.sock",
            "/run/systemd/private", "/tmp/.X11-unix/X0", "/run/udev/control", "/run/snapd.socket")  # fmt: skip
each("ipc", "reaches {}", SERVICES, lambda bait, path: os.stat(path))
