from bench import overhead, proof
from bench.table import show

print(show([*overhead.measure(), *proof.measure()]))
