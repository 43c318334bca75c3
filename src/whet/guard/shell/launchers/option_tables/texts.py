"""Tools for text, tables and documents, and small command languages."""

from whet.guard.shell.launchers.option_tables.model import Starts, pattern

_IMAGE_MAGICK = Starts(settings=pattern(r"^(?:\w+:)?\|(.+)"))
_LUA_TEX = Starts(embedded=pattern(r"\\directlua\s*\{(.*)\}"), language="lua")
_GHOSTSCRIPT = Starts(settings=pattern(r"%pipe%([^)\"']+)"))

TABLE: dict[str, Starts] = {
    "dc": Starts(settings=pattern(r"!(?![=<>])\s*([^\n]+)")),
    "enscript": Starts(commands="-I --filter"),
    "pandoc": Starts(commands="--filter -F --pdf-engine", plugins="-L --lua-filter"),
    "rg": Starts(commands="--pre --hostname-bin"),
    "mlr": Starts(commands="--prepipe --prepipex", settings=pattern(r"\b(?:system|exec)\s*\(\s*[\"']([^\"']+)[\"']")),
    "less": Starts(settings=pattern(r"LESS(?:OPEN|CLOSE)\s*=\s*\|?\s*(.+)")),
    "fzf": Starts(
        settings=pattern(
            r"(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform(?:-[\w-]+)?)(?:\((.*)\)|:(.*)$)"
        )
    ),
    **dict.fromkeys(
        ("rename", "prename", "file-rename", "perl-rename"),
        Starts(embedded=pattern(r"^(.*(?:system|exec|`|qx|unlink).*)$"), language="perl"),
    ),
    "highlight": Starts(plugins="--plug-in"),
    **dict.fromkeys(("gawk", "awk"), Starts(libraries="-l --load")),
    **dict.fromkeys(("gs", "ghostscript", "ps2pdf"), _GHOSTSCRIPT),
    **dict.fromkeys(("convert", "magick", "identify", "mogrify", "composite", "montage", "gm"), _IMAGE_MAGICK),
    **dict.fromkeys(("lualatex", "luatex", "luahbtex", "luajittex", "texlua"), _LUA_TEX),
    **dict.fromkeys(("cowsay", "cowthink"), Starts(plugins="-f")),
    "exiftool": Starts(plugins="-config"),
    **dict.fromkeys(
        ("vim", "vi", "nvim", "gvim", "view", "vimdiff", "rvim", "rview", "ex"),
        Starts(plugins="-S -u", settings=pattern(r"(?:[\s:'\"|*%]|^\+|sil(?:ent)?!)!+\s*([A-Za-z/.~][^\n'\"|]*)")),
    ),
    "emacs": Starts(plugins="-l --load --script"),
    "vifm": Starts(settings=pattern(r"^(?:-c|--cmd=)?\+?:?!+(.+)")),
    "lf": Starts(settings=pattern(r"^[$!&%](.+)")),
}
