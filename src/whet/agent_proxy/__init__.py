"""The proxy of coding agents: the one way from an agent in the sandbox to a model.

The proxy knows the provider's address and key; the agent has neither. `server.py` listens on a UNIX socket, `endpoints.py`
lists the requests that it takes, `outgoing.py` rewrites them, `allowance.py` reserves and settles their cost, `upstream.py`
sends them, `transcript.py` records them.
"""
