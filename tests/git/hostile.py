"""A repository in which every setting and attribute that can name a program names one that leaves a note."""

import re
from pathlib import Path

from tests.support import Repo

# Every setting of git that holds a program, a command or a transport, and why it starts nothing under whet.
# "overridden": whet sets another value. "by name": whet disables every filter and hook that the settings name.
# "by option": whet's call has an option against it. "no transport": transports are switched off, so nothing asks.
# "protected": git reads it only from the settings of user and machine. "not called": only a subcommand that whet does
# not call reads it. "not shown": git starts it only in a terminal.
PROGRAMS = {
    "alias.*": "not called",
    "browser.<tool>.cmd": "not called",
    "browser.<tool>.path": "not called",
    "core.alternateRefsCommand": "overridden",
    "core.askPass": "overridden",
    "core.editor": "overridden",
    "core.fsmonitor": "overridden",
    "core.gitProxy": "overridden",
    "core.hooksPath": "overridden",
    "core.pager": "overridden",
    "core.sshCommand": "overridden",
    "credential.<url>.*": "no transport",
    "credential.helper": "overridden",
    "diff.<driver>.command": "by option",
    "diff.<driver>.textconv": "by option",
    "diff.external": "overridden",
    "diff.guitool": "not called",
    "diff.tool": "not called",
    "difftool.<tool>.cmd": "not called",
    "difftool.<tool>.path": "not called",
    "filter.<driver>.clean": "by name",
    "filter.<driver>.process": "by name",
    "filter.<driver>.smudge": "by name",
    "gpg.<format>.program": "overridden",
    "gpg.program": "overridden",
    "gpg.ssh.defaultKeyCommand": "overridden",
    "guitool.<name>.cmd": "not called",
    "help.browser": "not called",
    "hook.<name>.command": "by name",
    "imap.tunnel": "not called",
    "instaweb.browser": "not called",
    "instaweb.httpd": "not called",
    "interactive.diffFilter": "not called",
    "man.<tool>.cmd": "not called",
    "man.<tool>.path": "not called",
    "man.viewer": "not called",
    "merge.<driver>.driver": "not called",
    "merge.guitool": "not called",
    "merge.tool": "not called",
    "mergetool.<tool>.cmd": "not called",
    "mergetool.<tool>.path": "not called",
    "pager.<cmd>": "not shown",
    "remote.<name>.receivepack": "no transport",
    "remote.<name>.uploadpack": "no transport",
    "remote.<name>.url": "no transport",
    "remote.<name>.vcs": "no transport",
    "sendemail.<identity>.*": "not called",
    "sendemail.ccCmd": "not called",
    "sendemail.headerCmd": "not called",
    "sendemail.sendmailCmd": "not called",
    "sendemail.smtpServer": "not called",
    "sendemail.tocmd": "not called",
    "sequence.editor": "not called",
    "submodule.<name>.update": "not called",
    "trailer.<token>.cmd": "not called",
    "trailer.<token>.command": "not called",
    "uploadpack.packObjectsHook": "protected",
    "web.browser": "not called",
}
# Names that look like those of programs, and are none.
HARMLESS = frozenset({
    "advice.addEmptyPathspec", "advice.ignoredHook", "advice.updateSparsePath", "advice.waitingForEditor", "bundle.*",
    "bundle.<id>.*", "clone.filterSubmodules", "color.pager", "column.clean", "commitGraph.maxNewFilters",
    "commitGraph.readChangedPaths", "completion.commands", "core.fsmonitorHookVersion", "core.quotePath",
    "credential.useHttpPath", "diff.<driver>.cachetextconv", "feature.*", "fsck.fullPathname", "fsck.gitmodulesPath",
    "gitcvs.dbDriver", "help.htmlPath", "http.<url>.*", "http.proxy", "http.proxyAuthMethod", "http.proxySSLCAInfo",
    "http.proxySSLCert", "http.proxySSLCertPasswordProtected", "http.proxySSLKey", "http.sslCAPath", "include.path",
    "includeIf.<condition>.path", "instaweb.modulePath", "rebase.abbreviateCommands", "receive.fsck.fullPathname",
    "receive.fsck.gitmodulesPath", "remote.<name>.partialclonefilter", "remote.<name>.proxy",
    "remote.<name>.proxyAuthMethod", "sendemail.smtpServerOption", "sendemail.smtpServerPort",
    "sendemail.smtpsslcertpath", "status.relativePaths", "uploadpack.allowFilter",
})  # fmt: skip
LOOKS_LIKE_A_PROGRAM = (
    r"(?i)(.*\.)?(\w*(cmd|command|program|path|helper|editor|pager|hook|proxy|driver|smudge|process|textconv|external"
    r"|askpass|browser|tunnel|filter|(upload|receive)pack|tool|fsmonitor|httpd|viewer|smtpserver)\w*|clean|vcs|<cmd>|\*)"
)
HOOKS = (
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit",
    "post-index-change", "post-merge", "post-rewrite", "pre-applypatch", "pre-auto-gc", "pre-commit",
    "pre-merge-commit", "prepare-commit-msg", "reference-transaction",
)  # fmt: skip
# Attributes that bring the drivers to every path; one name holds "=", at which `git -c` would cut it.
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n*.txt filter=a=b\n*.md filter=UPPER.case\n"
_DRIVERS = ("evil", "a=b", "UPPER.case")


class Traps:
    """Programs that append their own name to a file."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._notes = folder, folder / "notes"
        folder.mkdir()

    def program(self, name: str) -> str:
        path = self._folder / re.sub(r"\W", "_", name)  # git gives most of them to a shell
        path.write_text(f'#!/bin/sh\necho "{name}" >> {self._notes}\nexit 1\n')
        path.chmod(0o755)
        return str(path)

    def sprung(self) -> set[str]:
        """Return the names of the programs that ran since the last call."""
        names = set(self._notes.read_text().splitlines()) if self._notes.exists() else set()
        self._notes.unlink(missing_ok=True)
        return names


def make_hostile(repo: Repo, traps: Traps) -> None:
    """Write the settings, attributes and hooks."""
    settings = {_concrete(key): traps.program(key) for key in PROGRAMS}
    for driver in _DRIVERS:
        for verb in ("clean", "smudge", "process"):
            settings[f"filter.{driver}.{verb}"] = traps.program(f"filter.<driver>.{verb}")
        settings[f"filter.{driver}.required"] = "true"
    for form in ("openpgp", "x509", "ssh"):
        settings[f"gpg.{form}.program"] = traps.program("gpg.<format>.program")
    settings |= {
        "hook.evil.event": "reference-transaction",
        "submodule.evil.update": "!" + traps.program("submodule.<name>.update"),
        "log.showSignature": "true",
        "commit.gpgSign": "true",
        "submodule.recurse": "true",
        "gc.auto": "1",
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "remote.evil.url": "ext::" + traps.program("remote.<name>.url"),
        "core.hooksPath": str(repo.root / ".git" / "hooks"),
    }
    for name in HOOKS:
        hook = repo.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\nexec {traps.program(f'hook {name}')}\n")
        hook.chmod(0o755)
    (repo.root / ".git/info/attributes").write_text(ATTRIBUTES)
    write_settings(repo.root / ".git/config", settings)


def write_settings(file: Path, settings: dict[str, str]) -> None:
    """Append settings to a configuration file; `git config` would have to be started once for each of them."""
    lines = []
    for key, value in settings.items():
        section, _, rest = key.partition(".")
        subsection, _, name = rest.rpartition(".")
        lines.append(f'[{section} "{subsection}"]' if subsection else f"[{section}]")
        lines.append(f'\t{name} = "{value}"')
    with file.open("a") as out:
        out.write("\n".join(lines) + "\n")


def _concrete(key: str) -> str:
    for placeholder in ("<tool>", "<driver>", "<format>", "<name>", "<token>"):
        key = key.replace(placeholder, "evil")
    return (
        key.replace("<url>.*", "https://example.org.helper")
        .replace("<identity>.*", "me.tocmd")
        .replace("<cmd>", "log")
        .replace("alias.*", "alias.log")
    )
