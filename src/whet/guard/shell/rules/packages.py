"""Commands that publish or uninstall packages, or install them from sources that cannot be trusted."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import KNOWN_HOSTS, LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.rules.rule import Rule, RuleHit, phrase

_PUBLISHES = "publishes a package"
_REMOVES = "uninstalls a package"
_UNCHECKED_HOST = "takes packages from a host without checking its identity"
_UNENCRYPTED_ADDRESS = re.compile(r"(?:^|[=+@])((?:git\+)?http://\S+)")
_ARCHIVE = re.compile(
    r"(?:[\w.\[\]-]+ ?@ ?)?https://([^/@]+@)?([^/:]+)\S*\.(tar\.gz|tgz|zip|whl|tar\.bz2|gem|tar\.xz)(#.*)?"
)
_SOURCE_REPOSITORY = re.compile(r"(?:[\w.\[\]-]+ ?@ ?)?(?:git|hg|bzr|svn)\+(?:https|ssh)://(?:[^/@]+@)?([^/:]+)\S*")
_PACKAGE_FILE = re.compile(
    r"[^:]*\.(?:deb|rpm|txz|pkg|apk|snap|eopkg|ipk|xbps|tazpkg)|[^:]*\.pkg\.tar\.\w+|\.{0,2}/[^:]*"
)
_INSTALL_VERBS = frozenset({"install", "add", "localinstall", "in", "it", "reinstall", "upgrade"})
_RPM_INSTALLS = re.compile(r"-(?!q)[a-z]*[iUF][a-z]*|--install|--upgrade")
_SYSTEM_INSTALLERS = ("rpm", "apk", "pkg", "pkg_add", "eopkg", "opkg")
_SKIP_SIGNATURE_OPTIONS = frozenset({
    "--allow-unauthenticated", "--force-yes", "--nogpgcheck", "--no-gpg-checks", "--no-gpg-check",
    "--allow-insecure-repositories", "--force-bad-verify", "--nosignature", "--allow-untrusted",
    "--no-verify-ssl",
})  # fmt: skip
_INSTALLERS = (
    "pip", "pip3", "uv", "uvx", "pipx", "poetry", "pdm", "conda", "mamba", "npm", "pnpm", "yarn", "npx", "bun",
    "bunx", "gem", "cargo", "go", "composer", "easy_install", "apt", "apt-get", "aptitude", "dpkg", "yum", "dnf",
    "zypper", "rpm", "apk", "pacman", "brew", "flatpak", "snap", "luarocks", "nuget", "helm", "ansible-galaxy",
)  # fmt: skip

_TAKES_ARCHIVES = frozenset(
    {"pip", "pip3", "uv", "uvx", "pipx", "npm", "pnpm", "yarn", "npx", "bun", "bunx", "gem", "easy_install"}
)


def install_file(call: Call) -> Iterator[RuleHit]:
    """Ask a person about a package from a file: nothing checks its signature, and its scripts run as root."""
    words = call.options.operands
    if call.name == "rpm":
        installs = any(_RPM_INSTALLS.fullmatch(word) for word in call.args)
    else:
        installs = call.name == "pkg_add" or not _INSTALL_VERBS.isdisjoint(words[:1])
    if installs and any(_PACKAGE_FILE.fullmatch(word) for word in words):
        yield Harm.PACKAGES, "installs a package from a file, whose scripts run as root", True


def run_gem_description(call: Call) -> Iterator[RuleHit]:
    """Raise `gem build script.rb`: a description of a gem is a Ruby program, and usually called *.gemspec or Gemfile."""
    if any(word.endswith(".rb") for word in call.args) and not {"build", "install"}.isdisjoint(call.args):
        yield Harm.SHELL_ESCAPE, "makes gem run a Ruby script", True


def judge_source(call: Call) -> Iterator[RuleHit]:
    """Refuse packages over an unencrypted connection, from unknown hosts or without signatures: packages are code."""
    for index, word in enumerate(call.args):
        address = _UNENCRYPTED_ADDRESS.search(word)
        value = word.partition("=")[2] if word.startswith("--") else word
        archive = _ARCHIVE.fullmatch(value)
        repository = _SOURCE_REPOSITORY.fullmatch(value)
        trusted = word.partition("=")[2] or (call.args[index + 1] if index + 1 < len(call.args) else "")
        if address and not LOCAL.fullmatch(address[1].removeprefix("git+")):
            yield Harm.PACKAGES, "takes packages over an unencrypted connection"
        elif word.startswith("--trusted-host") and not LOCAL.fullmatch(trusted):
            yield Harm.PACKAGES, _UNCHECKED_HOST
        elif archive and call.name in _TAKES_ARCHIVES and not re.fullmatch(KNOWN_HOSTS, archive[2]):
            yield Harm.PACKAGES, f"takes a package from {archive[2]}, which is not a known package index"
        elif repository and not re.fullmatch(KNOWN_HOSTS, repository[1]) and not LOCAL.fullmatch(repository[1]):
            yield Harm.PACKAGES, f"takes a package from {repository[1]}, which the guard does not know", True
        elif word in _SKIP_SIGNATURE_OPTIONS:
            yield Harm.PACKAGES, "takes packages without checking their signatures"
    operands = call.options.operands
    trusts_host = operands[:2] == ["config", "set"] and any("trusted-host" in word for word in call.args)
    disables_tls_check = "false" in call.args and operands[:3] in (
        ["config", "set", "strict-ssl"],
        ["set", "strict-ssl", "false"],
    )
    if trusts_host or disables_tls_check:
        yield Harm.PACKAGES, _UNCHECKED_HOST


def cargo_source(call: Call) -> Iterator[RuleHit]:
    """Raise `cargo install --git https://host/...` with a host that the guard does not know."""
    for address in values_of(call.args, "--git"):
        host = re.match(r"\w+://(?:[^/@]+@)?([^/:]+)", address)
        if host and not re.fullmatch(KNOWN_HOSTS, host[1]):
            yield Harm.PACKAGES, f"takes a package from {host[1]}, which the guard does not know", True


def extension_file(call: Call) -> Iterator[RuleHit]:
    """Raise `code --install-extension file.vsix`: an extension from a file runs in the editor unchecked."""
    if any(value.endswith(".vsix") for value in values_of(call.args, "--install-extension")):
        yield Harm.PACKAGES, "installs an extension of the editor from a file", True


def add_source(call: Call) -> Iterator[RuleHit]:
    """Raise `brew tap name https://host/...` with a host that the guard does not know: its formulas are programs."""
    words = call.options.operands
    address = re.match(r"\w+://(?:[^/@]+@)?([^/:]+)", words[2]) if words[:1] == ["tap"] and len(words) > 2 else None
    if address and not re.fullmatch(KNOWN_HOSTS, address[1]):
        yield Harm.PACKAGES, f"takes packages from {address[1]}, which the guard does not know", True


def uninstall_many(call: Call) -> Iterator[RuleHit]:
    """Refuse uninstalling the installer itself, or everything in a requirements file. One package is everyday work."""
    words = call.options.operands
    if words[:1] == ["uninstall"] and (
        call.options.has("r", "requirement") or not {"pip", "setuptools"}.isdisjoint(words)
    ):
        yield Harm.PACKAGES, _REMOVES


def _unless_dry_run(rule: Rule) -> Rule:
    def rule_for_real_run(call: Call) -> Iterator[RuleHit]:
        if not call.options.has("", "dry-run"):
            yield from rule(call)

    return rule_for_real_run


def _rules(publishes: str = "", removes: str = "") -> tuple[Rule, ...]:
    """Return rules from two lists of phrases, separated by "; ": those that publish and those that uninstall."""
    publishing = [phrase(pattern, Harm.PACKAGES, _PUBLISHES) for pattern in publishes.split("; ") if pattern]
    removing = [phrase(pattern, Harm.PACKAGES, _REMOVES) for pattern in removes.split("; ") if pattern]
    return (*map(_unless_dry_run, publishing), *removing)


RULES: dict[str, tuple[Rule, ...]] = {
    "npm": _rules("publish; unpublish; deprecate; dist-tag add; owner add", "uninstall|rm|remove|un|r -g|--global"),
    "pnpm": _rules("publish", "remove|rm|uninstall -g|--global"),
    "yarn": _rules("publish; npm publish", "global remove"),
    "bun": _rules("publish"),
    "lerna": _rules("publish"),
    "twine": _rules("upload"),
    "poetry": _rules("publish; --publish", "self remove"),
    "uv": _rules("publish", "python uninstall"),
    "hatch": _rules("publish"),
    "flit": _rules("publish"),
    "pdm": _rules("publish"),
    "maturin": _rules("publish; upload"),
    "cargo": (*_rules("publish; yank; owner"), cargo_source),
    "gem": _rules("push; yank; owner", "uninstall|cleanup"),
    "mvn": _rules("* deploy; * release:perform"),
    "gradle": _rules("* publish; * uploadArchives"),
    "gradlew": _rules("* publish"),
    "dotnet": _rules("nuget push|delete"),
    "nuget": _rules("push|delete"),
    "vsce": _rules("publish|unpublish"),
    "ovsx": _rules("publish"),
    "goreleaser": _rules("release"),
    "sbt": _rules("* publish; * publishSigned"),
    "composer": _rules("", "global remove"),
    "conan": _rules("upload"),
    "anaconda": _rules("upload"),
    "luarocks": _rules("upload"),
    "mix": _rules("hex.publish"),
    "helm": _rules("push"),
    "dart": _rules("pub publish|lish"),
    "flutter": _rules("pub publish"),
    "pod": _rules("trunk push"),
    "snapcraft": _rules("upload|push|release"),
    "npx": _rules("npm publish; semantic-release"),
    "changeset": _rules("publish"),
    "setup.py": _rules("upload; register"),
    "charmcraft": _rules("upload"),
    **dict.fromkeys(("pip", "pip3"), (uninstall_many,)),
    **dict.fromkeys(
        ("pipx", "conda", "mamba", "micromamba"),
        _rules("", "uninstall-all; clean -a|--all; * env remove base"),
    ),
    **dict.fromkeys(
        ("apt", "apt-get", "aptitude", "yum", "dnf", "zypper", "microdnf"),
        _rules("", "remove|purge|autoremove|erase|rm|dist-upgrade|full-upgrade"),
    ),
    "dpkg": _rules("", "-r|-P|--remove|--purge"),
    "rpm": _rules("", "-e|--erase"),
    "pacman": _rules("", "-R"),
    "apk": _rules("", "del"),
    "snap": _rules("", "remove"),
    "flatpak": _rules("", "uninstall|remove"),
    "brew": (*_rules("", "uninstall|remove|rm|autoremove"), add_source),
    "port": _rules("", "uninstall"),
    "choco": _rules("", "uninstall"),
    "emerge": _rules("", "-C|--unmerge|--depclean|-c"),
    "nix-env": _rules("", "-e|--uninstall"),
    "opkg": _rules("", "remove"),
    "rustup": _rules("", "self uninstall; toolchain uninstall"),
    "opam": _rules("", "remove"),
    "winget": _rules("", "uninstall"),
    "asdf": _rules("", "uninstall"),
    **dict.fromkeys(("code", "codium", "cursor"), (*_rules("", "--uninstall-extension"), extension_file)),
    "pkg": _rules("", "delete|remove|autoremove"),
    "eopkg": _rules("", "remove"),
    "xbps-remove": _rules("", "*"),
}  # fmt: skip
for _name in _INSTALLERS:
    RULES[_name] = (*RULES.get(_name, ()), judge_source)
for _name in _SYSTEM_INSTALLERS:
    RULES[_name] = (*RULES.get(_name, ()), install_file)
RULES["gem"] = (*RULES["gem"], run_gem_description)
