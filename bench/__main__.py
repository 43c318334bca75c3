from bench import canary, guard, overhead, proof, repair, sandbox, shell
from bench.table import show

BENCHES = (sandbox, overhead, proof, shell, guard, repair, canary)

print(show([row for bench in BENCHES for row in bench.measure()]))
