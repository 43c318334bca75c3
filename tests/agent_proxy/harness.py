"""A proxy on its real socket, with budgets in memory, and requests to it."""

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.models.test_meter import FakeBudgets
from whet.agent_proxy.allowance import Allowance, RunLimits
from whet.agent_proxy.proxy import Proxy
from whet.agent_proxy.server import serving
from whet.agent_proxy.transcript import Transcript
from whet.agent_proxy.upstream import ProviderAccess, Upstream
from whet.domain.exchange import Exchange
from whet.domain.reservation import Resource
from whet.models.meter import Meter
from whet.models.prices import Price

PRICE = Price(input=Decimal(1), output=Decimal(2), source="settings")
LIMITS = RunLimits(requests=20, tokens=100_000, money=Decimal(1), max_tokens=1_000)
DAY = 1_000_000


class Connection(http.client.HTTPConnection):
    """A connection to a UNIX socket."""

    def __init__(self, path: str) -> None:
        super().__init__("agent", timeout=20)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(20)
        self.sock.connect(self._path)


@dataclass
class Door:
    """The proxy's socket and all that the proxy wrote."""

    path: str
    proxy: Proxy
    allowance: Allowance
    budgets: FakeBudgets
    exchanges: list[Exchange] = field(default_factory=list)

    def post(
        self, target: str, body: Any, headers: dict[str, str] | None = None, method: str = "POST"
    ) -> tuple[int, bytes]:
        with contextlib.closing(Connection(self.path)) as connection:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, target, content, {"Authorization": "Bearer agents-own", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def chat(self, text: str = "hello", **more: Any) -> tuple[int, bytes]:
        return self.post("/v1/chat/completions", {"messages": [{"role": "user", "content": text}], **more})

    def spent_tokens(self) -> int:
        return DAY - self.budgets.left[Resource.TOKENS]


@contextlib.contextmanager
def door(
    base_url: str,
    state: Path,
    *,
    provider: str = "openai",
    key: str = "",
    limits: RunLimits = LIMITS,
    day: int = DAY,
    seconds: float = 60.0,
    timeout_seconds: float = 20.0,
) -> Iterator[Door]:
    state.chmod(0o700)
    budgets = FakeBudgets(day, DAY)
    allowance = Allowance(Meter(budgets, PRICE, "p-1"), PRICE, limits)
    upstream = Upstream(ProviderAccess(name=provider, base_url=base_url, key=key, timeout_seconds=timeout_seconds))
    exchanges: list[Exchange] = []
    proxy = Proxy(upstream, allowance, Transcript(state, exchanges.append), "big", time.monotonic() + seconds)
    with serving(proxy, upstream.close) as path:
        yield Door(path, proxy, allowance, budgets, exchanges)


def limited(**changes: Any) -> RunLimits:
    return replace(LIMITS, **changes)
