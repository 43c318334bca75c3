"""Ask the code for the values that tests compare, in a process without a test runner, and judge them outside.

Neither the expected values nor the tests go into the sandbox. A value that is right only under a test runner, or only
because its class claims to be equal to everything, is found out here.
"""
