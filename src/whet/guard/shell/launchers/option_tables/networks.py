"""Network clients, mail, databases, cryptography: their helper programs, plugins and uploads."""

from whet.guard.shell.launchers.option_tables.model import Starts, pattern

_SSH_SETTING = (
    r"\b(?:ProxyCommand|LocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|XAuthLocation"
    r"|AuthorizedKeysCommand)[\s=]+(.+)"
)
_MYSQL = Starts(libraries="--plugin-dir --default-auth --plugin-load --plugin-load-add")
_PACKET_FILTER = Starts(programs="--modprobe -M")
_EXIM = Starts(settings=pattern(r"\$\{run\{([^}]+)\}"))
_MAIL_READER = Starts(settings=pattern(r"^(?:shell|pager|editor|visual|sendmail|mta)=(.+)"))
_DOWNLOADER = Starts(commands="--exec --exec-before-download", plugins="--downloader --external-downloader")
_TORRENT = Starts(programs="--torrent-done-script --torrent-done-seeding-script")
_GPG = Starts(
    programs="--photo-viewer --agent-program --dirmngr-program --pinentry-program --scdaemon-program "
    "--keyboxd-program --tpm2daemon-program"
)
_SSH = Starts(libraries="-I", settings=pattern(_SSH_SETTING.replace("ProxyCommand|LocalCommand|", "")))

TABLE: dict[str, Starts] = {
    # transfers
    "curl": Starts(libraries="--engine"),
    "wget": Starts(settings=pattern(r"use_?askpass\s*=\s*(.+)")),
    "ab": Starts(uploads="-p -u"),
    **dict.fromkeys(("yt-dlp", "youtube-dl"), _DOWNLOADER),
    **dict.fromkeys(("transmission-remote", "transmission-cli", "transmission-daemon"), _TORRENT),
    "sshfs": Starts(settings=pattern(rf"(?:ssh_command|sftp_server|ssh_program)=([^,]+)|{_SSH_SETTING}")),
    **dict.fromkeys(("check_by_ssh", "autossh", "slogin", "ssh-copy-id"), Starts(settings=pattern(_SSH_SETTING))),
    **dict.fromkeys(("ssh", "sftp"), _SSH),
    "scp": Starts(programs="-D", settings=_SSH.settings),
    "ssh-keygen": Starts(libraries="-w"),
    "sshuttle": Starts(programs="-e --ssh-cmd"),
    "mosh": Starts(programs="--client"),
    "socket": Starts(commands="-p", clusters=True),
    "restic": Starts(
        programs="--password-command", settings=pattern(r"^(?:-o)?(?:sftp\.command|rclone\.program)=(.+)")
    ),
    "borg": Starts(programs="--remote-path"),
    **dict.fromkeys(("w3m", "links", "elinks"), Starts(settings=pattern(r"\b(?:ext\w*browser\d?|mailer|editor)=(.+)"))),
    "lynx": Starts(programs="-editor= -print="),
    **dict.fromkeys(("irssi", "weechat"), Starts(settings=pattern(r"/exec(?:\s+-\w+)*\s+(.+)"))),
    # links and interfaces
    "openvpn": Starts(
        programs="--auth-user-pass-verify --client-disconnect --ipchange --learn-address --route-pre-down --iproute",
        libraries="--plugin",
    ),
    "pppd": Starts(commands="connect disconnect init pty welcome", libraries="plugin"),
    "dhclient": Starts(programs="-sf"),
    "dhcpcd": Starts(programs="-c --script"),
    "udhcpc": Starts(programs="-s --script"),
    "dnsmasq": Starts(programs="--conf-script --dhcp-script"),
    **dict.fromkeys(("iptables", "ip6tables", "ebtables", "arptables", "iptables-restore"), _PACKET_FILTER),
    "ip": Starts(verbs="exec", skipped=1),
    "bettercap": Starts(settings=pattern(r"(?:^|;)\s*!\s*([^;]+)")),
    "wireshark": Starts(settings=pattern(r"^lua_script:(.*/.+)")),
    # servers
    "nginx": Starts(settings=pattern(r"load_module\s+([^;]+)")),
    **dict.fromkeys(
        ("apache2", "httpd", "apachectl", "apache2ctl"),
        Starts(settings=pattern(r"(?:LoadModule\s+\w+|LoadFile|CustomLog\s+\"?\||ErrorLog\s+\"?\|)\s*(.+)")),
    ),
    # mail
    **dict.fromkeys(("exim", "exim4", "sendmail"), _EXIM),
    **dict.fromkeys(("mail", "mailx", "s-nail", "nail"), _MAIL_READER),
    "fetchmail": Starts(commands="-m --mda --preconnect --postconnect", programs="--plugin --plugout"),
    "msmtp": Starts(programs="--passwordeval"),
    # databases
    **dict.fromkeys(("mysql", "mariadb", "mysqladmin", "mysqldump", "mysqld", "mariadbd"), _MYSQL),
    "sqlite3": Starts(
        settings=pattern(
            r"(?:\.load\s+|load_extension\s*\(\s*['\"])([^'\")\s]+)|\bedit\s*\([^)]*,\s*'([^']+)'"
            r"|^\.(?:import|output|once)\s+['\"]?\|([^'\"]+)"
        )
    ),
    "duckdb": Starts(settings=pattern(r"^\s*\.(?:shell|system|sh)\s+(.+)|\b(?:load|install)\s+'?([^';\s]*/[^';\s]+)")),
    "redis-cli": Starts(libraries="LOAD load LOADEX loadex"),
    # cryptography
    **dict.fromkeys(("gpg", "gpg2", "gpgsm", "gpg-agent"), _GPG),
    "openssl": Starts(libraries="engine -pre -provider-path"),
    "pkcs11-tool": Starts(plugins="--module"),
    "p11tool": Starts(plugins="--provider"),
    # monitoring checks whose options name helper programs
    "check_ssl_cert": Starts(programs="--grep-bin --curl-bin --openssl --file-bin --nmap-bin --dig-bin --date"),
}
