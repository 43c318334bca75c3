"""Classify paths: harmful to write, unsafe to delete, secret, private, temporary, read at start-up."""

import re
from fnmatch import fnmatchcase
from functools import lru_cache

from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, UNKNOWN, without_placeholders
from whet.guard.shell.model.protected import Owner, owner_of

_HARMLESS_DEVICES = re.compile(r"/dev/(null|zero|full|tty\w*|stdin|stdout|stderr|fd(/.*)?|shm/.+|u?random|ptmx|pts/.*)")
_HOME = r"(~|/root|/home/[^/]+|/Users/[^/]+)"
_AGENTS = (
    "claude|codex|cursor|gemini|windsurf|opencode|copilot|qwen|continue|amazonq|kiro|roo|crush|goose|augment|factory"
)
_STARTUP = re.compile(
    rf"{_HOME}/\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|kshrc"
    rf"|cshrc|"
    r"tcshrc|lessfilter|config/fish/.*)|(.*/)?\.git/hooks/[^/]+|(.*/)?\.husky/[^/]+"
    # settings of coding agents: hooks, servers to start, and what the agent may do without asking
    rf"|(.*/)?\.({_AGENTS})/(.*/)?(settings|config|hooks|mcp|mcp_config|permissions)(\.local)?\.(json|jsonc|toml|ya?ml)"
    r"|(.*/)?\.mcp\.json|(.*/)?\.(claude|codex)/hooks/.+|(.*/)?\.claude\.json|(.*/)?opencode\.jsonc?"
)
_SETTINGS = re.compile(
    rf"({_HOME}/)?(\.(vimrc|gvimrc|exrc|tmux\.conf|screenrc|emacs|Rprofile|sqliterc|psqlrc|gdbinit|lldbinit|forward"
    rf"|inputrc|mailcap|curlrc|wgetrc|irbrc|pryrc|gemrc|npmrc|yarnrc(\.yml)?|gitconfig|nanorc|pythonrc(\.py)?"
    rf"|procmailrc|muttrc|lesskey"
    r"|ssh/config|pip/pip\.conf|cargo/config(\.toml)?|m2/settings\.xml|emacs\.d/init\.el|vim/.*|docker/config\.json"
    r"|config/(nvim|pip|git|tmux|kitty|alacritty|i3|sway|hypr)/.*)|pip\.conf)"
)
# Programs in folders that PATH lists first: a file there replaces a program of the system.
_SHADOWS_PROGRAM = re.compile(
    rf"({_HOME}/(\.local/)?bin|/usr/local/s?bin|/opt/homebrew/bin)/(ls|cat|cp|mv|rm|ps|id|su|sudo|doas|ssh|scp|sftp"
    rf"|git|bash|sh|zsh|env|grep|find|curl|wget|login|passwd|which|kill|top|less|tar|man|date|cd|test)"
)
# The harm of writing a path; the first pattern that matches decides.
_HARM_OF_WRITING = (
    (Harm.DEVICE, re.compile(r"/dev/.*")),
    (
        Harm.ACCOUNTS,
        re.compile(r"/etc/(passwd|shadow|gshadow|group|sudoers(\.d)?|doas\.conf|security/.*|pam\.d/.*)(-|/.*)?"),
    ),
    (
        Harm.PERSISTENCE,
        re.compile(
            r"/etc/(cron.*|anacrontab|systemd/.*|init\.d/.*|rc\.local|rc\d?\.d/.*|profile(\.d/.*)?|bash\.bashrc|zsh/.*|"
            r"ld\.so\.preload|ld\.so\.conf.*|environment|xdg/autostart/.*|update-motd\.d/.*|inittab|udev/.*)"
            r"|/var/spool/(cron|at)(/.*)?|/(usr/)?lib/systemd/.*|(.*/)?\.ssh/(authorized_keys2?|rc|environment)"
            r"|(.*/)?(site|user)customize\.py|.*/(site|dist)-packages/[^/]+\.pth"
            rf"|{_HOME}/\.(config/(systemd|autostart)/.*|(config/procps/)?toprc|xinitrc|xprofile|pam_environment)|(~"
            rf"|/Users/[^/]+)?/Library/Launch\w+/.*"
        ),
    ),
    (
        Harm.TRACES,
        re.compile(
            r"/var/log(/.*)?|/var/run/utmp|/run/utmp"
            r"|(.*/)?\.(bash|zsh|sh|python|mysql|psql|sqlite|node_repl|ash|fish)_?history|(.*/)?\.histfile"
        ),
    ),
    (
        Harm.SYSTEM,
        re.compile(r"/(etc|usr|bin|sbin|boot|lib\w*|proc|sys|System|Windows)(/.*)?|/vmlinuz.*|/initrd.*"),
    ),
)
# Below system folders, but written in everyday work. Not the folder of certificate authorities: every TLS client of the
# machine trusts what is in it.
_WRITABLE = re.compile(
    r"/usr/local/(?!share/ca-certificates/).+|/usr/share/(nginx|keyrings)/.+|/etc/nginx/.+|/sys/fs/cgroup/(?!(.*/)?release_agent$).+|/proc/self/fd/.*"
)

# Everything: the root, the working folder, a home, a top-level folder, each perhaps with `/*`.
_WHOLE_TREE = re.compile(
    rf"(/|\.|\./|\.\.|(\.\./)+(\.\.)?|/?\*+|\./\*+|\.\*|\.\?\?\*|\.\[!\.\].*|\{{}}|{_HOME}|/(home|root|Users|var|opt"
    rf"|srv|mnt|media|tmp|data))"
    r"(/\.?\*{0,2}|/\.\[!?\.\]\*)*/?(\.\.?)?"
)
# System and home folders, with everything below.
_OUTSIDE_PROJECT = re.compile(
    r"/(etc|usr|bin|sbin|boot|lib\w*|proc|sys|dev|System|Library|Applications|Windows|home|root|Users|srv|opt|data"
    r"|mnt|media|run|var)(/.*)?|~.*|[A-Z]:[\\/].*"
)
# `../../etc`: a way out of the project into a system folder.
_CLIMBS_OUT = re.compile(r"(\./)?(\.\./){2,}(etc|usr|bin|sbin|boot|lib\w*|home|root|var|opt|srv|Users)(/.*)?")
_PRECIOUS = re.compile(
    r"(.*/)?(\.git(/(refs|objects|logs|packed-refs|HEAD|index))?|\.hg|\.ssh|\.gnupg|\.aws|\.kube|\.github"
    r"|Documents|Desktop|backups?)(/\*{0,2})?"
)
_PRECIOUS_IN_PROJECT = re.compile(
    r"(\./)?(src|source|tests?|lib|app|home|etc|usr|var|migrations|data|database)(/\*{0,2})?"
)
# In these folders even a folder called `cache` or `bin` must stay.
_SYSTEM_FOLDER = re.compile(r"/(etc|usr(?!/(local|src))|bin|sbin|boot|lib\w*|proc|sys|dev|System|Library|Windows)(/|$)")
# Folders and files that a build or a tool creates again.
_REGENERATED = re.compile(
    r"""build|_build|builds|dist|target|out|output|bin|obj|node_modules|bower_components|__pycache__|
    \.?caches?|Caches?|_cacache|
    \.\w+[-_]cache|\.(cache|venv|tox|nox|eggs|next|nuxt|svelte-kit|output|turbo|parcel-cache|gradle|terraform|
    serverless|angular|pytest_cache|mypy_cache|ruff_cache|hypothesis|coverage|nyc_output|ipynb_checkpoints|docusaurus|
    vite|dart_tool|bundle|sass-cache|npm|yarn|tmp|temp|scannerwork)|
    venv|\.?v?env|htmlcov|coverage|\.coverage(\..*)?|.*\.egg-info|.*\.dist-info|
    .*\.(py[co]|o|log|tmp|bak|orig|swp|class|egg|whl|pid|lock|DS_Store)|
    site|public|storybook-static|test-results|playwright-report|reports?|logs?|tmp|temp|scratch|vendor|Pods|DerivedData|
    \*\.\w+|generated|release|debug|cmake-build-.*|bazel-.*|elm-stuff|deps|_site|\.DS_Store|lists|archives|go-build|
    tmp\..*|.*[-_]?(tmp|temp)""",
    re.VERBOSE,
)
_TEMPORARY = re.compile(r"(/private)?(/var)?/tmp/[^*].*|/dev/shm/.+|/var/folders/.+/.+")

_SECRET = re.compile(
    rf"(.*/)?(\.ssh/(id_\w+|identity|\*.*|[\w-]*key)|id_(rsa|dsa|ecdsa|ed25519)|\.aws/(credentials|\*.*)|\.netrc"
    rf"|_netrc|\.pgpass|\.my\.cnf|"
    r"\.git-credentials|\.docker/config\.json|\.kube/config|\.gnupg(/.*)?|\.vault-token|\.npmrc|\.pypirc|"
    r"\.config/(gh/hosts\.yml|gcloud/.*|hub|rclone/rclone\.conf|op/.*)|\.azure/.*|\.password-store(/.*)?|"
    r"Login Data|Cookies|cookies\.sqlite|logins\.json|key[34]\.db|.*\.kdbx|\.electrum/.*|wallet\.dat|\.bitcoin/.*"
    r"|.*\.keychain(-db)?)"
    rf"|{_HOME}/\.(boto|s3cfg|passwd-s3fs|smbcredentials|rediscli_auth)|{_HOME}/\.([\w.-]+/)+(credentials?|(access"
    rf"|auth|refresh)?_?tokens?|auth|secrets?|passwords?|settings-security)(\.[\w.]+)?|.*/keyrings/.*"
    rf"|{_HOME}/\.ssh/?|\.ssh/?"
    r"|/etc/(g?shadow-?|sudoers(\.d/.*)?|ssh/ssh_host_\w+_key|krb5\.keytab|ssl/private/.*|master\.passwd)"
    r"|/proc/(\d+|self|\*|\ue000)/(environ|mem|maps)|/dev/k?mem|/run/secrets/.*|/var/run/secrets/.*"
    r"|/var/lib/docker/.*|/var/lib/mysql/.*"
)
# Files of /proc that tell about the machine or a process, but not about its data.
_PUBLIC_PROC = (
    r"(cpuinfo|meminfo|loadavg|uptime|version|stat|vmstat|mounts|partitions|filesystems|modules|interrupts|swaps|"
    r"cmdline|devices|diskstats|net/.*|sys/.*|[^/]+/(cmdline|comm|status|stat|statm|limits|io|cgroup|mountinfo|mounts|"
    r"sched|wchan|exe|cwd|task.*|oom_\w+))$"
)
_PRIVATE = re.compile(
    rf"(.*/)?(\.env(\.\w+)?|.*\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|sql|sqlite3?|db|dump|bak)|secrets?(\.\w+)?"
    rf"|credentials?(\.\w+)?|"
    rf".*history|passwd|hosts)|/etc(/.*)?|/var/(lib|log|backups|mail).*|/root.*|/home(/[^/]+)?/?|{_HOME}(/\..*)?/?"
    rf"|\.|\./|\.\./?|/|\*|\./\*|/proc/(?!{_PUBLIC_PROC}).*|{_HOME}/\*.*|{_HOME}/[^/]+/?"
)


_GLOB = re.compile(r"[*?\[]")
_TOP_FOLDERS = ("etc", "usr", "home", "root", "boot", "bin", "lib", "var", "sbin", "opt", "dev", "srv", "proc", "sys")
_ACCOUNT_FILES = ("shadow", "sudoers", "passwd", "gshadow", "group")
_SECRET_NAMES = (
    ".ssh", ".aws", ".gnupg", ".kube", ".netrc", ".git-credentials", ".pgpass", "id_rsa", "id_ed25519", "shadow",
)  # fmt: skip
_MAX_LENGTH = 4096  # PATH_MAX: the kernel accepts no longer path


def _clean(path: str) -> str:
    """Return the path without doubled slashes, `/./` and `x/..`, with glob patterns replaced by a likely match."""
    path = path.replace(DECODED, "")
    while "//" in path:
        path = path.replace("//", "/")
    if _GLOB.search(path):
        path = _match_top_folder(path) if path[:1] == "/" else path
        path = "/".join(_match_step(step) for step in path.split("/"))
    return (path if "/." not in path else _without_detours(path))[:_MAX_LENGTH]


def _match_top_folder(path: str) -> str:
    """Replace a glob for a top-level folder or a file of /etc by the first sensitive name that it matches."""
    _, first, *rest = path.split("/")
    first = next(
        (name for name in _TOP_FOLDERS if _GLOB.search(first) and first != "*" and fnmatchcase(name, first)), first
    )
    if first == "etc" and len(rest) == 1 and rest[0] != "*":
        rest = [next((name for name in _ACCOUNT_FILES if fnmatchcase(name, rest[0])), rest[0])]
    return "/".join(["", first, *rest])


def _match_step(step: str) -> str:
    """Replace a glob such as `.s?h` by the secret name it matches (`.ssh`), if at least half of it is literal."""
    if not _GLOB.search(step):
        return step
    literal = len(_GLOB.sub("", step))
    names = (name for name in _SECRET_NAMES if 2 * literal >= len(name) and (name[0] != "." or step[0] == "."))
    return next((name for name in names if fnmatchcase(name, step)), step)


def _without_detours(path: str) -> str:
    """Resolve `.` and `..`; the parent of "~" is /home."""
    steps: list[str] = []
    for step in path.split("/"):
        if step == ".." and steps and steps[-1] not in ("..", "."):
            if steps[-1] not in ("", "~"):
                steps.pop()
            elif steps[-1] == "~":
                return "/home"
        elif step != "." or not steps:
            steps.append(step)
    return "/".join(steps) or "/"


@lru_cache(maxsize=8192)
def harm_of_writing(path: str) -> Harm | None:
    """Return the harm of writing a file, or None if writing it is fine."""
    owner = owner_of(path)
    if owner is not None:
        return Harm.WHET if owner is Owner.WHET else Harm.GIT_HISTORY
    path = _clean(path)
    if _SHADOWS_PROGRAM.fullmatch(path):
        return Harm.SYSTEM
    if _HARMLESS_DEVICES.fullmatch(path) or _WRITABLE.fullmatch(path):
        return None
    return next((harm for harm, places in _HARM_OF_WRITING if places.fullmatch(path)), None)


def harm_of_replacing(path: str) -> Harm | None:
    """Return the harm of writing a file with content that is not known. A start-up file runs it."""
    return harm_of_writing(path) or (Harm.PERSISTENCE if is_startup_file(path) else None)


def is_source_folder(path: str) -> bool:
    """True for `src`, `tests` and other folders of a project that no build creates again."""
    return _PRECIOUS_IN_PROJECT.fullmatch(_clean(path)) is not None


def is_temporary(path: str) -> bool:
    return _TEMPORARY.fullmatch(_clean(path)) is not None


def is_startup_file(path: str) -> bool:
    return _STARTUP.fullmatch(_clean(path)) is not None


def is_settings_file(path: str) -> bool:
    """True if a program reads the file as its settings, which may name commands to start or servers to trust."""
    return _SETTINGS.fullmatch(_clean(path)) is not None


@lru_cache(maxsize=8192)
def is_system_path(path: str) -> bool:
    path = _clean(path)
    if _WRITABLE.fullmatch(path) or _HARMLESS_DEVICES.fullmatch(path):
        return False
    return path in ("/", "/*") or any(
        places.fullmatch(path) for harm, places in _HARM_OF_WRITING if harm is not Harm.TRACES
    )


@lru_cache(maxsize=8192)
def is_unsafe_to_delete(path: str) -> bool:
    """True if deleting the tree loses work: the root, a home, the whole project, the system, a repository's history."""
    if owner_of(path) is not None:
        return True
    path = _clean(path)
    if _WHOLE_TREE.fullmatch(path):
        return True
    if _TEMPORARY.fullmatch(path):
        return False
    if _CLIMBS_OUT.fullmatch(path) or _PRECIOUS.fullmatch(path) or _PRECIOUS_IN_PROJECT.fullmatch(path):
        return True
    is_outside_project = _OUTSIDE_PROJECT.fullmatch(path) is not None
    steps = path.strip("/").split("/")
    # The first step of an absolute path is a top-level folder, so `/tmp` and `/build` do not count as regenerated.
    names = steps[1:] if path[:1] in "/~" else steps
    if any(_REGENERATED.fullmatch(name) for name in names if name):
        is_top_level = path[:1] == "/" and path.count("/") < 2
        return is_top_level or (is_outside_project and _SYSTEM_FOLDER.match(path) is not None)
    return is_outside_project


def is_unknown_place(path: str) -> bool:
    """True if nothing is known about the last part of the path."""
    last = path.rstrip("/*").rpartition("/")[2]
    if path.startswith(f"/tmp/{UNKNOWN}.made/*"):
        return True  # `$TMP/*`: if the variable is empty, the path is `/*`
    return (
        not path.isascii()
        and UNKNOWN in path
        and not without_placeholders(last).strip("*.")
        and not _TEMPORARY.fullmatch(path)
    )


@lru_cache(maxsize=8192)
def is_secret(path: str) -> bool:
    return not path.endswith(".pub") and _SECRET.fullmatch(_clean(path)) is not None


@lru_cache(maxsize=8192)
def is_private(path: str) -> bool:
    """True if the file must not be sent to others: secrets, and files such as `.env`, databases, logs, a whole home."""
    return is_secret(path) or _PRIVATE.fullmatch(_clean(path)) is not None
