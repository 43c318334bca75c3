"""Probes of the limits: each tries to use more of a resource than its sandbox allows.

On the host every probe must get the whole amount, and frees it when it ends.
"""

import ctypes
import mmap
import os
import signal
import socket
import threading
import time

from whet.sandbox.probes.probe import Facts, call, each, probe

MEGABYTE = 1024 * 1024
MEMORY = 120 * MEGABYTE
PROCESSES = 40
look_seconds = 0.0  # time for the watchdog to see it; outside there is none
FILES = 500
DISK = 24 * MEGABYTE
OUTPUT = 2 * MEGABYTE
CPU_SECONDS = 0.6
TOO_LONG_SECONDS = 1.1


def together(count: int, work: object) -> bool:
    """Run `work` in `count` processes that all exist at once; True if every one of them did its work."""
    reader, writer = os.pipe()
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            assert callable(work)
            work()
            os.write(writer, b".")
            time.sleep(30)
            os._exit(0)
        children.append(child)
    os.close(writer)
    done = b""
    while len(done) < count and (more := os.read(reader, count)):
        done += more
    time.sleep(look_seconds)
    for child in children:
        os.kill(child, signal.SIGKILL)
    return len(done) == count


def touched(size: int) -> bytearray:
    """Return memory whose pages have all been written, so that they are really there."""
    return bytearray(b"x") * size


def hold(resource: object) -> bool:
    """Hold a resource for as long as the watchdog needs to see it."""
    time.sleep(look_seconds)
    return resource is not None


@probe("resources", "takes much memory in one process", alone=True)
def memory(bait: Facts) -> object:
    return hold(touched(MEMORY))


@probe("resources", "takes much memory over many processes", alone=True)
def memory_together(bait: Facts) -> object:
    kept = []
    return together(10, lambda: kept.append(touched(MEMORY // 10)))


@probe("resources", "takes memory that no process has mapped", alone=True)
def memory_file(bait: Facts) -> object:
    descriptor = os.memfd_create("probe")
    for _ in range(MEMORY // MEGABYTE):
        os.write(descriptor, bytes(MEGABYTE))
    return hold(descriptor)


@probe("resources", "takes memory in System V segments", alone=True)
def segments(bait: Facts) -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    made = []
    try:
        for _ in range(8):
            made.append(call("shmget", 0, MEMORY // 8, 0o1600))
            address = libc.shmat(made[-1], None, 0)
            ctypes.memset(address, 120, MEMORY // 8)
            libc.shmdt(ctypes.c_void_p(address))
        return hold(made)
    finally:
        for segment in made:
            call("shmctl", segment, 0, 0)


@probe("resources", "takes shared memory and drops it from its own account", alone=True)
def dropped(bait: Facts) -> object:
    kept = []
    for _ in range(8):
        piece = mmap.mmap(-1, MEMORY // 8)
        piece.write(b"x" * (MEMORY // 8))
        piece.madvise(mmap.MADV_DONTNEED)
        kept.append(piece)
    return hold(kept)


@probe("resources", "takes memory in the buffers of sockets", alone=True)
def buffers(bait: Facts) -> object:
    kept: list[tuple[socket.socket, socket.socket]] = []
    total = 0
    while total < MEMORY and len(kept) < 6000:
        pair = socket.socketpair()
        kept.append(pair)
        for end in pair:
            end.setblocking(False)  # noqa: FBT003 - the library's own form
            try:
                while True:
                    total += end.send(b"x" * 65536)
            except BlockingIOError:
                continue
    return hold(kept) and total >= MEMORY


@probe("resources", "takes memory as files", alone=True)
def memory_files(bait: Facts) -> object:
    return fills(bait["scratch"], DISK)


@probe("resources", "starts many processes", alone=True)
def forks(bait: Facts) -> object:
    return together(PROCESSES, lambda: None)


@probe("resources", "starts many threads", alone=True)
def threads(bait: Facts) -> object:
    stop = threading.Event()
    started = [threading.Thread(target=stop.wait) for _ in range(PROCESSES)]
    for thread in started:
        thread.start()
    time.sleep(look_seconds)
    stop.set()
    return True


@probe("resources", "starts many processes from a thread", alone=True)
def forks_from_thread(bait: Facts) -> object:
    results: list[bool] = []
    thread = threading.Thread(target=lambda: results.append(together(PROCESSES, lambda: None)))
    thread.start()
    thread.join()
    return all(results) and results


@probe("resources", "starts a long chain of processes", alone=True)
def chain(bait: Facts) -> object:
    """Start processes that are each the child of the one before; the last reports that it runs."""
    reader, writer = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        for _ in range(PROCESSES):
            if child := os.fork():
                os.waitpid(child, 0)
                os._exit(0)
        time.sleep(look_seconds)
        os.write(writer, b".")
        os._exit(0)
    os.close(writer)
    return os.read(reader, 1) == b"."


@probe("resources", "starts processes that leave their parent", alone=True)
def orphans(bait: Facts) -> object:
    reader, writer = os.pipe()
    for _ in range(PROCESSES):
        if (child := os.fork()) == 0:
            if os.fork() == 0:
                os.setsid()
                os.write(writer, b".")
                time.sleep(2)
            os._exit(0)
        os.waitpid(child, 0)
    os.close(writer)
    time.sleep(look_seconds)
    return len(os.read(reader, PROCESSES)) == PROCESSES


@probe("resources", "burns processor time in one process", alone=True)
def burns(bait: Facts) -> object:
    return burn(CPU_SECONDS)


@probe("resources", "burns processor time over many processes", alone=True)
def burns_together(bait: Facts) -> object:
    return together(8, lambda: burn(CPU_SECONDS / 8))


@probe("resources", "burns processor time in children that nobody waits for", alone=True)
def burns_unseen(bait: Facts) -> object:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(8):
        if os.fork() == 0:
            burn(CPU_SECONDS / 8)
            os._exit(0)
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return True


def burn(seconds: float) -> bool:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return True


@probe("resources", "sleeps beyond its time", alone=True)
def sleeps(bait: Facts) -> object:
    time.sleep(TOO_LONG_SECONDS)
    return True


@probe("resources", "stops itself beyond its time", alone=True)
def stopped(bait: Facts) -> object:
    """Stop a child with SIGSTOP and wait: a stopped process must be ended too."""
    child = os.fork()
    if child == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    time.sleep(TOO_LONG_SECONDS)
    os.kill(child, signal.SIGKILL)
    return True


def fills(folder: str, size: int) -> bool:
    names = [f"{folder}/fill-{os.getpid()}-{number}" for number in range(size // (2 * MEGABYTE))]
    try:
        for name in names:
            with open(name, "wb") as file:
                file.write(bytes(2 * MEGABYTE))
        return hold(names)
    finally:
        for name in names:
            if os.path.exists(name):
                os.unlink(name)


each("resources", "fills {}", ("/tmp", "/var/tmp", "/dev/shm"), lambda bait, place: fills(place, DISK), alone=True)


@probe("resources", "fills every folder that it may write to", alone=True)
def fills_all(bait: Facts) -> object:
    places = (bait["scratch"], "/tmp", "/var/tmp", "/dev/shm", os.environ["HOME"], "/dev", "/run", "/", "/etc", "/var")
    written, made = 0, []
    for place in places:
        name = f"{place}/fill-{os.getpid()}"
        try:
            with open(name, "wb") as file:
                for _ in range(DISK // MEGABYTE):
                    file.write(bytes(MEGABYTE))
                    file.flush()
                    written += MEGABYTE
        except OSError:
            continue
        finally:
            made.append(name)
    for name in filter(os.path.exists, made):
        os.unlink(name)
    return written >= 2 * DISK


@probe("resources", "makes one file too large", alone=True)
def one_file(bait: Facts) -> object:
    name = f"{bait['scratch']}/large-{os.getpid()}"
    try:
        with open(name, "wb") as file:
            file.write(bytes(8 * MEGABYTE))
        return True
    finally:
        os.unlink(name)


def many(make: object, folder: str) -> bool:
    assert callable(make)
    place = f"{folder}/many-{os.getpid()}"
    os.mkdir(place)
    try:
        for number in range(FILES):
            make(f"{place}/{number}")
        return hold(place)
    finally:
        import shutil

        shutil.rmtree(place)


@probe("resources", "makes many empty files", alone=True)
def empty_files(bait: Facts) -> object:
    return many(lambda name: os.close(os.open(name, os.O_CREAT)), bait["scratch"])


@probe("resources", "makes many folders", alone=True)
def folders(bait: Facts) -> object:
    return many(os.mkdir, "/tmp")


@probe("resources", "makes many links", alone=True)
def links(bait: Facts) -> object:
    return many(lambda name: os.symlink("x" * 200, name), "/dev/shm")


@probe("resources", "floods its output", alone=True)
def floods(bait: Facts) -> object:
    for _ in range(OUTPUT // 65536):
        os.write(2, b"x" * 65536)
    return hold(bait)


@probe("resources", "floods its output with empty lines", alone=True)
def floods_lines(bait: Facts) -> object:
    for _ in range(OUTPUT // 65536):
        os.write(1, b"\n" * 65536)
    return hold(bait)


@probe("resources", "floods its results", alone=True)
def floods_results(bait: Facts) -> object:
    for _ in range(OUTPUT // 65536):
        os.write(bait["results"], b"x" * 65536)
    return hold(bait)


@probe("resources", "leaves a daemon behind", alone=True, survives=True)
def daemon(bait: Facts) -> object:
    return leave(bait, lambda: None)


@probe("resources", "leaves a daemon behind that ignores signals", alone=True, survives=True)
def stubborn(bait: Facts) -> object:
    return leave(bait, lambda: [signal.signal(number, signal.SIG_IGN) for number in (1, 2, 3, 13, 15)])


@probe("resources", "leaves a stopped process behind", alone=True, survives=True)
def frozen(bait: Facts) -> object:
    return leave(bait, lambda: None, stop=True)


@probe("resources", "leaves a daemon behind that holds no descriptor", alone=True, survives=True)
def bare(bait: Facts) -> object:
    return leave(bait, lambda: os.closerange(0, 4096))


def leave(bait: Facts, prepare: object, *, stop: bool = False) -> bool:
    """Leave a grandchild in a session of its own behind; the host recognises it by its name."""
    assert callable(prepare)
    ready, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if (child := os.fork()) == 0:
            prepare()
            os.execv("/bin/sleep", [bait["mark"] + "-left", "60"])
        time.sleep(0.1)
        if stop:
            os.kill(child, signal.SIGSTOP)
        os.write(writer, b".")
        os._exit(0)
    os.read(ready, 1)
    return True
