"""Probes of the network: interfaces, routes, servers on the host's loopback, unusual kinds of sockets."""

import socket
import struct

from whet.sandbox.probes.probe import Facts, content, each, probe


@probe("network", "sees an interface besides loopback")
def interface(bait: Facts) -> object:
    return [name for _, name in socket.if_nameindex() if name != "lo"]


@probe("network", "has a route")
def route(bait: Facts) -> object:
    return content("/proc/net/route").count(b"\n") > 1


@probe("network", "connects to a server on the host's loopback")
def loopback(bait: Facts) -> object:
    with socket.create_connection(("127.0.0.1", bait["tcp"]), timeout=2) as connection:
        return connection.recv(64) == bait["token"].encode()


@probe("network", "connects to a server on the host's IPv6 loopback")
def loopback6(bait: Facts) -> object:
    with socket.create_connection(("::1", bait["tcp6"]), timeout=2) as connection:
        return connection.recv(64) == bait["token"].encode()


@probe("network", "connects to a server on the host by way of 0.0.0.0")
def any_address(bait: Facts) -> object:
    with socket.create_connection(("0.0.0.0", bait["tcp"]), timeout=2) as connection:
        return connection.recv(64) == bait["token"].encode()


@probe("network", "asks a datagram server on the host")
def datagram(bait: Facts) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(0.5)
        asking.sendto(b"?", ("127.0.0.1", bait["udp"]))
        return asking.recv(64) == bait["token"].encode()


@probe("network", "connects to an abstract socket of the host")
def abstract(bait: Facts) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + bait["abstract"])
        return connection.recv(64) == bait["token"].encode()


@probe("network", "connects to a socket in the host's file system")
def unix_path(bait: Facts) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(bait["socket"])
        return connection.recv(64) == bait["token"].encode()


@probe("network", "sends a datagram to an abstract socket of the host")
def abstract_datagram(bait: Facts) -> object:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sending:
        return sending.sendto(b"?", "\0" + bait["abstract"] + "-datagram")


@probe("network", "sees the host's listening ports")
def ports(bait: Facts) -> object:
    return f":{bait['tcp']:04X} ".encode() in content("/proc/net/tcp")


@probe("network", "sees the host's sockets by name")
def names(bait: Facts) -> object:
    return bait["abstract"].encode() in content("/proc/net/unix")


@probe("network", "knows the host's name servers")
def name_servers(bait: Facts) -> object:
    return b"nameserver" in content("/etc/resolv.conf")


@probe("network", "has a way to an address outside")
def way_out(bait: Facts) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 53))  # only looks up the route
        return asking.getsockname()[0]


@probe("network", "sends to a multicast group")
def multicast(bait: Facts) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        return sending.sendto(b"?", ("224.0.0.251", 5353))


@probe("network", "lists interfaces over netlink")
def netlink(bait: Facts) -> object:
    with socket.socket(16, socket.SOCK_RAW, 0) as asking:
        asking.settimeout(2)
        asking.send(struct.pack("=IHHII", 17, 18, 0x301, 1, 0) + b"\0")
        return asking.recv(65536)


@probe("network", "listens to the kernel's device events")
def device_events(bait: Facts) -> object:
    with socket.socket(16, socket.SOCK_DGRAM, 15) as listening:
        return listening.fileno()


@probe("network", "asks the kernel about other sockets")
def socket_diagnosis(bait: Facts) -> object:
    with socket.socket(16, socket.SOCK_RAW, 4) as asking:
        return asking.fileno()


FAMILIES = {
    "a packet socket": (17, socket.SOCK_RAW, 3),
    "a raw socket": (socket.AF_INET, socket.SOCK_RAW, 1),
    "a ping socket": (socket.AF_INET, socket.SOCK_DGRAM, 1),
    "a socket to the hypervisor": (40, socket.SOCK_STREAM, 0),
    "a socket of the kernel's cryptography": (38, 5, 0),
    "a Bluetooth socket": (31, 3, 1),
    "a TIPC socket": (30, socket.SOCK_STREAM, 0),
    "a CAN socket": (29, socket.SOCK_RAW, 1),
    "an XDP socket": (44, socket.SOCK_RAW, 0),
    "a key management socket": (15, socket.SOCK_RAW, 2),
}


def opens(bait: Facts, name: str) -> bool:
    with socket.socket(*FAMILIES[name]):
        return True


each("network", "opens {}", FAMILIES, opens)
