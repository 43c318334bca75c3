"""Version control, package managers, compilers, build tools and configuration management."""

from whet.guard.shell.launchers.option_tables.model import Starts, pattern

_PHP_CODE = Starts(code="eval ev php-eval php:eval --execute", language="php")
_RUBY_CODE = Starts(code="-e -E", language="ruby")
_COMPILER = Starts(
    plugins="-fplugin= -B -specs= --specs= -fpass-plugin= -fplugin-arg-",
    settings=pattern(r"^((?:\S*/)?(?:ba|da|z|k)?sh),-\w*c,"),  # `gcc -wrapper sh,-c,command`
)
_BINARY_TOOL = Starts(plugins="-plugin --plugin")
_APT = Starts(
    settings=pattern(
        r"(?:(?:pre|post)-invoke[\w-]{0,20}|pre-install-pkgs|proxy-?auto-?detect|dir::bin::[^=]{0,60})(?:::)?\s*=\s*(.+)"
    )
)
_YUM = Starts(settings=pattern(r"plugin(?:conf)?path=(.+)"))
_RPM = Starts(
    embedded=pattern(r"%\{lua:(.*)\}"), language="lua", settings=pattern(r"%\(([^()]+(?:\([^()]*\)[^()]*)*)\)")
)
_NPM = Starts(plugins="--script-shell --git --node-gyp", programs="--viewer")
_FORGE_CLIENT = Starts(settings=pattern(r"^!(.+)"))  # `gh alias set name '!command'`

TABLE: dict[str, Starts] = {
    # version control
    "git": Starts(
        programs="--smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd --authors-prog= --httpd",
        libraries="--exec-path=",
        settings=pattern(r"^include(?:if\..*)?\.path=((?:/var)?/tmp/.*|/dev/shm/.*)"),
    ),
    "hg": Starts(settings=pattern(r"^extensions\.[\w.]+=\s*(.*[/.].*)")),
    "svn": Starts(
        programs="--editor-cmd --diff-cmd --diff3-cmd --merge-cmd", settings=pattern(r":tunnels:[^:=]+=(.+)")
    ),
    "cvs": Starts(programs="-e"),
    "gh": _FORGE_CLIENT,
    "glab": _FORGE_CLIENT,
    # package managers
    **dict.fromkeys(("apt", "apt-get", "apt-cache", "apt-config", "aptitude", "apt-mark"), _APT),
    **dict.fromkeys(("dnf", "dnf5", "yum", "microdnf", "tdnf"), _YUM),
    **dict.fromkeys(("rpm", "rpmquery", "rpmdb", "rpmverify", "rpmspec", "rpmbuild", "rpmkeys"), _RPM),
    **dict.fromkeys(("npm", "pnpm", "yarn"), _NPM),
    "dpkg": Starts(commands="--pre-invoke --post-invoke --status-logger"),
    "pacman": Starts(libraries="--hookdir"),
    "nix-build": Starts(commands="--run --command", programs="--post-build-hook"),
    "cargo": Starts(
        settings=pattern(
            r"\b(?:runner|rustc|rustc-wrapper|rustc-workspace-wrapper|rustdoc|linker|credential-provider)"
            r"\s*=\s*[\['\"\s]*([^'\"\]]+)"
        )
    ),
    # compilers and what belongs to them
    **dict.fromkeys(("gcc", "g++", "cc", "c++", "c89", "c99", "clang", "clang++", "gfortran", "cpp"), _COMPILER),
    **dict.fromkeys(("ld", "ar", "nm", "ranlib", "strip", "objdump", "gcc-ar", "gcc-nm"), _BINARY_TOOL),
    "rustc": Starts(settings=pattern(r"^(?:-C)?linker=(.+)"), plugins="-Zcodegen-backend="),
    "go": Starts(commands="-exec -exec=", programs="-toolexec -toolexec= -vettool -vettool="),
    "ghc": Starts(programs="-pgmF -pgmP -pgmc -pgml -pgma -pgmL"),
    **dict.fromkeys(("ocamlc", "ocamlopt", "ocamlfind", "ocaml"), Starts(programs="-pp -ppx -cc")),
    "java": Starts(
        commands="-XX:OnError= -XX:OnOutOfMemoryError=", plugins="-javaagent: -agentpath: -Xbootclasspath/a:"
    ),
    "mvn": Starts(commands="-Dexec.executable="),
    "gradle": Starts(plugins="-I --init-script"),
    # tools that run tasks
    **dict.fromkeys(("make", "gmake", "bmake"), Starts(settings=pattern(r"\$\(shell\s+([^)]+)\)"))),
    "tar": Starts(programs="--rmt-command"),
    "bazel": Starts(commands="--run_under --run_under="),
    "just": Starts(words="--command -c"),
    "task": Starts(verbs="execute"),
    "latexmk": Starts(
        commands="-latex= -pdflatex= -lualatex= -xelatex= -dvipdf= -ps2pdf= -bibtex= -biber= -makeindex=",
        code="-e",
        language="perl",
    ),
    "perlbug": Starts(programs="-e"),
    "sbatch": Starts(commands="--wrap"),
    **dict.fromkeys(("concurrently", "run-p", "run-s", "npm-run-all", "wireit"), Starts(each=True)),
    **dict.fromkeys(("pm2", "forever"), Starts(commands="-c", texts="start")),
    "chokidar": Starts(commands="-c --command"),
    "mise": Starts(commands="-c --command"),
    "nix": Starts(words="-c --command"),
    # configuration management and clouds
    **dict.fromkeys(("knife", "chef-apply", "chef-shell", "chef-client"), _RUBY_CODE),
    "rails": Starts(code="runner r", language="ruby"),
    **dict.fromkeys(("bee", "drush", "wp", "artisan", "occ", "magerun", "n98-magerun2"), _PHP_CODE),
    **dict.fromkeys(("salt", "salt-call", "salt-ssh"), Starts(texts="cmd.run cmd.shell cmd.run_all cmd.run_stdout")),
    "helm": Starts(programs="--post-renderer"),
    "terraform": Starts(plugins="-plugin-dir -plugin-dir="),
    "aws": Starts(texts="credential_process"),
    "codex": Starts(verbs="linux macos landlock seatbelt"),
    "php": Starts(
        settings=pattern(r"^(?:-d)?(?:auto_(?:prepend|append)_file|(?:zend_)?extension(?:_dir)?|sendmail_path)=(.+)")
    ),
    **dict.fromkeys(("ruby", "irb", "rspec", "rake"), Starts(plugins="-r")),
    **dict.fromkeys(
        ("node", "nodejs", "mocha", "ts-node", "tsx"),
        Starts(plugins="-r --require --import --loader --experimental-loader"),
    ),
}
