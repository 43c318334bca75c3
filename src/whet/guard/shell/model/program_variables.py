"""Environment variables of single tools that name a program, load code or hold arguments.

The variables that many tools share are in `rules/environment.py`.
"""

import re

# Variables that name a helper program of one tool.
TOOL_PROGRAMS = frozenset({
    # autotools and compilers
    "AUTOM4TE", "AUTOCONF", "AUTOHEADER", "AUTOMAKE", "ACLOCAL", "AUTOPOINT", "LIBTOOLIZE", "GTKDOCIZE", "M4",
    "CCACHE_PREFIX", "CCACHE_COMPILER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER", "CARGO_BUILD_RUSTC",
    # version control
    "GIT_MAN_VIEWER", "HGMERGE", "SVN_MERGE", "BZR_EDITOR", "BZR_SSH", "CVSEDITOR", "CVS_SERVER", "P4EDITOR", "P4DIFF",
    "P4MERGE", "P4PAGER", "KUBECTL_EXTERNAL_DIFF", "JJ_EDITOR",
    # pagers, editors and viewers of one tool
    "CRASHPAGER", "CSCOPE_EDITOR", "DELTA_PAGER", "PERLDOC_PAGER", "RI_PAGER", "MYSQL_PAGER", "GEM_EDITOR",
    "BUNDLER_EDITOR", "LYNX_EDITOR", "WWW_BROWSER", "DIFFPROG", "TIG_EDITOR", "MC_EDITOR", "CRONTAB_EDITOR",
    "NULLCMD", "READNULLCMD",
    # connections
    "RSYNC_CONNECT_PROG", "SSH_SK_HELPER", "SSH_PKCS11_HELPER", "AUTOSSH_PATH", "DISTCC_SSH", "PDSH_SSH_ARGS_APPEND",
    "CLOUDSDK_PYTHON",
    # npm reads every setting from a variable, in either case
    "npm_config_viewer", "npm_config_editor", "npm_config_git", "npm_config_node_gyp",
    *(f"GIT_CONFIG_VALUE_{number}" for number in range(2, 10)),
})  # fmt: skip

# Variables whose value is a file or a folder with code that one tool loads.
TOOL_CODE = frozenset({
    "GROFF_BIN_PATH", "FACTERLIB", "GCC_EXEC_PREFIX", "COMPILER_PATH", "GTK_MODULES", "GTK3_MODULES",
    "GDK_PIXBUF_MODULE_FILE", "GIO_MODULE_DIR", "NODE_REPL_EXTERNAL_MODULE", "PYTHONBREAKPOINT", "R_PROFILE_USER",
    "R_PROFILE", "OCTAVE_SITE_INITFILE", "OCTAVE_VERSION_INITFILE", "EMACSLOADPATH", "VIMRUNTIME", "PHPRC",
    "PHP_INI_SCAN_DIR", "TCLLIBPATH", "GUILE_LOAD_COMPILED_PATH", "SASL_PATH", "LESSKEYIN", "HELM_PLUGINS",
    "LADSPA_PATH", "PERL5SHELL", "LD_PRELOAD_32", "LD_PRELOAD_64", "LDR_PRELOAD", "LD_AUDIT_32", "LD_AUDIT_64",
})  # fmt: skip
# Values of those variables that load nothing.
HARMLESS_CODE_VALUE = re.compile(
    r"|0|1|/usr/.*|/etc/.*|/opt/.*|ipdb\.set_trace|pudb\.set_trace|pdb\.set_trace|web_pdb\..*"
)

# Variables with arguments of one tool, as a command line: {0} is the value, {1} the quoted value.
TOOL_ARGUMENTS = {
    "FZF_DEFAULT_COMMAND": "{0}",
    "FZF_DEFAULT_OPTS": "fzf {0}",
    "MANOPT": "man {0}",
    "MORE": "more {0}",
    "RUSTFLAGS": "rustc {0}",
    "RUSTDOCFLAGS": "rustc {0}",
    "ERL_FLAGS": "erl {0}",
    "ERL_AFLAGS": "erl {0}",
    "ELIXIR_ERL_OPTIONS": "erl {0}",
    "LESSKEY_CONTENT": "less --lesskey-content={1}",
    **dict.fromkeys(("LUA_INIT", "LUA_INIT_5_1", "LUA_INIT_5_2", "LUA_INIT_5_3", "LUA_INIT_5_4"), "lua -e {1}"),
}  # fmt: skip

# A program within the value of any variable: an address of D-Bus, options of `go`.
PROGRAM_IN_VALUE = re.compile(r"\bunixexec:path=([^,;]+)|-(?:toolexec|vettool)=(\S+)")
