"""Run a program under Python's profiler and print the slowest functions. Runs in the sandbox, standard library only.

`time_functions.py SCRIPT ARGUMENT...` or `time_functions.py -m MODULE ARGUMENT...`. The last line of the output is JSON: [file, line, seconds] of
functions, the most seconds of their own code first. The program can print such a line too, so the reader trusts none of it.
"""

import atexit
import cProfile
import json
import os
import runpy
import sys

MOST = 200
PREFIX = "whet-profile:"


def main():
    sys.argv = sys.argv[1:]
    profiler = cProfile.Profile()
    atexit.register(report, profiler)
    if sys.argv[0] == "-m":
        module = sys.argv[1]
        sys.argv = sys.argv[1:]
        sys.path[0] = os.getcwd()
        profiler.enable()
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        profiler.enable()
        runpy.run_path(sys.argv[0], run_name="__main__")


def report(profiler):
    profiler.disable()
    rows = [
        [os.path.realpath(entry.code.co_filename), entry.code.co_firstlineno, entry.inlinetime]
        for entry in profiler.getstats()
        if not isinstance(entry.code, str) and os.path.exists(entry.code.co_filename)
    ]
    rows.sort(key=lambda row: -row[2])
    sys.stdout.flush()
    print(f"\n{PREFIX}{json.dumps(rows[:MOST])}", flush=True)


if __name__ == "__main__":
    main()
