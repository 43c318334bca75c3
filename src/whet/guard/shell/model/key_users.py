"""Programs and options that use a key file without showing its content."""

import re

_PROGRAMS = frozenset({
    "curl", "wget", "http", "https", "xh", "git", "hg", "svn", "scp", "sftp", "rsync", "lftp", "ssh", "ssh-add",
    "ansible", "ansible-playbook", "fab", "pssh", "pdsh", "parallel-ssh", "clush", "mosh", "sshuttle", "vagrant",
    "packer", "terraform", "pulumi", "aws", "gcloud", "az", "gh", "glab", "heroku", "flyctl", "eb", "hcloud", "doctl",
    "oci", "kubectl", "helm", "k9s", "oc", "docker", "podman", "nerdctl", "minikube", "kind", "vault", "step",
    "openssl", "age", "rage", "sops", "gpg", "gpg2", "restic", "borg", "rclone", "duplicity", "psql", "mysql",
    "mongosh", "redis-cli", "keytool", "certbot", "acme.sh", "cosign", "minisign", "signify", "keybase", "chezmoi",
    "nix", "nixos-rebuild", "colmena", "deploy", "cap", "mina", "knife", "salt-ssh", "virt-customize", "cloud-init",
    "multipass", "lxc", "incus", "qemu-img",
})  # fmt: skip
_OPTION = re.compile(
    r"key|ident|cert|cred|secret|token|pass|auth|conf|netrc|pem\b|ssl|tls|ssh|login|account|profile|wallet|store|home",
    re.IGNORECASE,
)


def may_use_key(program: str, option: str) -> bool:
    """True if a program usually reads keys to log in, or the option's name says that it takes one."""
    return program in _PROGRAMS or (option.startswith("--") and _OPTION.search(option) is not None)
