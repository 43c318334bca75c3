"""When a canary, an A/B trial, a shadow or a watch has shown enough.

Every test here is an e-process: a bet against "nothing is worse" whose capital is at most 1 on average for as long as
that is true. Capital of 1/alpha therefore turns up with a chance of at most alpha, over all looks together, so a caller
may look after every call and stop when it likes. Evidence is kept as the natural logarithm of that capital.

Pure functions of counters: a look costs the same after a thousand calls as after ten.
"""
