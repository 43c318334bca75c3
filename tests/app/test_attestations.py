"""An attestation is verified without running anything, and the result says what was not verified."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import whet
from tests.domain.test_attestation import forged
from tests.domain.test_evidence_form import bundle
from tests.signing.openssh import make_key, sign
from tests.support import MakeRepo, Repo
from whet.app.proofs.attestations import NAMESPACE, Demands, VerifiedAttestation, verify
from whet.config import parse
from whet.domain.attestation import attest
from whet.domain.canonical import to_plain
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.verdict import Verdict
from whet.errors import BadAttestation, BadSignature, OtherTree, Refused, UsageError

POLICY = '[target]\nbranch = "main"\n'


@dataclass(frozen=True)
class Setting:
    """A repository with a proved branch, and the attestation of the proof."""

    repo: Repo
    evidence: Evidence
    file: Path

    def verify(self, **demands: Any) -> VerifiedAttestation:
        return whet.open(self.repo.root).verify(self.file, **demands)


@pytest.fixture
def setting(make_repo: MakeRepo, tmp_path: Path) -> Setting:
    repo = make_repo({"a.py": b"a = 1\n", "whet.toml": POLICY.encode()})
    base = repo.head
    tree = repo.git.with_files("HEAD", {"a.py": b"a = 2\n"})
    repo.sh("git", "branch", "feature", repo.sh("git", "commit-tree", tree, "-p", "HEAD", "-m", "fix"))
    evidence = replace(
        bundle(), base=base, tree=tree, patch_digest=repo.git.patch(base, tree, "").digest,
        policy_digest=parse(POLICY.encode()).digest,
    )  # fmt: skip
    file = tmp_path / "proof.json"
    file.write_text(attest(evidence))
    return Setting(repo, evidence, file)


def words(clauses: tuple[str, ...]) -> str:
    return "\n".join(clauses)


def test_everything_that_the_repository_can_say_is_verified(setting: Setting) -> None:
    result = setting.verify(commit="feature")
    assert result.digest == setting.evidence.digest
    assert result.evidence == setting.evidence
    verified = words(result.verified)
    for part in (
        "the file is whole",
        "feature has the attested tree",
        "the patch: ",
        "is a commit of main",
        "the policy: whet.toml",
    ):
        assert part in verified
    assert result.not_verified == ("unsigned: anybody could have written this file", "the tests: nothing was run")


def test_without_a_commit_nothing_says_where_the_tree_is(setting: Setting) -> None:
    assert "--commit REV compares one" in words(setting.verify().not_verified)


def test_a_commit_with_another_tree_is_refused(setting: Setting) -> None:
    with pytest.raises(OtherTree, match="is about the tree"):
        setting.verify(commit="main")
    with pytest.raises(UsageError, match="there is no commit"):
        setting.verify(commit="gone")
    assert setting.verify(commit=setting.evidence.tree).verified


def test_a_repository_without_the_objects_says_so(setting: Setting, make_repo: MakeRepo) -> None:
    setting.file.write_text(attest(replace(setting.evidence, base="1" * 40)))
    assert "does not have its base and its tree" in words(setting.verify().not_verified)


def test_another_patch_than_the_proved_one_is_refused(setting: Setting) -> None:
    setting.file.write_text(attest(replace(setting.evidence, patch_digest="1" * 64)))
    with pytest.raises(BadAttestation, match="base and tree differ by another patch"):
        setting.verify()


def test_a_base_outside_the_target_branch_and_another_policy_are_not_verified(setting: Setting) -> None:
    git = setting.repo.git
    elsewhere = setting.repo.sh("git", "commit-tree", git.tree_of("main"), "-m", "elsewhere")
    patch = git.patch(elsewhere, setting.evidence.tree, "")
    other = replace(setting.evidence, base=elsewhere, patch_digest=patch.digest, policy_digest="1" * 64)
    setting.file.write_text(attest(other))
    open_points = words(setting.verify().not_verified)
    assert "is not a commit of main" in open_points
    assert "it is not whet.toml of the base" in open_points


def test_outside_a_repository_only_the_file_is_verified(setting: Setting) -> None:
    result = verify(setting.file, None, Demands())
    assert len(result.verified) == 1
    assert "this is not a git repository" in words(result.not_verified)
    with pytest.raises(UsageError, match="not a git repository"):
        verify(setting.file, None, Demands(commit="main"))


def test_a_passed_verdict_that_does_not_follow_from_its_checks_is_refused(setting: Setting) -> None:
    [check] = setting.evidence.checks
    blocked = GuardFinding(rule="r", severity="block", path="a.py", reason="no")
    for forgery in (
        replace(setting.evidence, checks=()),
        replace(setting.evidence, checks=(replace(check, verdict=Verdict.FAILED),)),
        replace(setting.evidence, checks=(replace(check, reverted=()),)),
        replace(setting.evidence, guard=(blocked,)),
    ):
        setting.file.write_text(attest(forgery))
        with pytest.raises(BadAttestation, match="forged"):
            setting.verify()


def test_evidence_of_another_form_is_refused(setting: Setting) -> None:
    for change in ({"checks": "none"}, {"cost": None}, {"verdict": "great"}, {"made_at": "yesterday"}):
        setting.file.write_bytes(forged(**{**to_plain(setting.evidence), **change}))
        with pytest.raises(BadAttestation, match="not well-formed"):
            setting.verify()


@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.INCONCLUSIVE])
def test_a_proof_that_did_not_pass_can_be_attested_too(setting: Setting, verdict: Verdict) -> None:
    setting.file.write_text(attest(replace(setting.evidence, verdict=verdict)))
    assert setting.verify().evidence.verdict is verdict


def test_a_file_that_cannot_be_read_is_refused(setting: Setting, tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(3 * 1024**3)
    for path, why in ((tmp_path / "gone", "cannot be read"), (tmp_path, "cannot be read"), (huge, "larger than 20 MB")):
        with pytest.raises(UsageError, match=why):
            verify(path, None, Demands())


# ---- signatures -----------------------------------------------------------------------------------------------


def signed(setting: Setting, folder: Path, namespaces: str = NAMESPACE) -> Path:
    """Sign the attestation, and return a list of signers that has the key."""
    key = make_key(folder, "ed25519")
    setting.file.with_name("proof.json.sig").write_text(sign(key, setting.file.read_bytes(), namespace=NAMESPACE))
    file = folder / "signers"
    file.write_text(f'ci@example.org namespaces="{namespaces}" {key.with_suffix(".pub").read_text()}')
    return file


def test_a_signature_of_a_listed_key_names_its_owner(setting: Setting, tmp_path: Path) -> None:
    listed = signed(setting, tmp_path)
    result = setting.verify(signers=listed, signed=True)
    assert result.signed_by == ("ci@example.org",)
    assert "signed by ci@example.org with the key SHA256:" in words(result.verified)
    assert "unsigned" not in words(result.not_verified)


def test_the_list_of_signers_is_that_of_the_target_branch(setting: Setting, tmp_path: Path) -> None:
    listed = signed(setting, tmp_path)
    setting.repo.commit({"whet.signers": listed.read_text()})
    assert setting.verify(signed=True).signed_by == ("ci@example.org",)


def test_a_signature_over_other_bytes_is_refused(setting: Setting, tmp_path: Path) -> None:
    listed = signed(setting, tmp_path)
    setting.file.write_text(attest(replace(setting.evidence, reasons=("better",))))
    with pytest.raises(BadSignature, match="does not fit"):
        setting.verify(signers=listed)


def test_a_key_that_may_only_approve_does_not_sign_attestations(setting: Setting, tmp_path: Path) -> None:
    with pytest.raises(BadSignature, match="may not sign attestations"):
        setting.verify(signers=signed(setting, tmp_path, "whet-approval@v1"))


def test_a_signature_of_an_approval_is_not_one_of_an_attestation(setting: Setting, tmp_path: Path) -> None:
    key = make_key(tmp_path, "ed25519")
    other = tmp_path / "other.sig"
    other.write_text(sign(key, setting.file.read_bytes(), namespace="whet-approval@v1"))
    with pytest.raises(BadSignature, match="whet-attestation@v1"):
        setting.verify(signature=other)


def test_without_a_list_of_signers_the_key_is_nobodys(setting: Setting, tmp_path: Path) -> None:
    signed(setting, tmp_path)
    assert "no list of signers here names the key" in words(setting.verify().not_verified)
    with pytest.raises(Refused, match="no list of signers"):
        setting.verify(signed=True)


def test_an_unsigned_attestation_is_refused_where_a_signature_is_required(setting: Setting) -> None:
    with pytest.raises(Refused, match="anybody could have written this file"):
        setting.verify(signed=True)
