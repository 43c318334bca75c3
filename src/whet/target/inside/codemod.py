"""Apply a LibCST codemod of the project to files of the tree. Runs in the sandbox, under the target's interpreter (3.9 or later).

`codemod.py RESULTS` reads one JSON object from its standard input: `command` (MODULE:CLASS), `arguments` for the class, and the
`paths` of the files. It writes one JSON line for each file that the codemod changes or cannot change. The codemod is the
project's own code, so the reader trusts nothing in the lines.
"""

import importlib
import json
import os
import sys


def main():
    out = os.fdopen(int(sys.argv[1]), "w")
    request = json.loads(sys.stdin.buffer.read())
    sys.path[:1] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
    try:
        import libcst
        from libcst.codemod import CodemodContext, SkipFile
    except ImportError:
        print(json.dumps({"problem": "libcst is not installed in the environment of the project's tests"}), file=out)
        return
    try:
        module, _, name = request["command"].partition(":")
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as problem:
        print(json.dumps({"problem": f"{request['command']} cannot be imported: {problem}"[:500]}), file=out)
        return
    for path in request["paths"]:
        with open(path, "rb") as file:
            before = file.read()
        try:
            codemod = kind(CodemodContext(filename=path), **request["arguments"])
            after = codemod.transform_module(libcst.parse_module(before)).bytes
        except SkipFile:
            continue
        except Exception as problem:
            print(json.dumps({"path": path, "problem": f"{type(problem).__name__}: {problem}"[:500]}), file=out)
            continue
        if after != before:
            print(json.dumps({"path": path, "text": after.decode()}), file=out)
    print(json.dumps({"end": True}), file=out)


if __name__ == "__main__":
    main()
