"""Sequential tests that decide when a canary, an A/B trial, a shadow or a watch has seen enough.

Every test here is an e-process: a bet against the hypothesis "the candidate is not worse". While the hypothesis is true,
the expected capital of the bet is at most 1. So the chance that the capital ever reaches 1/alpha is at most alpha, over
all looks together, and a caller may look after every call and stop at any time. `log_e` is the natural logarithm of the
capital.

All functions are pure functions of counters: a look costs the same after a thousand calls as after ten.
"""
