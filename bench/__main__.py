from bench import overhead, proof, sandbox
from bench.table import show

print(show([*sandbox.measure(), *overhead.measure(), *proof.measure()]))
