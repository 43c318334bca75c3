"""Push to and fetch from a remote, with hardened git and in a git folder of its own.

The folder is temporary and shares only the objects of the repository. The repository's own settings are not read there:
they could send the token elsewhere (`url.*.insteadOf`, `http.curloptResolve`, `http.sslVerify`).
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.errors import ForgeRefused, ForgeUnavailable
from whet.git.git import ZERO, Git
from whet.git.settings import ARGUMENTS, environment
from whet.sandbox.process import Completed, call

_TIMEOUT_SECONDS = 600.0
_SETTINGS = ("-c", "http.followRedirects=false", "-c", "push.followTags=false", "-c", "fetch.fsckObjects=true")
_PASSED_ON = ("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK")
_SSH = "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes"
_DENIED = (
    "Authentication failed",
    "could not read Username",
    "Permission denied",
    "403",
    "401",
    "not permitted",
    "denied to",
)
_MOST_CHARACTERS = 300


class Remote:
    """A repository at `url`. `header` is the HTTP header with the token; git reads it from sealed memory."""

    def __init__(self, git: Git, url: str, header: str = "") -> None:
        self._git, self._url, self._header = git, url, header

    def head(self, branch: str) -> str:
        """Return the commit of a branch over there; 40 zeros if it does not exist."""
        ref = f"refs/heads/{branch}"
        with self._folder() as folder:
            out = self._ask(folder, "ls-remote", "--refs", self._url, ref).out.decode(errors="replace")
        rows = (line.split("\t") for line in out.splitlines() if "\t" in line)
        return next((commit for commit, name in rows if name == ref), ZERO)

    def push(self, commit: str, branch: str, expected: str) -> None:
        """Move a branch over there from `expected` (zeros: it must not exist) to `commit`; zeros remove it.

        Raise ForgeRefused if the branch is elsewhere: commits of other people are never overwritten.
        """
        ref = f"refs/heads/{branch}"
        lease = f"--force-with-lease={ref}:{'' if expected == ZERO else expected}"
        source = "" if commit == ZERO else commit
        with self._folder() as folder:
            self._ask(folder, "push", "--porcelain", "--no-verify", lease, self._url, f"{source}:{ref}")

    def fetch(self, branch: str, have: str) -> str:
        """Bring the objects of a branch here and return its commit; `have` is a commit that both sides know."""
        with self._folder() as folder:
            self._ask(folder, "update-ref", "refs/heads/have", have)
            spec = f"+refs/heads/{branch}:refs/heads/fetched"
            self._ask(folder, "fetch", "--no-tags", "--no-write-fetch-head", self._url, spec)
            return self._ask(folder, "rev-parse", "refs/heads/fetched").out.decode().strip()

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        """Make an empty git folder that has the objects of the repository, and remove it afterwards."""
        form = self._git.text("rev-parse", "--show-object-format")
        with tempfile.TemporaryDirectory(prefix="whet-remote-") as name:
            folder = Path(name) / "git"
            self._ask(folder, "init", "--quiet", "--bare", f"--object-format={form}", "--template=", str(folder))
            if (shallow := self._git.common_folder / "shallow").is_file():
                shutil.copyfile(shallow, folder / "shallow")
            yield folder

    def _ask(self, folder: Path, *args: str) -> Completed:
        done = call(
            ["git", *ARGUMENTS, *_SETTINGS, *args],
            env=self._environment(folder, talks=args[0] in ("ls-remote", "push", "fetch")),
            cwd=folder.parent,
            timeout_seconds=_TIMEOUT_SECONDS,
            secret=self._credentials(),
        )
        if done.code:
            raise self._refusal(args[0], done)
        return done

    def _environment(self, folder: Path, *, talks: bool) -> dict[str, str]:
        scheme = urlsplit(self._url).scheme
        variables = {
            **environment(str(self._git.root)),
            "GIT_DIR": str(folder),
            "GIT_OBJECT_DIRECTORY": str(self._git.common_folder / "objects"),
            "GIT_CONFIG_GLOBAL": "{secret}",
        }
        if not talks:
            return variables
        passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        ssh = {"GIT_SSH_COMMAND": _SSH, "HOME": str(Path.home())} if scheme == "ssh" else {}
        return {**variables, **passed, **ssh, "GIT_ALLOW_PROTOCOL": scheme}

    def _credentials(self) -> bytes:
        """Return git settings that add the token to requests to this host, and to no other."""
        if not self._header:
            return b""
        parts = urlsplit(self._url)
        return f'[http "{parts.scheme}://{parts.netloc}/"]\n\textraHeader = "{self._header}"\n'.encode()

    def _refusal(self, command: str, done: Completed) -> ForgeRefused | ForgeUnavailable:
        host = urlsplit(self._url).netloc or self._url
        text = f"{done.err} {done.out.decode(errors='replace')}"
        if "stale info" in text or "[rejected]" in text:
            return ForgeRefused(
                f"the branch on {host} has commits that whet did not push, and they would be lost",
                "move them to a branch of their own and delete this one on the forge, then `whet resume`",
            )
        words = one_line(redact(done.err.strip()))[-_MOST_CHARACTERS:]
        if "[remote rejected]" in text or any(reason in done.err for reason in _DENIED):
            return ForgeRefused(
                f"{host} does not let whet {command}: {words}", "give the token the right to write, then `whet resume`"
            )
        return ForgeUnavailable(f"git {command} with {host} failed: {words}", "`whet resume` tries again")
