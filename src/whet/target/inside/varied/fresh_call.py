"""Call a function of the project in a process that no test runner started, in another folder.

    python fresh_call.py

Reads one JSON object from standard input: `path` (sys.path), `module`, `name` (dotted), `line` (first line of the
function) and `calls` (arguments, pickled, as base64). Writes one JSON list with an answer for each call, or null.
Runs under the target's interpreter (3.9 or later), started by vary.py.
"""

import base64
import importlib
import importlib.util
import json
import os
import pickle
import sys


def load(name):
    """Load a module that lies beside this script or one folder up, without entering it in sys.modules."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, name + ".py") for folder in (here, os.path.dirname(here))]
    path = next(filter(os.path.exists, paths))
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


trials = load("trials")


def function_of(module, name, line):
    """Return the function without its decorators; raise LookupError if it is another one."""
    value = importlib.import_module(module)
    for part in name.split("."):
        value = vars(value)[part]
    for _ in range(8):
        inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or getattr(value, "__wrapped__", None)
        if inner is None:
            break
        value = inner
    if value.__code__.co_firstlineno != line:
        raise LookupError(name)
    return value


def main():
    request = json.loads(sys.stdin.read())
    out = os.dup(1)
    os.set_inheritable(out, False)
    sys.path[:] = request["path"]
    sys.argv[:] = ["app"]
    answers = []
    try:
        function = function_of(request["module"], request["name"], request["line"])
        caller = trials.ForkedCaller()
        for pickled in request["calls"]:
            arguments, named = pickle.loads(base64.b64decode(pickled))
            answers.append(caller.answer(function, arguments, named))
    except BaseException:
        answers = None
    os.write(out, json.dumps(answers).encode())
    os._exit(0)


main()
