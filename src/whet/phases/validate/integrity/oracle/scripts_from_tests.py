"""Turn the test functions of a file into scripts: the queries go into the sandbox, the expected values stay outside."""

import ast
import hashlib
from collections.abc import Iterator, Sequence

from whet.phases.validate.integrity.oracle.parameters import parameter_sets
from whet.phases.validate.integrity.oracle.script import FileScripts, Script
from whet.phases.validate.integrity.oracle.script_builder import ScriptBuilder
from whet.phases.validate.integrity.oracle.test_class import self_state
from whet.phases.validate.integrity.oracle.test_module import ModuleNames
from whet.phases.validate.integrity.test_ids import functions
from whet.pyast.bindings import read_names
from whet.pyast.functions import Function


def scripts_of_tests(source: bytes, package: str, conftests: Sequence[bytes] = ()) -> FileScripts | None:
    """Return the scripts of a test file; None if it does not parse.

    Tests that need the runner, or a set-up that does more than assign, get no script. `conftests` are the conftest files
    that apply to the file, the outermost first.
    """
    try:
        tree = ast.parse(source)
        module = ModuleNames(tree, package, [ast.parse(conftest) for conftest in conftests])
    except (SyntaxError, ValueError, RecursionError):
        return None
    file = FileScripts(imports="")
    if module.has_set_up:
        return file
    file_key = hashlib.sha256(source).hexdigest()[:8]
    for name, node in functions(tree):
        if node.name.startswith("test"):
            scripts = list(_scripts(name, node, module, file_key))
            if scripts:
                file.scripts[name] = scripts
    used = read_names([ast.parse(script.source) for scripts in file.scripts.values() for script in scripts])
    file.imports = module.imports_for(used)
    return file


def _scripts(name: str, node: Function, module: ModuleNames, file_key: str) -> Iterator[Script]:
    """Yield a script for each parameter set, an empty script if it cannot be built: positions must match."""
    state = self_state(name, module)
    parameters = parameter_sets(node, module)
    is_generator = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))
    if state is None or parameters is None or is_generator:
        return
    for number, values in enumerate(parameters):
        key = hashlib.sha256(f"{file_key}:{name}:{number}".encode()).hexdigest()[:12]
        yield ScriptBuilder(module, state, values, key).build(node) or Script("", [])
