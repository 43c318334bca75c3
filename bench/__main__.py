from bench import overhead
from bench.table import show

print(show(overhead.measure()))
