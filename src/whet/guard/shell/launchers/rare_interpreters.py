"""Interpreters of less common languages: code in an option, on standard input, or in a file that the command text wrote."""

from collections.abc import Iterator

from whet.guard.shell.launchers.interpreters import CodeInterpreter, effects
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import FROM_NETWORK

_SCHEME = CodeInterpreter("scheme", ("-e", "--eval", "-c"))
_LISP = CodeInterpreter("lisp", ("-x", "-eval", "--eval", "-e"))
_CLOJURE = CodeInterpreter("clojure", ("-e", "--eval", "-M"))
_PROLOG = CodeInterpreter("prolog", ("-g", "-t", "--goal", "--query-goal", "--init-goal", "--entry-goal"))
_MATHS = CodeInterpreter("octave", ("-r", "-batch", "-e", "--eval", "--batch-string", "-c", "-q"))
_PYTHON = CodeInterpreter("python", ("-c",))
_MODERN = CodeInterpreter("javascript", ("-e", "--eval", "-c", "-p", "--print"))

INTERPRETERS: dict[str, CodeInterpreter] = {
    **dict.fromkeys(("racket", "csi", "gosh", "chibi-scheme", "chez", "scheme", "mit-scheme", "bigloo"), _SCHEME),
    **dict.fromkeys(("clisp", "ecl", "ccl", "abcl", "newlisp", "picolisp", "gcl", "alisp", "clasp"), _LISP),
    **dict.fromkeys(("clojure", "clj", "bb", "lein", "joker"), _CLOJURE),
    "janet": CodeInterpreter("lisp", ("-e",)),
    "hy": CodeInterpreter("lisp", ("-c",)),
    "fennel": CodeInterpreter("lua", ("-e", "--eval")),
    "moon": CodeInterpreter("lua", ("-e",)),
    **dict.fromkeys(("swipl", "gprolog", "yap", "prolog", "scryer-prolog", "tau"), _PROLOG),
    **dict.fromkeys(("ocaml", "utop", "coqtop"), CodeInterpreter("ocaml", ("-e", "-eval"))),
    **dict.fromkeys(("runghc", "runhaskell"), CodeInterpreter("haskell", ("-e",))),
    **dict.fromkeys(("raku", "perl6", "rakudo"), CodeInterpreter("raku", ("-e",))),
    **dict.fromkeys(("matlab", "scilab", "scilab-cli", "maxima", "gap", "gp", "sage", "magma", "axiom"), _MATHS),
    "gnuplot": CodeInterpreter("gnuplot", ("-e",)),
    "crystal": CodeInterpreter("ruby", ("eval",)),
    "nim": CodeInterpreter("nim", ("--eval", "--eval:")),
    **dict.fromkeys(("gjs", "qjs", "cjs", "js", "d8", "tjs", "rhino", "coffee", "lsc", "ts-node", "tsx"), _MODERN),
    **dict.fromkeys(("jimsh", "tclkit"), CodeInterpreter("tcl", ("-e",))),
    "puppet": CodeInterpreter("puppet", ("-e", "--execute")),
    **dict.fromkeys(("emacsclient", "xemacs"), CodeInterpreter("lisp", ("-e", "--eval", "-eval"))),
    **dict.fromkeys(("iex", "mix"), CodeInterpreter("elixir", ("-e", "--eval"))),
    **dict.fromkeys(("kotlinc", "groovysh", "maya"), CodeInterpreter("groovy", ("-e", "-expression", "-command"))),
    **dict.fromkeys(("jython", "micropython", "mayapy", "hython", "freecad", "freecadcmd"), _PYTHON),
    "blender": CodeInterpreter("python", ("--python-expr",)),
    **dict.fromkeys(("mongo", "mongosh"), CodeInterpreter("javascript", ("--eval",))),
    "logstash": CodeInterpreter("puppet", ("-e",)),
    "slsh": CodeInterpreter("slang", ("-e",)),
    "pike": CodeInterpreter("pike", ("-e",)),
    "gforth": CodeInterpreter("forth", ("-e",)),
    "io": CodeInterpreter("io", ("-e",)),
    "kotlin": CodeInterpreter("kotlin", ("-e", "-expression")),
    "swift": CodeInterpreter("swift", ("-e",)),
    "m4": CodeInterpreter("m4", ()),
    **dict.fromkeys(("troff", "groff", "nroff", "heirloom-troff"), CodeInterpreter("troff", ())),
    "escript": CodeInterpreter("erlang", ()),
    "cobc": CodeInterpreter("cobol", ()),
    **dict.fromkeys(
        ("go", "java", "dotnet-script", "vala", "dmd", "rdmd", "zig", "v", "tcc", "cling", "root"),
        CodeInterpreter("compiled", ("-e", "--eval")),
    ),
}  # fmt: skip


def interpret_rare(call: Call, follower: Follower) -> None:
    """Judge the code that an interpreter is given, wherever the text shows it."""
    interpreter = INTERPRETERS[call.name]
    for code in _codes(call, interpreter, follower):
        if FROM_NETWORK in code:
            follower.add_danger(
                call, Harm.PIPE_TO_SHELL, f"the command runs {interpreter.language} code from the network"
            )
        follower.follow_effects(effects(code, interpreter.language), call, f"{interpreter.language} code")


def _codes(call: Call, interpreter: CodeInterpreter, follower: Follower) -> Iterator[str]:
    for option in interpreter.code:
        yield from values_of(call.args, option)
    if call.stdin:
        yield call.stdin
    for path in call.args:
        text = text_of_file(call, path, follower)
        if text:
            yield text


LAUNCHERS = dict.fromkeys(INTERPRETERS, interpret_rare)
