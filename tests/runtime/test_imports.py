"""The capturing and the reloading half of the runtime stay apart, and no module imports itself in a circle."""

from collections.abc import Iterator

import grimp
import pytest


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Return all imports of whet, those inside functions included and those for type checking left out."""
    return grimp.build_graph("whet", exclude_type_checking_imports=True)


def runtime_imports(graph: grimp.ImportGraph) -> Iterator[tuple[str, str]]:
    for importer in sorted(graph.modules):
        if importer.startswith("whet.runtime."):
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                yield importer, imported


def test_capture_and_reload_do_not_import_each_other(graph: grimp.ImportGraph) -> None:
    crossing = [
        (importer, imported)
        for importer, imported in runtime_imports(graph)
        if {importer.split(".")[2], imported.split(".")[2] if imported.count(".") > 1 else ""} == {"capture", "reload"}
    ]
    assert crossing == []


def test_no_runtime_module_imports_itself_in_a_circle(graph: grimp.ImportGraph) -> None:
    pairs = list(runtime_imports(graph))
    assert len(pairs) > 30
    circular = [(importer, imported) for importer, imported in pairs if graph.chain_exists(imported, importer)]
    assert circular == []
