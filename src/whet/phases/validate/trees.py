"""The git trees that the suite runs on: which files come from the base and which from the patch."""

from collections.abc import Iterable
from dataclasses import dataclass

from whet.domain.suite import SuiteReport
from whet.errors import SuiteBroken
from whet.git.git import Git
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.test_ids import split_id
from whet.phases.validate.test_files import belongs_to_tests, needs_sources


@dataclass(frozen=True)
class Trees:
    """The trees of one proof: `base` is the base with the trusted tests, `patched` the patch with the tests of the base.

    `own_tests` are the test files of the patch that `patched` takes from the base.
    """

    base: str
    patched: str
    own_tests: tuple[str, ...]


def tree_of_base(claim: Claim, git: Git) -> str:
    """Return the base with the trusted tests of the patch."""
    return _with_trusted_tests(git.tree_of(claim.patch.base), claim, git)


def reverted_tree(claim: Claim, git: Git) -> str:
    """Return the tree after the patch was applied in reverse, with the trusted tests.

    Raises SuiteBroken if the result is not the base: then the revert would not prove anything.
    """
    patch = claim.patch
    tree = git.apply(patch.tree, git.diff(patch.base, patch.tree), reverse=True)
    if tree is None or tree != git.tree_of(patch.base):
        raise SuiteBroken("reverting the patch does not restore the base")
    return _with_trusted_tests(tree, claim, git)


def make_trees(claim: Claim, base: SuiteReport, kit: Kit) -> Trees:
    """Return the base tree and the patched tree of a patch.

    The patched tree is the patch, but test files come from the base: files that are tests by name, contain tests or are
    used only by tests. Trusted tests stay as in the patch; the paths in `claim.restored` come from the base too.
    """
    git, patch = kit.git, claim.patch
    base_tree = git.tree_of(patch.base)
    with_tests = {split_id(test)[0] for test in base.outcomes if not _is_doctest_in_code(test, base)}
    tests = {path for path in patch.paths if kit.is_test(path) or path in with_tests}
    tests |= _files_for_tests(base_tree, [path for path in patch.paths if path not in tests], with_tests, kit)
    own = [path for path in patch.paths if path in tests and path not in claim.trusted_tests]
    from_base = [*own, *claim.restored]
    patched = git.with_entries(patch.tree, base_tree, from_base) if from_base else patch.tree
    return Trees(base=tree_of_base(claim, git), patched=patched, own_tests=tuple(own))


def _with_trusted_tests(tree: str, claim: Claim, git: Git) -> str:
    trusted = [path for path in claim.patch.paths if path in claim.trusted_tests]
    return git.with_entries(tree, claim.patch.tree, trusted) if trusted else tree


def _files_for_tests(tree: str, paths: Iterable[str], with_tests: set[str], kit: Kit) -> set[str]:
    """Return the paths that only tests use. The sources are read only if the name of a path does not decide it."""
    unclear = [path for path in paths if needs_sources(path, with_tests)]
    if not unclear:
        return set()
    python = [path for path in kit.git.files(tree) if path.endswith(".py")]
    sources = {path: text.decode(errors="replace") for path, text in kit.git.read_all(tree, python).items()}
    tests = {path for path in sources if path in with_tests or kit.is_test(path)}
    return {path for path in unclear if belongs_to_tests(path, sources, tests, with_tests)}


def _is_doctest_in_code(test: str, report: SuiteReport) -> bool:
    """True for an example in a docstring: its file is code. A text file with examples is a test file."""
    return is_doctest(test, report) and split_id(test)[0].endswith(".py")
