"""One signature per type of key, made once."""

from pathlib import Path

import pytest

from tests.signing import openssh
from tests.signing.envelope import Envelope, take_apart
from tests.signing.fido import Authenticator
from tests.signing.messages import MESSAGE

SOFTWARE = {
    "ed25519": ("ed25519", None),
    "ecdsa-256": ("ecdsa", 256),
    "ecdsa-384": ("ecdsa", 384),
    "ecdsa-521": ("ecdsa", 521),
    "rsa": ("rsa", 2048),
}
HARDWARE = {"sk-ed25519": "sk-ssh-ed25519@openssh.com", "sk-ecdsa": "sk-ecdsa-sha2-nistp256@openssh.com"}
TYPES = (*SOFTWARE, *HARDWARE)


@pytest.fixture(scope="session")
def key_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Unencrypted private keys in software, by type."""
    folder = tmp_path_factory.mktemp("keys")
    return {name: openssh.make_key(folder, type_, bits) for name, (type_, bits) in SOFTWARE.items()}


@pytest.fixture(scope="session")
def good(key_files: dict[str, Path]) -> dict[str, Envelope]:
    """A good signature over MESSAGE by each type of key; the hardware keys were touched."""
    made = {name: take_apart(openssh.sign(key, MESSAGE)) for name, key in key_files.items()}
    return made | {name: Authenticator.make(type_).sign(MESSAGE) for name, type_ in HARDWARE.items()}


@pytest.fixture(params=["ed25519", "ecdsa-256", "rsa", "sk-ed25519", "sk-ecdsa"])
def envelope(request: pytest.FixtureRequest, good: dict[str, Envelope]) -> Envelope:
    return good[request.param]
