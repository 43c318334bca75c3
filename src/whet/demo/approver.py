"""The approver of the demo: a person with a key that the demo makes, who signs what whet asks."""

from pathlib import Path

from whet.domain.proof import SshProof
from whet.errors import EnvironmentProblem
from whet.git.git import Git
from whet.sandbox.process import call
from whet.signing.keys import PublicKey
from whet.signing.signer_line import Signer
from whet.signing.sshsig import APPROVAL_NAMESPACE

NAME = "you@example.com"
_TIMEOUT_SECONDS = 60
_POLICY = '\n[approve]\napply = "approve"        # a person signs every change\n'


class DemoApprover:
    """A key in a folder of the demo, without a passphrase so that the demo runs unattended. A real key needs one."""

    def __init__(self, folder: Path) -> None:
        self._key = folder / "approval_key"
        _ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "whet demo", "-f", str(self._key))

    def enrol(self, git: Git) -> None:
        """Commit whet.signers with the key, and a policy that asks for signatures."""
        public = PublicKey.from_text(self._key.with_name("approval_key.pub").read_text())
        signer = Signer(names=(NAME,), key=public, namespaces=(APPROVAL_NAMESPACE,))
        (git.root / "whet.signers").write_text(f"{signer.text}\n")
        policy = git.root / "whet.toml"
        policy.write_text(policy.read_text() + _POLICY)
        git.ask("add", "--all")
        git.ask("commit", "--quiet", "--message", "Enrol an approver")

    def sign(self, statement: str) -> SshProof:
        """Sign a statement as `ssh-keygen -Y sign` does."""
        armored = _ssh_keygen("-Y", "sign", "-q", "-n", APPROVAL_NAMESPACE, "-f", str(self._key), stdin=statement)
        public = PublicKey.from_text(self._key.with_name("approval_key.pub").read_text())
        return SshProof(public_key=public.text, signature=armored, statement=statement)


def _ssh_keygen(*arguments: str, stdin: str = "") -> str:
    done = call(
        ["ssh-keygen", *arguments],
        env={"PATH": "/usr/bin:/bin"},
        stdin=stdin.encode(),
        timeout_seconds=_TIMEOUT_SECONDS,
    )
    if done.code:
        raise EnvironmentProblem(f"ssh-keygen failed: {done.err.strip()}")
    return done.out.decode()
