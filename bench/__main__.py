from bench import canary, capture, guard, hook, opportunities, overhead, proof, repair, sandbox, shell
from bench.table import show

BENCHES = (sandbox, overhead, proof, shell, guard, hook, capture, opportunities, canary, repair)

print(show([row for bench in BENCHES for row in bench.measure()]))
