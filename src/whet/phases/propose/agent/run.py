"""Run an agent on a tree in the sandbox, with the proxy as its one way out."""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from whet.agent_proxy.allowance import Allowance, RunLimits
from whet.agent_proxy.endpoints import KEY_VARIABLES, OFFICIAL
from whet.agent_proxy.proxy import Proxy
from whet.agent_proxy.server import serving
from whet.agent_proxy.transcript import Transcript
from whet.agent_proxy.upstream import ProviderAccess, Upstream
from whet.config import AgentPolicy
from whet.domain.exchange import Exchange
from whet.errors import AgentMissing
from whet.kit import Kit
from whet.models.addresses import refusal, unlisted_host
from whet.models.meter import Meter
from whet.models.prices import price_of
from whet.phases.propose.agent import changes
from whet.phases.propose.agent.installed import InstalledAgent
from whet.phases.propose.agent.presets import filled, preset_of
from whet.sandbox.bubblewrap import DOOR_AT, INSIDE_AT
from whet.sandbox.sandbox import Finished, Job

PORT = 41851  # inside, on the sandbox's own loopback
_GRACE_SECONDS = 60.0  # to unpack the tree, make the repository and report the changes


@dataclass(frozen=True)
class AgentRun:
    """The end of a run: what the sandbox reports, and the use of the model."""

    finished: Finished
    allowance: Allowance
    last_problem: str


def run_agent(kit: Kit, agent: InstalledAgent, tree: str, task: str, files: Sequence[str], subject: str) -> AgentRun:
    """Run the agent to its end. Raise the error if whet could not record or pay a request."""
    policy = kit.policy.agent
    price = price_of(policy.priced)
    allowance = Allowance(Meter(kit.spending(), price, subject), price, _limits(policy))
    upstream = Upstream(provider_of(policy))
    transcript = Transcript(kit.state, _store_exchange(kit, subject))
    proxy = Proxy(upstream, allowance, transcript, policy.model, time.monotonic() + policy.seconds + _GRACE_SECONDS)
    with serving(proxy, upstream.close) as door:
        finished = kit.sandbox.run(agent_job(kit, agent, tree, task, files, door))
    if proxy.broken:
        raise proxy.broken
    return AgentRun(finished, allowance, proxy.last_problem)


def agent_job(kit: Kit, agent: InstalledAgent, tree: str, task: str, files: Sequence[str], door: str) -> Job:
    """Return the sandbox job: the tree, the agent's own folders, one socket, and the script that starts the agent."""
    policy = kit.policy.agent
    preset = preset_of(policy)
    address = f"http://127.0.0.1:{PORT}"
    values = {"task": task, "model": policy.model, "address": address, "base_url": f"{address}{version_path(policy)}"}
    arguments = [part for raw in preset.argv[1:] for part in (files if raw == "{files}" else [filled(raw, values)])]
    argv = (kit.suite.interpreter.path, "-I", f"{INSIDE_AT}/agent.py", "{results}")
    job = kit.suite.job(tree, argv, policy.seconds + _GRACE_SECONDS)
    request = {
        "argv": [agent.program, *arguments],
        "env": {name: filled(value, values) for name, value in preset.env.items()},
        "home": dict(preset.home),
        "seconds": policy.seconds,
        "port": PORT,
        "door": DOOR_AT,
        "most_files": changes.MOST_FILES,
        "most_bytes": changes.MOST_BYTES,
        "most_file_bytes": changes.MOST_FILE_BYTES,
    }
    return replace(agent_mounts(job, agent), stdin=json.dumps(request).encode(), door=door)


def agent_mounts(job: Job, agent: InstalledAgent) -> Job:
    """Return the job with the agent's folders readable and, after the project's own interpreter, on its PATH."""
    own, _, system = job.env["PATH"].partition(":")
    return replace(
        job,
        readable=tuple(dict.fromkeys((*job.readable, *agent.readable))),
        env={**job.env, "PATH": ":".join((own, *agent.path, system))},
    )


def provider_of(policy: AgentPolicy) -> ProviderAccess:
    """Return the real provider. Raise AgentMissing if its key is not in the environment, or if the settings name a server
    that the user has not listed.

    With a base URL of the policy's own, no key is sent unless the policy names its variable.
    """
    if host := unlisted_host(policy.base_url):
        raise AgentMissing(*refusal(host))
    variable = policy.key_variable or ("" if policy.base_url else KEY_VARIABLES[policy.wire])
    key = os.environ.get(variable, "").strip() if variable else ""
    if variable and not key:
        raise AgentMissing(
            f"the agent's model needs a key, and the environment has no {variable}",
            f"set {variable}, or name another variable in agent.key_variable",
        )
    return ProviderAccess(
        name=policy.wire,
        base_url=(policy.base_url or OFFICIAL[policy.wire]).rstrip("/"),
        key=key,
        timeout_seconds=policy.timeout_seconds,
    )


def version_path(policy: AgentPolicy) -> str:
    return "/v1beta" if policy.wire == "google" else "/v1"


def _limits(policy: AgentPolicy) -> RunLimits:
    return RunLimits(requests=policy.requests, tokens=policy.tokens, money=policy.money, max_tokens=policy.max_tokens)


def _store_exchange(kit: Kit, subject: str) -> Callable[[Exchange], None]:
    """Return a function that records an exchange under the number of its row, because a build may run again after a crash."""

    def append(exchange: Exchange) -> None:
        key = f"{subject}/propose/exchange/{exchange.at.isoformat()}/{exchange.number}"
        kit.ledger.append("propose", exchange, subject=subject, key=key)

    return append
