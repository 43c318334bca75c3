from bench import canary, guard, hook, opportunities, overhead, proof, recorder, repair, sandbox, shell
from bench.table import show

BENCHES = (sandbox, overhead, proof, shell, guard, hook, recorder, opportunities, canary, repair)

print(show([row for bench in BENCHES for row in bench.measure()]))
