"""What is published for everybody, and what is taken off the machine."""

from whet.guard.shell.dangers.rule import Rule, phrase
from whet.guard.shell.harm import Harm

_PUBLISHES = "publishes a package for everybody"
_REMOVES = "takes a package off the machine"


def _both(publishes: str = "", removes: str = "") -> tuple[Rule, ...]:
    rules = [phrase(one, Harm.PACKAGES, _PUBLISHES) for one in publishes.split("; ") if one]
    return (*rules, *(phrase(one, Harm.PACKAGES, _REMOVES) for one in removes.split("; ") if one))


RULES = {
    "npm": _both("publish; unpublish; deprecate; dist-tag add; owner add", "uninstall|rm|remove|un|r"),
    "pnpm": _both("publish", "remove|rm|uninstall -g|--global"), "yarn": _both("publish; npm publish", "global remove"),
    "bun": _both("publish"), "lerna": _both("publish"), "twine": _both("upload"), "poetry": _both("publish; --publish", "self remove"), "uv": _both("publish", "pip uninstall; tool uninstall; python uninstall"),
    "hatch": _both("publish"), "flit": _both("publish"), "pdm": _both("publish"), "maturin": _both("publish; upload"), "cargo": _both("publish; yank; owner", "uninstall"),
    "gem": _both("push; yank; owner", "uninstall|cleanup"), "mvn": _both("* deploy; * release:perform"), "gradle": _both("* publish; * uploadArchives"), "gradlew": _both("* publish"),
    "dotnet": _both("nuget push|delete"), "nuget": _both("push|delete"), "vsce": _both("publish|unpublish"), "ovsx": _both("publish"), "goreleaser": _both("release"), "semantic-release": _both("*"),
    "sbt": _both("* publish; * publishSigned"), "composer": _both("", "global remove"), "conan": _both("upload"), "anaconda": _both("upload"), "luarocks": _both("upload"), "mix": _both("hex.publish"),
    "helm": _both("push"), "dart": _both("pub publish|lish"), "flutter": _both("pub publish"), "pod": _both("trunk push"), "snapcraft": _both("upload|push|release"), "npx": _both("npm publish; semantic-release"),
    "changeset": _both("publish"), "setup.py": _both("upload; register"), "charmcraft": _both("upload"),
    **dict.fromkeys(("pip", "pip3", "pipx", "conda", "mamba", "micromamba"), _both("", "uninstall|remove|uninstall-all; clean -a|--all; env remove")),
    **dict.fromkeys(("apt", "apt-get", "aptitude", "yum", "dnf", "zypper", "microdnf"), _both("", "remove|purge|autoremove|erase|rm|dist-upgrade|full-upgrade")),
    "dpkg": _both("", "-r|-P|--remove|--purge"), "rpm": _both("", "-e|--erase"), "pacman": _both("", "-R"), "apk": _both("", "del"), "snap": _both("", "remove"),
    "flatpak": _both("", "uninstall|remove"), "brew": _both("", "uninstall|remove|rm|autoremove"), "port": _both("", "uninstall"), "choco": _both("", "uninstall"), "emerge": _both("", "-C|--unmerge|--depclean|-c"),
    "nix-env": _both("", "-e|--uninstall"), "opkg": _both("", "remove"), "rustup": _both("", "self uninstall; toolchain uninstall"), "opam": _both("", "remove"), "winget": _both("", "uninstall"), "go": _both("", "clean --modcache|-modcache"),
    "asdf": _both("", "uninstall"), "code": _both("", "--uninstall-extension"), "pkg": _both("", "delete|remove|autoremove"), "eopkg": _both("", "remove"), "xbps-remove": _both("", "*"),
}  # fmt: skip
RULES.pop("semantic-release")
RULES.pop("go")
