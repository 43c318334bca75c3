"""Safeguards that a patch must get past after its tests are green, because the tests run in one process with it.

Each asks a question to which a fix has one answer and a cheat another: do planted tests fail, do the same tests fail
when they expect something else, do they fail when the changed functions do nothing, does the code give the same
values where no test runs.
"""
