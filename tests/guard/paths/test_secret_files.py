import pytest

from whet.config import Config, GuardPolicy
from whet.guard.answer import Allow, Refuse
from whet.guard.judge import explain
from whet.guard.paths.secret_files import secret_file

ALLOWED = [
    "src/environment.py", "src/env.py", "src/keys.py", "src/key.py", "src/secrets.py", "src/credentials.py",
    "src/pem.py", "docs/credentials-howto.md", "src/aws.py", "src/ssh/client.py", "src/secrets/a.py",
    "src/credentials.pyi",
]  # fmt: skip
REFUSED = [
    ".env", ".ENV", "src/.env", ".env.local", ".env.py", "prod.env", ".envrc", "a.pem", "deep/er/A.PEM",
    "a.key", "a.p12", "a.pfx", "a.jks", "id_rsa", "id_rsa.pub", "id_rsa.py", "keys/id_ed25519",
    "id_ecdsa.txt", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials",
    "credentials", ".aws/credentials", ".aws/config.json", "credentials.json", "Credentials.JSON",
    "src/credentials.yml", "credentials.properties", "secrets.json", "secrets.toml", "secrets.properties",
    ".ssh/config.txt", ".kube/config.yaml", ".docker/config.json", "client_secret_1.json",
    "service-account.json", "a.tfvars", "a.tfstate.json", ".credentials.json",
    ".gnupg/a.txt", "a.ppk", "a.gpg", "id_dsa", "service_account.json",
    "a.keystore", "a.kdbx", ".secrets.yaml",
]  # fmt: skip


@pytest.mark.parametrize("path", ALLOWED)
def test_code_about_secrets_is_not_a_secret(path: str) -> None:
    assert secret_file(path, Config()) == Allow()


@pytest.mark.parametrize("path", REFUSED)
def test_a_secret_file_is_refused_whatever_the_policy_opens(path: str) -> None:
    name = path.rpartition("/")[2]
    policy = Config(guard=GuardPolicy(open=("**", path), suffixes=(name, "." + name.rpartition(".")[2])))
    answer = secret_file(path, policy)
    assert isinstance(answer, Refuse)
    assert answer.code == "secret_file"
    assert isinstance(explain(path, policy), Refuse)
