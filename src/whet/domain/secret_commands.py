"""Secrets that programs take as an argument, as tables: `mysql -psecret`, `curl -u user:secret`, `redis-cli -a secret`.

The same option means something else in most programs (`mkdir -p build`), so a row names the programs. Lists of arguments, as
`subprocess` takes them, are read like command lines.
"""

from __future__ import annotations

import re

from whet.domain.secret_forms import Form, is_mixed, is_template

# Programs, and the options of theirs that take a secret. A slash in a program precedes a subcommand. `-p` takes the next word, `-p*` the
# rest of the same word, `-p~` either; the words of long options may also follow `=`.
_OPTIONS = (
    ("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mariadb mariadb-dump mariadb-admin", "-p*"),
    ("sshpass", "-p~"),
    ("docker/login podman/login nerdctl/login buildah/login skopeo/login registry/login az/login oc/login cf/login", "-p~"),
    ("redis-cli", "-a --pass"),
    ("ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare", "-w~"),
    ("ldappasswd", "-w~ -s~ -a~"),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh twine ncftpput ncftpget rdesktop", "-p~"),
    ("hydra crackmapexec netexec nxc evil-winrm useradd usermod", "-p~"),
    ("sqlcmd bcp isql tsql ipmitool mosquitto_pub mosquitto_sub", "-P~"),
    ("zip zipcloak unzip zipinfo ssh-keygen", "-P~ -N"),
    ("7z 7za 7zr 7zz rar unrar", "-p* -hp*"),
    ("keytool jarsigner apksigner", "-storepass -keypass -srcstorepass -deststorepass -new"),
    ("pdftk", "user_pw owner_pw input_pw"),
    ("openssl", "-k -K"),
    ("plink pscp psftp putty", "-pw"),
    ("snmpget snmpwalk snmpset snmpbulkwalk", "-A -X -c"),
    ("curl", "--oauth2-bearer --proxy-pass --tlspassword"),
    ("gh/secret gh/variable", "--body -b"),
    ("doctl glab hub", "-t --access-token"),
    ("nmcli wpa_cli", "password psk"),
    ("rclone", "pass password"),
    ("influx", "-password"),
)  # fmt: skip
# Programs and options whose argument is a name with a secret behind it, and the sign between the two.
_PAIRS = (
    ("curl wget2 httpie http https xh ab aria2c", "-u~ -U~ -a~ -A~ --user --auth --proxy-user", ":"),
    ("curl xh", "-b~ --cookie", "="),
    ("smbclient smbget rpcclient mount.cifs", "-U~ --user", "%"),
    ("lftp", "-u~ --user", ","),
    ("kubectl oc", "--from-literal", "="),
    ("doppler/secrets fly/secrets flyctl/secrets supabase/secrets", "set", "="),
)
_USER = r"[\w.@\\-]{1,100}"
# Commands in which only the place shows the secret, or a name that is too common elsewhere: literals of which the text has one,
# the words before the secret as an expression, and whether the secret must look random.
_PLACES = (
    ("htpasswd", r"htpasswd\s+(?:-\w{1,8}\s+){0,4}-\w{0,6}b\w{0,6}\s+(?:\S{1,100}\s+){1,4}(?=\S+\s*(?:$|[\n;|&]))", False),
    ("rabbitmqctl", rf"rabbitmqctl\s[^\n;|]{{0,100}}?(?:add_user|change_password|authenticate_user)\s+{_USER}\s+", False),
    ("sqlplus impdp expdp sqlldr", rf"(?:sqlplus|impdp|expdp|sqlldr)\s+(?:-\S{{1,20}}\s+){{0,4}}{_USER}/(?=[^\s/]+(?:\s|$|@))", False),
    ("wpa_passphrase", r"wpa_passphrase\s+\S{1,100}\s+", False),
    ("/user:", r"net\s+use\s+\S{1,20}\s+\S{1,200}\s+(?=\S+\s+/user:)", False),
    ("/add", r"net\s+user\s+\S{1,60}\s+(?=\S+\s+/add)", False),
    ("iwconfig", r"iwconfig\s+\S{1,20}\s+key\s+(?:s:)?", False),
    ("http-basic", rf"http-basic\.\S{{1,60}}\s+{_USER}\s+", False),
    ("freerdp", r"x?freerdp\w{0,4}\s[^\n;|]{0,300}?/p:", False),
    ("identified", r"(?i:user\s+\S{1,100}\s+identified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?)", False),
    ("pass:", r"-pass(?:in|out)?\s+pass:", False),
    ("<<<", r"(?:chpasswd|vncpasswd|kinit|cryptsetup|sudo\s+-S|--(?:password-)?stdin)[^\n|;<]{0,80}<<<\s{0,4}", False),
    ("cargo vault", r"(?:cargo|vault)\s+login\s+(?:--\S+\s+\S+\s+)?", True),
    ("config", r"config(?:ure)?\s+(?:set\s+)?\S{0,100}(?:secret|[Tt]oken|passw|api[_-]?key)\S{0,60}\s+", True),
    ("_auth=", r"[A-Z][A-Z0-9_]{1,40}_AUTH=", True),
)  # fmt: skip
_READS_STDIN = (
    r"sudo\s[^\n|;]{0,60}?-\w{0,4}S|[^\n|;]{0,160}--(?:password-)?stdin|(?:sudo\s+)?chpasswd|gh\s+auth\s+login|glab\s+auth\s+login"
    r"|kinit|cryptsetup|vncpasswd|gpg\s[^\n|;]{0,80}--passphrase-fd|openssl\s[^\n|;]{0,160}\sstdin"
)
_GAP = r"(?:\s+(?:\\\n\s*)?|\\{0,3}[\"']\s*,\s*\\{0,3}[\"'])"
_NOT_YET = r"(?!\[redacted: |[$<{%])"
_QUOTED = rf"\\{{0,3}}[\"']{_NOT_YET}(?P<other>[^\"'\\\n]{{3,200}}+)(?=\\{{0,3}}[\"'])"
_VALUE = rf"(?:{_QUOTED}|{_NOT_YET}(?P<secret>[^\s\"'\\]{{2,200}}[^\s\"'\\;&|),\]}}]))"
_OTHER_ARGUMENTS = r"(?:\\\n|(?!\s(?:\||;|&|\|\||&&)\s|;\s)[^\n]){0,200}?"
_PLACEHOLDERS = frozenset(
    "pass passwd password passphrase pw pwd secret token user username prompt stdin option value string public private".split()  # noqa: SIM905
)


def _is_argument(value: str) -> bool:
    """True if a word is not a placeholder of a usage text, an option or a variable."""
    plain = value.strip("[]<>().,:`*").lower()
    return (
        len(plain) >= 3
        and plain not in _PLACEHOLDERS
        and not is_template(value)
        and not value.startswith(("-", "[", "..."))
    )


def _is_random(value: str) -> bool:
    return len(value) >= 8 and is_mixed(value) and _is_argument(value)


def _programs(names: str) -> str:
    spelled = (re.escape(name).replace("/", rf"{_GAP}(?:\S{{1,40}}{_GAP}){{0,3}}?") for name in names.split())
    return rf"(?<![\w.-])(?:{'|'.join(spelled)})(?=[\s\"'\\])"


def _option(spelled: str) -> str:
    """Return the expression for an option and what separates it from its value."""
    name, how = (spelled[:-1], spelled[-1]) if spelled[-1] in "*~" else (spelled, "")
    separator = {"*": "", "~": rf"(?:{_GAP}|=|)"}.get(how, rf"(?:{_GAP}|=)" if name.startswith("--") else _GAP)
    return name + separator


def _options(words: str) -> str:
    return rf"(?<=[\s\"'])(?:{'|'.join(map(_option, words.split()))})"


def _hints(words: str) -> str:
    """Return literals of which a text with one of these options has one."""
    plain = (re.split(r"[~*(\\]", word)[0].lower() for word in words.split())
    return " ".join(word for word in plain if word)


def command_forms() -> tuple[Form, ...]:
    """Return the forms of secrets in arguments of commands."""
    arguments = tuple(
        Form(
            "password",
            _hints(options),
            f"{_programs(names)}{_OTHER_ARGUMENTS}{_options(options)}{_VALUE}",
            _is_argument,
        )
        for names, options in _OPTIONS
    )
    pairs = tuple(
        Form(
            "password",
            _hints(options),
            rf"{_programs(names)}{_OTHER_ARGUMENTS}{_options(options)}\\{{0,3}}[\"']?[^\s\"':=%,]{{1,100}}+{sign}"
            rf"{_NOT_YET}(?P<secret>[^\s\"'\\]{{2,200}}[^\s\"'\\;&|),\]}}])",
            _is_argument,
        )
        for names, options, sign in _PAIRS
    )
    places = tuple(
        Form("password", hints, rf"(?<![A-Za-z0-9_.]){before}{_VALUE}", _is_random if random else _is_argument)
        for hints, before, random in _PLACES
    )
    piped = rf"(?<![\w.-])(?:echo|printf)(?:\s+-[neE]{{1,3}}|\s+[\"']?%s(?:\\n)?[\"']?)*\s+{_VALUE}[\"']?\s*\|\s*(?:{_READS_STDIN})"
    return (*arguments, *pairs, *places, Form("password", "echo printf", piped, _is_argument))
