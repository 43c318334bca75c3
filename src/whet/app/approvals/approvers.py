"""The people who may approve: list, enrol and revoke them, and sign approvals and changes with their keys."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from whet.app.approvals import decisions
from whet.app.project import Project
from whet.config import load
from whet.domain.approval import Question, Vote, Voter
from whet.domain.approvers import Approvers, Seats
from whet.domain.clock import now
from whet.domain.proof import Assurance, SshProof
from whet.domain.redact import redact
from whet.domain.statement import field_of
from whet.errors import BadSignature, NotCounted, Refused, UsageError
from whet.files import MB, read_file
from whet.phases.approve.enrolments import PASSKEYS, SIGNERS, PendingChange, count_change
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.person import ballot
from whet.phases.approve.roll import approvers
from whet.phases.approve.votes import ENROL, PROTECT, exposed, verify
from whet.signing import keygen, passkeys, signers, sshsig
from whet.signing.key_file import has_passphrase
from whet.signing.keys import PublicKey
from whet.signing.signer_line import Signer

Show = Callable[[str], None]
NAMESPACE = sshsig.APPROVAL_NAMESPACE


def default_key() -> Path:
    """Return the file of the user's approval key: `$WHET_APPROVAL_KEY`, or the one that `whet approvers key` makes."""
    return Path(os.environ.get("WHET_APPROVAL_KEY") or Path.home() / ".ssh" / "whet_approval")


def public_half(key: Path) -> PublicKey:
    """Return the public key that belongs to a key file."""
    public = key if key.suffix == ".pub" else key.with_name(f"{key.name}.pub")
    try:
        return PublicKey.from_text(read_file(public, MB).decode())
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"the public key {public} cannot be read", "make a key: whet approvers key; or name one with --key"
        ) from problem


def person_of(in_force: Approvers, key: PublicKey, who: str = "") -> str:
    """Return the person that a key signs for; `who` chooses, if the file names several."""
    people = signers.parse(in_force.signers).people_for(key, NAMESPACE, now())
    if not people or (who and who not in people):
        raise Refused(
            f"the key {key.fingerprint} may not sign for {who or 'anybody'} on the target branch",
            "`whet approvers` lists who may; `whet approvers enrol NAME KEY.pub` adds a key",
        )
    if len(people) > 1 and not who:
        raise UsageError(f"the key {key.fingerprint} signs for {', '.join(people)}", "choose one with --as")
    return who or people[0]


def only_person(*boards: Approvers) -> str:
    """Return the one person who may approve now. Raise UsageError if there are several or none."""
    entries = [signer for board in boards for _, signer in signers.parse(board.signers).entries]
    people = {name for signer in entries if signer.signs_in(NAMESPACE, now()) for name in signer.names}
    if len(people) != 1:
        raise UsageError(
            f"the people who may sign are {', '.join(sorted(people)) or 'nobody'}", "say who signs: --as NAME"
        )
    return people.pop()


def needed(project: Project, proposal: str) -> Assurance:
    """Return the least assurance that a yes at the open gate of a proposal needs."""
    question = decisions.open_question(project, proposal)
    return ballot(question, None, decisions.roll_of(project).in_force()).assurance


def can_sign(project: Project, key: Path) -> bool:
    """True if this key file exists and is enrolled for this repository."""
    try:
        in_force = decisions.roll_of(project).in_force()
        return key.exists() and bool(person_of(in_force, public_half(key)))
    except (UsageError, Refused):
        return False


def sign_approval(
    project: Project, proposal: str, key: Path, *, why: str, who: str, show: Show
) -> tuple[str, SshProof]:
    """Show the statement, sign it with the person's key, and return the person with the proof."""
    question = decisions.open_question(project, proposal)
    text = partial(decisions.statement, project, proposal, why=why)
    return sign_statement(project, question, text, key, who, show)


def sign_statement(
    project: Project, question: Question, statement: Callable[[str], str], key: Path, who: str, show: Show
) -> tuple[str, SshProof]:
    """Show the statement of the key's person about an open question, sign it, and return the person with the proof.

    Raise NotCounted if any program of this user can sign with the key.
    """
    in_force, public = decisions.roll_of(project).in_force(), public_half(key)
    person = person_of(in_force, public, who)
    if public.fingerprint in ballot(question, None, in_force).question.exposed:
        raise NotCounted(exposed(public.fingerprint), PROTECT)
    text = statement(person)
    show(text)
    return person, proof_of(text, keygen.sign(text.encode(), key, NAMESPACE))


def proof_of(statement: str, armored: str) -> SshProof:
    """Return the proof that a statement and its signature make. Raise BadSignature if they do not belong together."""
    verified = sshsig.verify(armored, statement.encode(), namespace=NAMESPACE)
    return SshProof(public_key=verified.key.text, signature=armored, statement=statement)


def create_key(path: Path, comment: str) -> PublicKey:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return keygen.create(path, comment)


def enrol(project: Project, who: str, key: Path, *, attestations_only: bool = False) -> Path:
    """Add a public key to `whet.signers` in the checkout. It counts once it is on the target branch, and from the second
    change on once a quorum has signed it.

    A person's key may sign approvals and attestations. A key for attestations alone approves nothing; it may be one of CI,
    which has no passphrase.
    """
    public = public_half(key)
    if not attestations_only:
        _refuse_open_key(key, public)
    namespaces = (sshsig.ATTESTATION_NAMESPACE,) if attestations_only else (NAMESPACE, sshsig.ATTESTATION_NAMESPACE)
    signer = Signer(names=(who,), key=public, namespaces=namespaces)
    return _write(project, signers.parse(_in_checkout(project, SIGNERS)).add(signer))


def _refuse_open_key(key: Path, public: PublicKey) -> None:
    """Refuse a key that any program of this user can sign with."""
    private = key.with_suffix("") if key.suffix == ".pub" else key
    if not public.in_hardware and private.exists() and has_passphrase(private) is False:
        raise Refused(
            f"{private} has no passphrase: any program of yours can sign with it, so it proves nobody",
            f"ssh-keygen -p -f {private}, or make a key for approvals: whet approvers key",
        )
    if exposed_keys([public]):
        raise Refused(exposed(public.fingerprint), PROTECT)


def own_keys() -> list[Path]:
    """Return public keys of this user that could be enrolled: the approval key first, then security keys."""
    own, folder = default_key(), Path.home() / ".ssh"
    files = [own.with_name(f"{own.name}.pub"), *sorted(folder.glob("id_*_sk.pub"))]
    return [file for file in files if file.is_file()]


def nobody_enrolled(project: Project) -> bool:
    """True if the ledger has no approvers yet, so that the next ones are trusted on first use."""
    return not decisions.roll_of(project).chain().links


def enrol_passkey(project: Project, line: str) -> Path:
    """Add a line that the page for passkeys made to `whet.passkeys` in the checkout.

    It counts once a quorum has signed the change and it is on the target branch. A passkey needs an approver with an SSH
    key: somebody must sign its enrolment.
    """
    passkey, text = passkeys.read(line.strip()), _in_checkout(project, PASSKEYS)
    if nobody_enrolled(project):
        raise Refused("a passkey is enrolled by an approver who signs, and nobody is enrolled yet", ENROL)
    if text and not text.endswith("\n"):
        text += "\n"
    text += f"{passkey.text}\n"
    passkeys.parse(text)
    return _write(project, text, PASSKEYS)


def revoke(project: Project, who: str, fingerprint: str = "") -> Path:
    """Remove a person, or one key of theirs, from `whet.signers` and `whet.passkeys` in the checkout."""
    if (without := _without_passkeys(project, who, fingerprint)) is not None:
        path = _write(project, without, PASSKEYS)
        if fingerprint or who not in signers.parse(_in_checkout(project, SIGNERS)).people():
            return path
    listed = signers.parse(_in_checkout(project, SIGNERS))
    keys = [key for key in listed.keys() if key.fingerprint == fingerprint]  # noqa: SIM118 - not a dict
    if fingerprint and not keys:
        raise UsageError(f"{SIGNERS} has no key {fingerprint}", "`whet approvers` lists the keys")
    text = listed.remove(who, keys[0] if keys else None)
    if not any(signer.allows(NAMESPACE) for _, signer in signers.parse(text).entries):
        raise Refused("nobody would be left who can approve", "enrol somebody else first")
    return _write(project, text)


def _without_passkeys(project: Project, who: str, fingerprint: str) -> str | None:
    """Return `whet.passkeys` without those of a person, or without one of them; None if there is none to remove."""
    text = _in_checkout(project, PASSKEYS)
    removed = {key.text for key in passkeys.parse(text) if key.who == who and fingerprint in ("", key.fingerprint)}
    if not removed:
        return None
    return "".join(f"{line}\n" for line in text.removesuffix("\n").split("\n") if line not in removed)


def pending_change(project: Project) -> PendingChange | None:
    """Return the change that waits for signatures: the one on the target branch, else the one in the checkout."""
    roll = decisions.roll_of(project)
    text, passkey_lines = _in_checkout(project, SIGNERS), _in_checkout(project, PASSKEYS)
    return roll.pending() or roll.pending(approvers(text, passkey_lines, load(project.git.root)))


def sign_change(project: Project, key: Path, *, why: str, who: str, show: Show) -> tuple[Voter, tuple[Seats, ...]]:
    """Sign the change of the approvers that waits. Return the signer and the seats that are still empty."""
    change, public = require_change(project), public_half(key)
    person = person_of(change.last.approvers, public, who)
    if public.fingerprint in (*change.question.exposed, *exposed_keys([public])):
        raise NotCounted(exposed(public.fingerprint), PROTECT)
    text = change.statement(person, redact(why))
    show(text)
    return record_vote(project, text, keygen.sign(text.encode(), key, NAMESPACE))


def require_change(project: Project) -> PendingChange:
    change = pending_change(project)
    if change is None:
        raise Refused("no change of the approvers waits for a signature", "`whet approvers` shows who they are")
    return change


def record_vote(project: Project, statement: str, armored: str) -> tuple[Voter, tuple[Seats, ...]]:
    """Record a signature under the change that waits."""
    change = require_change(project)
    vote = Vote(statement=statement, proof=proof_of(statement, armored), via="cli", at=now())
    decisions.refuse_secrets(vote)
    voter = verify(vote, change.last.approvers, now())
    if statement != change.statement(voter.who, field_of(statement, "why")):
        raise BadSignature("the statement is not about the change that waits", "whet approvers sign --statement FILE")
    counted, _ = count_change(change, [vote], now())
    if not counted:
        raise NotCounted(
            f"the signature of {voter} does not count for this change", "use the strongest key that is enrolled"
        )
    roll = decisions.roll_of(project)
    roll.add_vote(change, vote, voter.who)
    return voter, count_change(change, roll.votes(change), now())[1]


def _in_checkout(project: Project, name: str) -> str:
    try:
        return read_file(project.git.root / name, MB).decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as problem:
        raise Refused(f"{name} cannot be read: {problem}", "make it a regular text file") from problem


def _write(project: Project, text: str, name: str = SIGNERS) -> Path:
    path = project.git.root / name
    if path.is_symlink():
        raise Refused(f"{path} is a link", "make it a regular file")
    path.write_text(text)
    return path
