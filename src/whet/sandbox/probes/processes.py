"""Probes of other processes and of the process's own privileges."""

import os
import resource
import signal

from whet.sandbox.probes.probe import Facts, call, content, pids, probe, reaches, somewhere


@probe("process", "sees a process of the host")
def sees(bait: Facts) -> object:
    return somewhere("cmdline", bait["mark"].encode())


@probe("process", "sees more processes than its own")
def counts(bait: Facts) -> object:
    return len(pids()) > 8


@probe("process", "signals a process of the host")
def signals(bait: Facts) -> object:
    os.kill(bait["pid"], signal.SIGCONT)
    return True


@probe("process", "signals a process group of the host")
def signals_group(bait: Facts) -> object:
    os.killpg(bait["pid"], signal.SIGCONT)
    return True


@probe("process", "traces a process of the host")
def traces(bait: Facts) -> object:
    return call("ptrace", 0x4206, bait["pid"], 0, 0) == 0  # PTRACE_SEIZE; detaches when this process ends


@probe("process", "traces its own child")
def traces_child(bait: Facts) -> object:
    child = os.fork()
    if child == 0:
        try:
            call("ptrace", 0, 0, 0, 0)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@probe("process", "reads the memory of a process of the host")
def reads_memory(bait: Facts) -> object:
    return reaches("process_vm_readv", bait["pid"], 0, 0, 0, 0, 0)


@probe("process", "opens the memory of a process of the host")
def opens_memory(bait: Facts) -> object:
    return os.open(f"/proc/{bait['pid']}/mem", os.O_RDWR)


@probe("process", "opens the memory of the first process")
def opens_first_memory(bait: Facts) -> object:
    return os.open("/proc/1/mem", os.O_RDWR)


@probe("process", "holds a process of the host by descriptor")
def holds(bait: Facts) -> object:
    return os.pidfd_open(bait["pid"])


@probe("process", "takes a descriptor from a process of the host")
def takes_descriptor(bait: Facts) -> object:
    return call("pidfd_getfd", os.pidfd_open(bait["pid"]), 0, 0)


@probe("process", "compares kernel objects with another process")
def compares(bait: Facts) -> object:
    return call("kcmp", os.getpid(), os.getppid(), 1, 0, 0) >= 0


@probe("process", "changes the priority of a process of the host")
def renices(bait: Facts) -> object:
    os.setpriority(os.PRIO_PROCESS, bait["pid"], os.getpriority(os.PRIO_PROCESS, bait["pid"]))
    return True


@probe("process", "changes the limits of a process of the host")
def limits(bait: Facts) -> object:
    present = resource.prlimit(bait["pid"], resource.RLIMIT_NOFILE)
    return resource.prlimit(bait["pid"], resource.RLIMIT_NOFILE, present)


@probe("process", "moves a process of the host to another processor")
def moves(bait: Facts) -> object:
    os.sched_setaffinity(bait["pid"], os.sched_getaffinity(bait["pid"]))
    return True


@probe("process", "is root")
def is_root(bait: Facts) -> object:
    return os.geteuid() == 0


@probe("process", "owns the files of the host's root")
def is_kernel_root(bait: Facts) -> object:
    """Compare with the owner of /usr: in a user namespace, an id of 0 alone would prove nothing."""
    return os.stat("/usr").st_uid == os.geteuid()


@probe("process", "becomes root")
def becomes_root(bait: Facts) -> object:
    os.setresuid(0, 0, 0)
    return True


@probe("process", "joins another group")
def joins_group(bait: Facts) -> object:
    os.setgroups([0])
    return True


@probe("process", "has capabilities")
def capabilities(bait: Facts) -> object:
    return any(int(_status(kind), 16) for kind in ("CapEff", "CapPrm", "CapInh", "CapAmb"))


@probe("process", "could have capabilities")
def bounding_set(bait: Facts) -> object:
    return int(_status("CapBnd"), 16) and _status("NoNewPrivs") == "0"


@probe("process", "may gain privileges from a setuid program")
def gains(bait: Facts) -> object:
    return _status("NoNewPrivs") == "0"


@probe("process", "runs without a system-call filter")
def unfiltered(bait: Facts) -> object:
    return _status("Seccomp") == "0"


@probe("process", "has a descriptor that whet had open")
def inherited(bait: Facts) -> object:
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}") == bait["file"]:
                return True
        except OSError:
            continue
    return False


@probe("process", "takes real-time priority")
def real_time(bait: Facts) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


@probe("process", "raises its own priority")
def nice(bait: Facts) -> object:
    return os.nice(-5) < 0


@probe("process", "raises its own limits")
def raises(bait: Facts) -> object:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return True


@probe("process", "hides from the out-of-memory killer")
def unkillable(bait: Facts) -> object:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    return content("/proc/self/oom_score_adj").strip() == b"-1000"


@probe("process", "joins the namespaces of another process")
def joins(bait: Facts) -> object:
    return call("setns", os.open(f"/proc/{os.getppid()}/ns/uts", os.O_RDONLY), 0) == 0


@probe("process", "sees the control group that it is in")
def group(bait: Facts) -> object:
    return any(line.split(b":", 2)[2] != b"/" for line in content("/proc/self/cgroup").splitlines())


def _status(key: str) -> str:
    for line in content("/proc/self/status").decode().splitlines():
        if line.startswith(f"{key}:"):
            return line.split()[1]
    return "0"
