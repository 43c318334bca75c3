"""Attestations of proofs: sign them, and verify them without running anything."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whet.app.project import Project
from whet.config import parse
from whet.domain.attestation import read_attestation
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.evidence import Evidence
from whet.domain.own_files import FILE_NAME
from whet.domain.verdict import Verdict
from whet.errors import BadAttestation, BadSignature, Corrupt, EnvironmentProblem, OtherTree, Refused, UsageError
from whet.files import MB, read_file
from whet.git.git import Git
from whet.phases.approve.enrolments import SIGNERS
from whet.phases.validate.step import conclude
from whet.signing import keygen, signers, sshsig
from whet.store.codec import decode

NAMESPACE = sshsig.ATTESTATION_NAMESPACE
_LARGEST_ATTESTATION = 20 * MB
_LARGEST_LIST = MB
UNSIGNED = "unsigned: anybody could have written this file"


@dataclass(frozen=True, kw_only=True)
class VerifiedAttestation:
    """An attestation that holds. `verified` and `not_verified` say what that means, one clause each.

    `signed_by` are the people whose signature was checked; empty if the file is unsigned or the key is nobody's.
    """

    evidence: Evidence
    digest: str
    signed_by: tuple[str, ...]
    verified: tuple[str, ...]
    not_verified: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Demands:
    """The properties that a caller wants an attestation to show.

    `commit` is a commit or a tree that must be the attested one. `detached` is the file with its signature, by default the one
    beside the attestation; `signers` a list of signers, by default the one on the target branch. `signed` refuses an
    attestation that no listed person signed.
    """

    commit: str = ""
    detached: Path | None = None
    signers: Path | None = None
    signed: bool = False


@dataclass(frozen=True)
class _Step:
    """The result of one step of the verification."""

    words: str
    holds: bool = True


def sign(attestation: str, key: Path) -> str:
    """Return the signature of the person at the terminal over the text of an attestation."""
    return keygen.sign(attestation.encode(), key, NAMESPACE)


def detached_file(attestation: Path) -> Path:
    """Return the file beside an attestation that holds its signature."""
    return attestation.with_name(f"{attestation.name}.sig")


def verify(path: Path, project: Project | None, demands: Demands) -> VerifiedAttestation:
    """Verify an attestation as far as this repository and the list of signers allow. Nothing is run.

    Raise BadAttestation if the file is not as whet wrote it, OtherTree if it is about another tree than the caller's,
    BadSignature or Refused if its signature does not hold.
    """
    content = _read(path, _LARGEST_ATTESTATION)
    plain = read_attestation(content)
    evidence = _evidence(plain)
    people, signer = _check_signer(path, content, project, demands)
    whole = _Step("the file is whole: its evidence has the digest that it names, and all else follows from it")
    steps = [
        whole,
        signer,
        *_check_repository(evidence, project, demands.commit),
        _Step("the tests: nothing was run", holds=False),
    ]
    return VerifiedAttestation(
        evidence=evidence,
        digest=digest(plain),
        signed_by=people,
        verified=tuple(step.words for step in steps if step.holds),
        not_verified=tuple(step.words for step in steps if not step.holds),
    )


def _evidence(plain: dict[str, object]) -> Evidence:
    """Return the evidence. Refuse evidence whose verdict does not follow from its checks."""
    try:
        evidence = decode(Evidence, plain)
    except Corrupt as problem:
        raise BadAttestation(f"the evidence is not well-formed: {problem.message}") from problem
    blocked = any(finding.severity == "block" for finding in evidence.guard)
    if evidence.verdict is Verdict.PASSED and (
        blocked or conclude(evidence.checks, undecided=evidence.undecided)[0] is not Verdict.PASSED
    ):
        raise BadAttestation("the evidence says passed, but its checks do not: it was forged", "do not use this file")
    return evidence


def _check_signer(
    path: Path, content: bytes, project: Project | None, demands: Demands
) -> tuple[tuple[str, ...], _Step]:
    """Return the people who signed, and what that shows. A signature that does not hold is an error."""
    file = demands.detached or detached_file(path)
    if demands.detached is None and not file.exists():
        if demands.signed:
            raise Refused(
                f"{path} is unsigned: anybody could have written this file", f"its signature belongs in {file}"
            )
        return (), _Step(UNSIGNED, holds=False)
    armored = _read(file, sshsig.LONGEST).decode("ascii", errors="replace")
    key = sshsig.verify(armored, content, namespace=NAMESPACE).key
    listed = _signers(project, demands.signers)
    if not listed:
        if demands.signed:
            raise Refused("there is no list of signers here", "name one: --signers FILE")
        return (), _Step(f"who made it: no list of signers here names the key {key.fingerprint}", holds=False)
    people = signers.parse(listed).people_for(key, NAMESPACE, now())
    if not people:
        raise BadSignature(
            f"the key {key.fingerprint} may not sign attestations: the list of signers does not say so",
            "whet approvers enrol NAME KEY.pub --attestations-only adds a key of CI; see docs/signatures.md",
        )
    return people, _Step(f"signed by {', '.join(people)} with the key {key.fingerprint}")


def _signers(project: Project | None, file: Path | None) -> str:
    """Return the list of signers in a file, or the one on the target branch; empty if there is none."""
    if file:
        return _read(file, _LARGEST_LIST).decode(errors="replace")
    ref = _target_branch(project) if project else None
    raw = project.git.read(project.git.resolve(ref), SIGNERS) if project and ref else None
    return (raw or b"").decode(errors="replace")


def _target_branch(project: Project) -> str | None:
    """Return the target branch; None in a checkout without it, as CI runners have it."""
    try:
        return project.ref
    except (UsageError, EnvironmentProblem):
        return None


def _check_repository(evidence: Evidence, project: Project | None, commit: str) -> Iterator[_Step]:
    if project is None:
        if commit:
            raise UsageError(
                "this is not a git repository, so --commit names nothing", "run whet verify in the repository"
            )
        yield _Step("the tree: this is not a git repository", holds=False)
        return
    git = project.git
    yield _check_commit(evidence, git, commit)
    if not (git.has(evidence.base) and git.has(evidence.tree)):
        yield _Step("the patch: this repository does not have its base and its tree", holds=False)
        return
    if git.patch(evidence.base, evidence.tree, "").digest != evidence.patch_digest:
        raise BadAttestation(
            "base and tree differ by another patch in this repository than the attested one", "do not use this file"
        )
    yield _Step(f"the patch: it turns {evidence.base[:10]} into {evidence.tree[:10]} here too")
    yield _check_base(evidence, project)
    yield _check_policy(evidence, git)


def _check_commit(evidence: Evidence, git: Git, commit: str) -> _Step:
    if not commit:
        return _Step("which commit has this tree: --commit REV compares one", holds=False)
    tree = git.try_ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{tree}}")
    if not tree:
        raise UsageError(f"there is no commit {commit!r} in this repository", "`git branch --all` shows the branches")
    actual = tree.decode().strip()
    if actual != evidence.tree:
        raise OtherTree(
            f"the attestation is about the tree {evidence.tree[:10]}, and {commit} has the tree {actual[:10]}",
            "prove what is there now: whet prove --attest FILE",
        )
    return _Step(f"{commit} has the attested tree {evidence.tree[:10]}")


def _check_base(evidence: Evidence, project: Project) -> _Step:
    """Compare the base with the target branch: a proof against weaker tests elsewhere says little."""
    ref = _target_branch(project)
    if ref is None:
        return _Step("the base: the target branch is not in this repository", holds=False)
    branch = ref.removeprefix("refs/heads/")
    if project.git.is_ancestor(evidence.base, ref):
        return _Step(f"the base: {evidence.base[:10]} is a commit of {branch}")
    return _Step(f"the base: {evidence.base[:10]} is not a commit of {branch}", holds=False)


def _check_policy(evidence: Evidence, git: Git) -> _Step:
    """Compare the policy with that of the base. Another version of whet may have further settings, so no error."""
    raw = git.read(evidence.base, FILE_NAME)
    if raw is not None and parse(raw, f"{evidence.base[:10]}:{FILE_NAME}").digest == evidence.policy_digest:
        return _Step(f"the policy: {FILE_NAME} of the base")
    return _Step(f"the policy: it is not {FILE_NAME} of the base as this whet reads it", holds=False)


def _read(path: Path, most_bytes: int) -> bytes:
    try:
        return read_file(path, most_bytes)
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}", "name a file that whet wrote") from problem
