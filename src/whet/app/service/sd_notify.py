"""Report the state of the service to systemd: ready, alive or stopping. Without systemd nothing is sent."""

import os
import socket


def notify_systemd(state: str) -> None:
    """Send one state, such as READY=1, to the socket that systemd named in the environment."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    target = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as messages:
        try:
            messages.sendto(state.encode(), target)
        except OSError:
            return  # systemd then restarts the service by its watchdog, which is the right thing
