"""Files for secrets, recognised by their names. No policy can open them."""

from whet.config import Config
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.paths.patterns import patterns

# `credentials.py` and `secrets.py` are code: they are left to the protected defaults, which a policy may open.
SECRET = (
    ".env.*", "*.env", ".envrc", ".ssh", ".gnupg", ".aws", ".kube", "**/.docker/config.json",
    "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.gpg",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials",
    "credentials", "credentials.[!p]*", "credentials.p[!y]*", ".credentials*",
    "secrets.[!p]*", "secrets.p[!y]*", ".secrets*", "client_secret*.json",
    "service-account*.json", "service_account*.json", "*.tfvars", "*.tfstate*",
)  # fmt: skip


def secret_file(path: str, _: Config) -> GuardAnswer:
    pattern = patterns(SECRET).catches(path)
    if pattern is not None:
        return Refuse(f"{path} is a file for secrets ({pattern!r})", "secret_file", pattern=pattern)
    return Allow()
