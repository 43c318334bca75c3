"""Check, for `whet doctor`, that the configured agent can be started. Nothing is sent to its model."""

from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.errors import AgentMissing
from whet.kit import Kit
from whet.models.prices import price_of
from whet.phases.propose.agent.installed import find_agent
from whet.phases.propose.agent.run import agent_mounts, provider_of

_SECONDS = 120
_SHOWN = 200


def check_agent(kit: Kit) -> str:
    """Start the agent's program with `--version` in the sandbox. Raise AgentMissing if it fails or the key is missing."""
    policy = kit.policy.agent
    agent = find_agent(policy, kit.git.root)
    job = agent_mounts(kit.suite.job(kit.git.tree_of("HEAD"), (agent.program, "--version"), _SECONDS), agent)
    finished = kit.sandbox.run(job)
    output = one_line(redact(finished.output.strip())[-_SHOWN:])
    if finished.problem or finished.exit_code in (126, 127):
        raise AgentMissing(
            f"{agent.program} does not start in the sandbox: {finished.problem or output}",
            "its files must be readable for other users, and the folders that it needs must be part of agent.install",
        )
    provider_of(policy)
    price = price_of(policy.priced)
    engines = "" if "agent" in kit.policy.propose.engines else '; not used: "agent" is not in propose.engines'
    return (
        f"{policy.preset} starts ({output or 'it prints no version'}); {policy.model} at prices from {price.source}: "
        f"{price.input} and {price.output} for a million tokens{engines}"
    )
