"""What is published for everybody, and what is taken off the machine."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.network import LOCAL
from whet.guard.shell.rules.rule import Rule, RuleHit, phrase

_PUBLISHES = "publishes a package"
_REMOVES = "uninstalls a package"
_PLAIN_ADDRESS = re.compile(r"(?:^|[=+@])((?:git\+)?http://\S+)")
_ARCHIVE = re.compile(
    r"(?:[\w.\[\]-]+ ?@ ?)?https://([^/@]+@)?([^/:]+)\S*\.(tar\.gz|tgz|zip|whl|tar\.bz2|gem|tar\.xz)(#.*)?"
)
_KNOWN_HOSTS = re.compile(
    r"(.*\.)?(github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pypi\.org|pythonhosted\.org|"
    r"pytorch\.org|npmjs\.(org|com)|yarnpkg\.com|rubygems\.org|huggingface\.co|googleapis\.com|amazonaws\.com)"
)
_UNSIGNED = frozenset({
    "--allow-unauthenticated", "--force-yes", "--nogpgcheck", "--no-gpg-checks", "--no-gpg-check", "--allow-insecure-repositories", "--force-bad-verify", "--nosignature",
    "--allow-untrusted", "--no-verify-ssl",
})  # fmt: skip
_INSTALLERS = (
    "pip", "pip3", "uv", "uvx", "pipx", "poetry", "pdm", "conda", "mamba", "npm", "pnpm", "yarn", "npx", "bun", "bunx", "gem", "cargo", "go", "composer", "easy_install",
    "apt", "apt-get", "aptitude", "dpkg", "yum", "dnf", "zypper", "rpm", "apk", "pacman", "brew", "luarocks", "nuget", "helm", "ansible-galaxy",
)  # fmt: skip

_TAKES_ARCHIVES = frozenset(
    {"pip", "pip3", "uv", "uvx", "pipx", "npm", "pnpm", "yarn", "npx", "bun", "bunx", "gem", "easy_install"}
)


def source(call: Call) -> Iterator[RuleHit]:
    """Packages are code: over a plain connection or unsigned they are whatever somebody on the way makes of them."""
    for place, word in enumerate(call.args):
        address = _PLAIN_ADDRESS.search(word)
        trusted = word.partition("=")[2] or (call.args[place + 1] if place + 1 < len(call.args) else "")
        if address and not LOCAL.fullmatch(address[1].removeprefix("git+")):
            yield Harm.PACKAGES, "takes packages over an unencrypted connection"
        elif word.startswith("--trusted-host") and not LOCAL.fullmatch(trusted):
            yield Harm.PACKAGES, "takes packages from a host without checking its identity"
        elif (
            (archive := _ARCHIVE.fullmatch(word))
            and call.name in _TAKES_ARCHIVES
            and not _KNOWN_HOSTS.fullmatch(archive[2])
        ):
            yield Harm.PACKAGES, f"takes a package from {archive[2]}, which is no known package index"
        elif word in _UNSIGNED:
            yield Harm.PACKAGES, "takes packages without checking their signatures"
    if call.options.operands[:2] == ["config", "set"] and any("trusted-host" in word for word in call.args):
        yield Harm.PACKAGES, "takes packages from a host without checking its identity"
    if (
        call.options.operands[:3] in (["config", "set", "strict-ssl"], ["set", "strict-ssl", "false"])
        and "false" in call.args
    ):
        yield Harm.PACKAGES, "takes packages from a host without checking its identity"


def uninstalled(call: Call) -> Iterator[RuleHit]:
    """One package taken out is work; the installer itself, or all that a list names, is not."""
    words = call.options.operands
    if words[:1] == ["uninstall"] and (
        call.options.has("r", "requirement") or not {"pip", "setuptools"}.isdisjoint(words)
    ):
        yield Harm.PACKAGES, _REMOVES


def _in_earnest(rule: Rule) -> Rule:
    def unless_tried(call: Call) -> Iterator[RuleHit]:
        if not call.options.has("", "dry-run"):
            yield from rule(call)

    return unless_tried


def _both(publishes: str = "", removes: str = "") -> tuple[Rule, ...]:
    rules = [_in_earnest(phrase(one, Harm.PACKAGES, _PUBLISHES)) for one in publishes.split("; ") if one]
    return (*rules, *(phrase(one, Harm.PACKAGES, _REMOVES) for one in removes.split("; ") if one))


RULES: dict[str, tuple[Rule, ...]] = {
    "npm": _both("publish; unpublish; deprecate; dist-tag add; owner add", "uninstall|rm|remove|un|r -g|--global"),
    "pnpm": _both("publish", "remove|rm|uninstall -g|--global"), "yarn": _both("publish; npm publish", "global remove"),
    "bun": _both("publish"), "lerna": _both("publish"), "twine": _both("upload"), "poetry": _both("publish; --publish", "self remove"), "uv": _both("publish", "python uninstall"),
    "hatch": _both("publish"), "flit": _both("publish"), "pdm": _both("publish"), "maturin": _both("publish; upload"), "cargo": _both("publish; yank; owner"),
    "gem": _both("push; yank; owner", "uninstall|cleanup"), "mvn": _both("* deploy; * release:perform"), "gradle": _both("* publish; * uploadArchives"), "gradlew": _both("* publish"),
    "dotnet": _both("nuget push|delete"), "nuget": _both("push|delete"), "vsce": _both("publish|unpublish"), "ovsx": _both("publish"), "goreleaser": _both("release"), "semantic-release": _both("*"),
    "sbt": _both("* publish; * publishSigned"), "composer": _both("", "global remove"), "conan": _both("upload"), "anaconda": _both("upload"), "luarocks": _both("upload"), "mix": _both("hex.publish"),
    "helm": _both("push"), "dart": _both("pub publish|lish"), "flutter": _both("pub publish"), "pod": _both("trunk push"), "snapcraft": _both("upload|push|release"), "npx": _both("npm publish; semantic-release"),
    "changeset": _both("publish"), "setup.py": _both("upload; register"), "charmcraft": _both("upload"),
    **dict.fromkeys(("pip", "pip3"), (uninstalled,)),
    **dict.fromkeys(("pipx", "conda", "mamba", "micromamba"), _both("", "uninstall-all; clean -a|--all; * env remove base")),
    **dict.fromkeys(("apt", "apt-get", "aptitude", "yum", "dnf", "zypper", "microdnf"), _both("", "remove|purge|autoremove|erase|rm|dist-upgrade|full-upgrade")),
    "dpkg": _both("", "-r|-P|--remove|--purge"), "rpm": _both("", "-e|--erase"), "pacman": _both("", "-R"), "apk": _both("", "del"), "snap": _both("", "remove"),
    "flatpak": _both("", "uninstall|remove"), "brew": _both("", "uninstall|remove|rm|autoremove"), "port": _both("", "uninstall"), "choco": _both("", "uninstall"), "emerge": _both("", "-C|--unmerge|--depclean|-c"),
    "nix-env": _both("", "-e|--uninstall"), "opkg": _both("", "remove"), "rustup": _both("", "self uninstall; toolchain uninstall"), "opam": _both("", "remove"), "winget": _both("", "uninstall"), "go": _both("", "clean --modcache|-modcache"),
    "asdf": _both("", "uninstall"), "code": _both("", "--uninstall-extension"), "pkg": _both("", "delete|remove|autoremove"), "eopkg": _both("", "remove"), "xbps-remove": _both("", "*"),
}  # fmt: skip
RULES.pop("semantic-release")
RULES.pop("go")
for _name in _INSTALLERS:
    RULES[_name] = (*RULES.get(_name, ()), source)
