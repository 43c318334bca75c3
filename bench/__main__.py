from bench import overhead, proof, sandbox, shell
from bench.table import show

print(show([*shell.measure(), *sandbox.measure(), *overhead.measure(), *proof.measure()]))
