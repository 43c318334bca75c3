"""The seccomp filter, run by a small BPF interpreter for every system-call number."""

import errno
import struct

import pytest

from whet.sandbox import seccomp

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
BY_ARGUMENTS = ("clone", "socket", "socketpair", "ioctl", "fcntl", "personality")
CALLS = range(600)


def answer(program: bytes, number: int, architecture: int, *arguments: int) -> int:
    """Return the filter's answer to one system call."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    instructions = list(struct.iter_unpack("=HBBI", program))
    value, at = 0, 0
    while True:
        code, yes, no, operand = instructions[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x06:
            return int(operand)
        elif code == 0x05:
            at += operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += yes if holds else no


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("memory_is_counted", [True, False])
def test_every_call_gets_the_answer_in_the_tables(machine: str, memory_is_counted: bool) -> None:
    architecture, column = MACHINES[machine]
    program = seccomp.program(machine, memory_is_counted=memory_is_counted)
    assert program is not None
    expected = dict.fromkeys(CALLS, ALLOW)
    refused = (numbers[column] for numbers in seccomp._REFUSED.values())
    expected |= {number: ERRNO | errno.EPERM for number in refused if number is not None}
    if not memory_is_counted:
        expected |= {numbers[column]: ERRNO | errno.ENOSYS for numbers in seccomp._UNCOUNTED.values()}
    expected |= {numbers[column]: ERRNO | errno.ENOSYS for numbers in seccomp._ABSENT.values()}
    expected |= {numbers[column]: ERRNO for numbers in seccomp._DONE.values()}
    for name in BY_ARGUMENTS:
        del expected[seccomp._SPECIAL[name][column]]

    assert {number: answer(program, number, architecture) for number in expected} == expected


ARGUMENTS = [
    ("clone", (0x11,), ALLOW),
    ("clone", (0x10000000,), ERRNO | errno.EPERM),
    ("clone", (0x00020000,), ERRNO | errno.EPERM),
    ("socket", (1,), ALLOW),
    ("socket", (2,), ALLOW),
    ("socket", (10,), ALLOW),
    ("socket", (16,), ERRNO | errno.EAFNOSUPPORT),
    ("socket", (40,), ERRNO | errno.EAFNOSUPPORT),
    ("socket", (2, 1, 6), ALLOW),
    ("socket", (2, 2, 17), ALLOW),
    ("socket", (10, 2, 58), ALLOW),
    ("socket", (2, 2, 136), ERRNO | errno.EPROTONOSUPPORT),
    ("socket", (2, 1, 262), ERRNO | errno.EPROTONOSUPPORT),
    ("socket", (2, 1, 132), ERRNO | errno.EPROTONOSUPPORT),
    ("socketpair", (1,), ALLOW),
    ("socketpair", (17,), ERRNO | errno.EAFNOSUPPORT),
    ("personality", (0,), ALLOW),
    ("personality", (0xFFFFFFFF,), ALLOW),
    ("personality", (0x0040000,), ERRNO | errno.EPERM),
    ("ioctl", (0, 0x5401), ALLOW),
    ("ioctl", (0, 0x5412), ERRNO | errno.EPERM),
    ("ioctl", (0, 0x541C), ERRNO | errno.EPERM),
    ("ioctl", (0, 0x5423), ERRNO | errno.EPERM),
    ("ioctl", (0, 0x100005412), ERRNO | errno.EPERM),
    ("fcntl", (0, 6), ALLOW),
    ("fcntl", (0, 1030), ALLOW),
    ("fcntl", (0, 1024), ERRNO | errno.EPERM),
    ("fcntl", (0, 1026), ERRNO | errno.EPERM),
]


@pytest.mark.parametrize(("call", "arguments", "expected"), ARGUMENTS)
def test_calls_are_judged_by_their_arguments(
    machine: str, call: str, arguments: tuple[int, ...], expected: int
) -> None:
    architecture, column = MACHINES[machine]
    program = seccomp.program(machine)
    assert program is not None

    assert answer(program, seccomp._SPECIAL[call][column], architecture, *arguments) == expected


def test_a_call_through_another_table_kills_the_process(machine: str) -> None:
    architecture, _ = MACHINES[machine]
    program = seccomp.program(machine)
    assert program is not None

    assert answer(program, 0, 0x40000003) == KILL
    assert answer(program, 0x40000000 + 1, architecture) == KILL
