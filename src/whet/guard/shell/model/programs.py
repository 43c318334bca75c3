"""Sets of programs by what they do, shared by the evaluator and the rules."""

# Programs that exchange data with another machine.
FETCHERS = frozenset({
    "curl", "wget", "fetch", "aria2c", "lynx", "links", "w3m", "http", "https", "xh", "nc", "ncat", "netcat",
    "telnet", "ftp", "tftp", "socat", "ssh", "dig", "nslookup", "host", "gh", "aws", "gsutil",
})  # fmt: skip

EDITORS = frozenset({
    "vi", "vim", "nvim", "gvim", "view", "rvim", "rview", "vimdiff", "ex", "ed", "nano", "pico", "emacs",
    "emacsclient", "micro", "hx", "helix", "kak", "joe", "jed", "ne", "mg", "mcedit", "mousepad", "gedit",
    "kate", "kwrite", "xed", "pluma", "geany", "leafpad", "code", "code-insiders", "codium", "cursor", "subl",
    "atom", "mate", "bbedit", "zed", "notepad", "sudoedit",
})  # fmt: skip

# Programs in which a key starts another program: a pager, an editor, a file manager.
INTERACTIVE_PROGRAMS = EDITORS | frozenset({
    "less", "more", "most", "pg", "zless", "lv", "man", "info", "pinfo", "ncdu", "ranger", "nnn", "lf", "vifm", "mc", "top",
    "htop", "tig", "lazygit", "aptitude", "apport-cli", "mutt", "neomutt", "alpine", "w3m", "lynx", "links", "elinks",
})  # fmt: skip

# Programs that read the files they are given.
READERS = EDITORS | frozenset({
    "cat", "head", "tail", "less", "more", "base64", "base32", "xxd", "od", "hexdump", "strings", "cp", "mv",
    "tar", "zip", "gzip", "bzip2", "xz", "zstd", "rsync", "scp", "sftp", "curl", "wget", "nc", "ncat", "netcat",
    "grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "mawk", "sed", "sort", "uniq", "cut", "dd", "openssl",
    "tee", "rev", "tac", "nl", "diff", "cmp", "paste", "xargs", "python", "python3", "perl", "ruby", "bat",
    "batcat", "most", "pg", "hexyl", "hexedit", "ghex", "open", "xdg-open", "glow", "lp", "lpr", "a2ps",
    "qrencode", "sqlite3", "ssh-keygen", "sdiff", "colordiff", "delta", "shuf", "zgrep", "zless", "ccat",
    "lolcat", "yq", "dasel", "xmllint", "fzf", "tshark", "jq", "fold", "fmt", "pr", "column", "comm", "join",
    "look", "wc", "basenc", "uuencode", "ln", "install", "7z", "zcat", "gpg", "gh", "glab", "gist", "mail",
    "mutt", "sendmail", "socat", "ftp", "tftp", "file", "split", "csplit", "expand", "iconv", "readlink", "php",
    "node", "git", "aws", "gsutil", "gcloud", "az", "rclone", "docker", "kubectl", "ssh", "source", ".", "pv",
    "dig", "nslookup", "xclip", "pbcopy", "xsel", "http", "restic", "borg", "ar", "cpio", "enscript",
})  # fmt: skip

# Files that a reader never reaches the end of.
ENDLESS_FILES = frozenset({"/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"})

SHELLS = frozenset({
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "mksh", "rbash", "ksh93", "pdksh", "yash",
    "oksh", "hush", "elvish", "nu", "xonsh", "pwsh", "powershell", "powershell.exe", "pwsh.exe", "posh", "sash",
    "lksh", "rzsh", "rksh", "busybox-sh", "rc", "osh", "ysh",
})  # fmt: skip

# Programs that delete, overwrite or end their arguments.
DESTRUCTIVE_COMMANDS = frozenset({
    "rm", "shred", "dd", "truncate", "unlink", "wipe", "srm", "mkfs", "shutdown", "reboot", "poweroff", "halt",
    "kill", "killall", "pkill",
})  # fmt: skip

# Commands that a person types without thinking; redefining one is an attack.
EVERYDAY_COMMANDS = frozenset({
    "cd", "ls", "cat", "cp", "mv", "git", "vi", "vim", "nano", "less", "more", "grep", "find", "mkdir", "touch",
    "echo", "pwd", "ll", "man", "make", "python", "python3", "pip", "npm", "docker", "ssh", "sudo", "su", "ps",
    "top", "exit", "clear", "tar", "head", "tail", "chmod",
})  # fmt: skip

# Programs that run code of the project, or of packages that they download.
BUILDERS = frozenset({
    "make", "gmake", "cmake", "ninja", "meson", "rake", "just", "task", "ant", "mvn", "gradle", "bazel", "npm", "npx",
    "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "easy_install", "gem", "bundle", "cargo", "go", "composer",
    "ansible-playbook", "vagrant",
})  # fmt: skip

# Folders in which the system and its package managers install programs.
STANDARD_FOLDERS = (
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
)

INSTALLATION_FOLDERS = (
    "/bin/", "/usr/", "/opt/", "/snap/", "/Applications/", "/nix/store/", "/home/linuxbrew/", "/etc/alternatives/",
)  # fmt: skip


def is_foreign_program(path: str) -> bool:
    """True for an absolute path outside of the home folders and of the folders in which programs are installed."""
    return path.startswith("/") and not path.startswith((*INSTALLATION_FOLDERS, "/sbin/", "/lib", "/home/"))
