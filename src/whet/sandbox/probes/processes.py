import os
import resource
import signal

from whet.sandbox.probes.probe import Bait, call, content, pids, probe, reaches, somewhere


@probe("process", "sees a process of the host")
def sees(bait: Bait) -> object:
    return somewhere("cmdline", bait["mark"].encode())


@probe("process", "sees more processes than its own")
def counts(bait: Bait) -> object:
    return len(pids()) > 8


@probe("process", "signals a process of the host")
def signals(bait: Bait) -> object:
    os.kill(bait["pid"], signal.SIGCONT)
    return True


@probe("process", "signals a process group of the host")
def signals_group(bait: Bait) -> object:
    os.killpg(bait["pid"], signal.SIGCONT)
    return True


@probe("process", "traces a process of the host")
def traces(bait: Bait) -> object:
    return call("ptrace", 0x4206, bait["pid"], 0, 0) == 0  # lets go when this process ends


@probe("process", "traces its own child")
def traces_child(bait: Bait) -> object:
    child = os.fork()
    if child == 0:
        try:
            call("ptrace", 0, 0, 0, 0)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@probe("process", "reads the memory of a process of the host")
def reads_memory(bait: Bait) -> object:
    return reaches("process_vm_readv", bait["pid"], 0, 0, 0, 0, 0)


@probe("process", "opens the memory of a process of the host")
def opens_memory(bait: Bait) -> object:
    return os.open(f"/proc/{bait['pid']}/mem", os.O_RDWR)


@probe("process", "opens the memory of the first process")
def opens_first_memory(bait: Bait) -> object:
    return os.open("/proc/1/mem", os.O_RDWR)


@probe("process", "holds a process of the host by descriptor")
def holds(bait: Bait) -> object:
    return os.pidfd_open(bait["pid"])


@probe("process", "takes a descriptor from a process of the host")
def takes_descriptor(bait: Bait) -> object:
    return call("pidfd_getfd", os.pidfd_open(bait["pid"]), 0, 0)


@probe("process", "compares kernel objects with another process")
def compares(bait: Bait) -> object:
    return call("kcmp", os.getpid(), os.getppid(), 1, 0, 0) >= 0


@probe("process", "changes the priority of a process of the host")
def renices(bait: Bait) -> object:
    os.setpriority(os.PRIO_PROCESS, bait["pid"], os.getpriority(os.PRIO_PROCESS, bait["pid"]))
    return True


@probe("process", "changes the limits of a process of the host")
def limits(bait: Bait) -> object:
    known = resource.prlimit(bait["pid"], resource.RLIMIT_NOFILE)
    return resource.prlimit(bait["pid"], resource.RLIMIT_NOFILE, known)


@probe("process", "moves a process of the host to another processor")
def moves(bait: Bait) -> object:
    os.sched_setaffinity(bait["pid"], os.sched_getaffinity(bait["pid"]))
    return True


@probe("process", "is root")
def is_root(bait: Bait) -> object:
    return os.geteuid() == 0


@probe("process", "is root for the kernel")
def is_kernel_root(bait: Bait) -> object:
    """Files of the host that belong to root are its own."""
    return os.stat("/usr").st_uid == os.geteuid()


@probe("process", "becomes root")
def becomes_root(bait: Bait) -> object:
    os.setresuid(0, 0, 0)
    return True


@probe("process", "joins another group")
def joins_group(bait: Bait) -> object:
    os.setgroups([0])
    return True


@probe("process", "has capabilities")
def capabilities(bait: Bait) -> object:
    return any(int(_status(kind), 16) for kind in ("CapEff", "CapPrm", "CapInh", "CapAmb"))


@probe("process", "could have capabilities")
def bounding_set(bait: Bait) -> object:
    return int(_status("CapBnd"), 16) and _status("NoNewPrivs") == "0"


@probe("process", "may gain privileges from a setuid program")
def gains(bait: Bait) -> object:
    return _status("NoNewPrivs") == "0"


@probe("process", "runs without a system-call filter")
def unfiltered(bait: Bait) -> object:
    return _status("Seccomp") == "0"


@probe("process", "has a descriptor that whet had open")
def inherited(bait: Bait) -> object:
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}") == bait["file"]:
                return True
        except OSError:
            continue
    return False


@probe("process", "takes real-time priority")
def real_time(bait: Bait) -> object:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return True


@probe("process", "puts itself before others")
def nice(bait: Bait) -> object:
    return os.nice(-5) < 0


@probe("process", "raises its own limits")
def raises(bait: Bait) -> object:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return True


@probe("process", "hides from the out-of-memory killer")
def unkillable(bait: Bait) -> object:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    return content("/proc/self/oom_score_adj").strip() == b"-1000"


@probe("process", "joins the namespaces of another process")
def joins(bait: Bait) -> object:
    return call("setns", os.open(f"/proc/{os.getppid()}/ns/uts", os.O_RDONLY), 0) == 0


@probe("process", "sees the control group that it is in")
def group(bait: Bait) -> object:
    return any(line.split(b":", 2)[2] != b"/" for line in content("/proc/self/cgroup").splitlines())


def _status(key: str) -> str:
    for line in content("/proc/self/status").decode().splitlines():
        if line.startswith(f"{key}:"):
            return line.split()[1]
    return "0"
