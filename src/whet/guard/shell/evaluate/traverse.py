"""Walk the syntax tree of a command text in the order in which a shell would run it.

Every statement is evaluated, whether or not a shell would reach it. A statement returns its output as far as it is
known: a pipe feeds that to the next command, and a substitution is replaced by it.
"""

import re
from itertools import zip_longest

from tree_sitter import Node

from whet.guard.shell.evaluate.redirections import Streams
from whet.guard.shell.evaluate.simple_commands import SimpleCommands
from whet.guard.shell.evaluate.unparsed_text import is_syntax_error, only_reads
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import UNKNOWN
from whet.guard.shell.model.state import MAX_VALUES, UNPARSED
from whet.guard.shell.parse.grammar import parse

_MAX_TREE_DEPTH = 150
_ALWAYS_TRUE = frozenset({"true", ":", "[ 1 ]", "[[ 1 ]]", "((1))", "(( 1 ))", "[ true ]", "/bin/true"})
_ALWAYS_FALSE = frozenset({"false", "/bin/false", "! true", "! :", "((0))", "(( 0 ))"})
_CREATE_FILES = frozenset({"mkdir", "touch", "cp", "mktemp", "fallocate", "dd"})
_RETURN_AT_ONCE = _CREATE_FILES | {"echo", "printf", "cat", "cd", "pushd", ":", "true", "head", "date"}
_WAIT = frozenset({"sleep", "wait", "read", "inotifywait"})
_MANY_ROUNDS = re.compile(r"(?:seq [\d ]*|\.\.|<=?\s*)\d{5,}")
_SHELL_NAMES = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "powershell", "pwsh", "busybox"})
_CONNECTORS = frozenset({"nc", "ncat", "netcat", "telnet", "socat", "nc.traditional", "nc.openbsd", "cryptcat"})
_ADJACENT_BACKTICKS = re.compile(r"(?<!\\)`\s+`")
_LOOP_OVER_ARGUMENTS = re.compile(r"\b(for\s+\w+)\s(\s*do\b)")
_TOO_DEEP = "it is nested too deeply to be followed"


class Traversal(SimpleCommands):
    """The complete evaluator of one command text: statements here, the rest in its base classes."""

    def run(self, stdin: str | None = None) -> str:
        root = parse(self._bytes)
        if root.has_error and _LOOP_OVER_ARGUMENTS.search(self._source):
            # tree-sitter-bash reads `for x; do`, but not `for x do`.
            self._source = _LOOP_OVER_ARGUMENTS.sub(r"\1;\2", self._source)
            self._bytes = self._source.encode("utf-8", "replace")
            root = parse(self._bytes)
        if (root.has_error and not self._has_only_here_string_errors(root)) or self._skips_text(root):
            self.state.is_unparsed = True
            if is_syntax_error(self._source):
                return ""
            if not only_reads(self._source):
                self.state.add_unresolved(UNPARSED, self._span(root))
        return self._statements(root, stdin)

    def _has_only_here_string_errors(self, root: Node) -> bool:
        """True if all errors of the tree are `<<<` after another redirection, which `_apply_redirections` handles."""
        pending = [root]
        while pending:
            node = pending.pop()
            after = node.next_sibling
            if node.is_missing or (node.is_error and (after is None or not self._is_here_string(after))):
                return False
            if not node.is_error:
                pending.extend(child for child in node.children if child.has_error)
        return True

    def _run(self, node: Node, stdin: str | None) -> str:
        """Evaluate one statement and return its output."""
        if self.state.given_up:
            return UNKNOWN
        handler = _STATEMENTS.get(node.type)
        if handler is None:
            return self._parts(node, stdin)
        self._tree_depth += 1
        if self._tree_depth > _MAX_TREE_DEPTH:
            self.state.give_up(_TOO_DEEP)
            output = UNKNOWN
        else:
            output = handler(self, node, stdin)
        self._tree_depth -= 1
        return output

    def _statements(self, node: Node, stdin: str | None) -> str:
        outputs = []
        children = node.children
        for child, after in zip_longest(children, children[1:]):
            if not child.is_named:
                continue
            in_background = after is not None and after.type == "&"
            self.state.parallel_depth += in_background
            outputs.append(self._run(child, stdin))
            self.state.parallel_depth -= in_background
        return "".join(outputs)

    def _conditional(self, node: Node, stdin: str | None) -> str:
        """Evaluate statements that may not run, or whose assignments may not last (a subshell)."""
        self.state.conditional_depth += 1
        output = self._statements(node, stdin)
        self.state.conditional_depth -= 1
        return output

    def _list(self, node: Node, stdin: str | None) -> str:
        """Evaluate `a && b || c` in a loop: its tree is as deep as the list is long, so recursion would run out."""
        parts: list[Node] = []
        while node.type == "list":
            children = node.children
            parts.extend(reversed(children[1:]))
            node = children[0]
        outputs = [self._run(node, stdin)]
        operator = ""
        for part in reversed(parts):
            if not part.is_named:
                operator = part.type
                continue
            self.state.conditional_depth += operator == "||"
            outputs.append(self._run(part, stdin))
            self.state.conditional_depth -= operator == "||"
        return "".join(outputs)

    def _pipeline(self, node: Node, stdin: str | None) -> str:
        """Evaluate each command with the output of the one before as its standard input."""
        state = self.state
        first = len(state.found_commands)
        state.conditional_depth += 1
        state.parallel_depth += 1
        outer_used, last = state.output_used, node.children[-1]
        for child in node.children:
            if child.is_named:
                state.output_used = outer_used or child is not last
                stdin = self._run(child, stdin)
        state.output_used = outer_used
        state.conditional_depth -= 1
        state.parallel_depth -= 1
        names = {command.name.rpartition("/")[2] for command in state.found_commands[first:]}
        if names & _SHELL_NAMES and names & _CONNECTORS:
            state.add_danger(Harm.REVERSE_SHELL, "connects a shell to the network in one pipeline", self._span(node))
        return stdin or ""

    def _for(self, node: Node, stdin: str | None) -> str:
        """Evaluate the body of a loop once; the variable gets all values of the list as choices."""
        self.state.conditional_depth += 1
        name, values, first = "", [], len(self.state.found_commands)
        for index, child in enumerate(node.children):
            field = node.field_name_for_child(index)
            if field == "variable":
                name = self._text(child)
            elif field == "value":
                values.extend(self._words.fields(child))
        if name:
            is_over_arguments = all(child.type != "in" for child in node.children)
            values = (self.state.positional or []) if is_over_arguments else values
            distinct = list(dict.fromkeys(values)) or [UNKNOWN]
            if len(distinct) > MAX_VALUES:
                distinct = [*distinct[: MAX_VALUES - 1], UNKNOWN]
            self.state.variables[name] = distinct
        outputs = [self._run(child, stdin) for child in node.children if child.type == "do_group"]
        self.state.conditional_depth -= 1
        if _MANY_ROUNDS.search(self._text(node)):
            self._judge_endless_loop(node, "many times at once")
            if any(command.name == "kill" for command in self.state.found_commands[first:]):
                self.state.add_danger(Harm.PROCESSES, "ends every process", self._span(node))
        return "".join(outputs)

    def _while(self, node: Node, stdin: str | None) -> str:
        output = self._conditional(node, stdin)
        condition = node.child(1)
        endless_conditions = _ALWAYS_FALSE if node.children[0].type == "until" else _ALWAYS_TRUE
        if condition is not None and self._text(condition).rstrip("; ") in endless_conditions:
            self._judge_endless_loop(node, "without end")
        return output

    def _c_style_for(self, node: Node, stdin: str | None) -> str:
        output = self._conditional(node, stdin)
        if node.child_by_field_name("condition") is None:
            self._judge_endless_loop(node, "without end")
        return output

    def _judge_endless_loop(self, node: Node, how_often: str) -> None:
        """Add a danger if an endless loop never waits and starts processes or fills the disk in every round."""
        body = node.child_by_field_name("body")
        starts_processes, appends_to_file = False, False
        names: set[str] = set()
        pending = [body] if body is not None else []
        while pending:
            for child in pending.pop().children:
                after = child.next_sibling
                if after is not None and after.type == "&":
                    starts_processes = True
                elif child.type == "command":
                    names.add(self._text(child).partition(" ")[0])
                elif child.type == "file_redirect":
                    text = self._text(child)
                    appends_to_file = appends_to_file or (">>" in text and "/dev/" not in text)
                elif child.child_count:
                    pending.append(child)
        if not names.isdisjoint(_WAIT):
            return
        if starts_processes:
            self.state.add_danger(Harm.EXHAUSTION, f"starts processes {how_often}", self._span(node))
        elif names <= _RETURN_AT_ONCE and (appends_to_file or not names.isdisjoint(_CREATE_FILES)):
            self.state.add_danger(Harm.EXHAUSTION, "fills the disk without end", self._span(node))

    def _function(self, node: Node, _: str | None) -> str:
        """Store a function; its body is evaluated when it is called."""
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return ""

        def evaluate_body(arguments: list[str] | None, via: tuple[str, ...], stdin: str | None) -> str:
            outer_via, outer_positional = self._via, self.state.positional
            self._via, self.state.positional = via, arguments
            self.state.conditional_depth += 1
            output = self._run(body, stdin)
            self.state.conditional_depth -= 1
            self._via, self.state.positional = outer_via, outer_positional
            return output

        name = self._text(name_node)
        self.state.functions[name] = evaluate_body
        self.state.uncalled_functions[name] = evaluate_body
        return ""

    def _case(self, node: Node, stdin: str | None) -> str:
        value = node.child_by_field_name("value")
        if value is not None:
            self._words.fields(value)
        self.state.conditional_depth += 1
        outputs = [self._case_item(child, stdin) for child in node.children if child.type == "case_item"]
        self.state.conditional_depth -= 1
        return "".join(outputs)

    def _case_item(self, node: Node, stdin: str | None) -> str:
        outputs = []
        for index, child in enumerate(node.children):
            if child.is_named and node.field_name_for_child(index) == "value":
                self._words.fields(child)
            elif child.is_named:
                outputs.append(self._run(child, stdin))
        return "".join(outputs)

    def _parts(self, node: Node, _: str | None) -> str:
        """Evaluate the contents of a node that is not a statement: a test, an arithmetic expression, an error."""
        pending = list(reversed(node.children))
        after_brace = False  # the grammar took `{a,b}` for the start of a group
        while pending and not self.state.given_up:
            current = pending.pop()
            if after_brace and current.type == "command":
                self._command(current, None, prefix="{")
            elif current.type in _STATEMENTS:
                self._run(current, None)
            elif after_brace and current.type == "command_name":
                self._evaluate_words(self._with_prefix("{", current), node)
            elif current.type in ("command_substitution", "process_substitution"):
                self._substitution_output(current)
            elif current.type in ("expansion", "string", "concatenation", "arithmetic_expansion"):
                self._words.fields(current)
            elif current.child_count:
                pending.extend(reversed(current.children))
            after_brace = current.type == "{" and bool(pending) and pending[-1].start_byte == current.end_byte
        return ""

    def _nothing(self, _: Node, __: str | None) -> str:
        return ""

    def _substitution_output(self, node: Node) -> str:
        """Evaluate a command or process substitution and return its output."""
        state = self.state
        self._tree_depth += 1
        if self._tree_depth > _MAX_TREE_DEPTH:
            state.give_up(_TOO_DEEP)
        outer_via, self._via = self._via, (*self._via, "substitution")
        outer_used, state.output_used = state.output_used, True
        state.conditional_depth += 1
        output = self._substituted_commands(node)
        state.conditional_depth -= 1
        state.output_used = outer_used
        self._via = outer_via
        self._tree_depth -= 1
        return output

    def _substituted_commands(self, node: Node) -> str:
        redirects = [child for child in node.children if child.type == "file_redirect"]
        if redirects:  # `$(< file)` is `$(cat file)`
            streams = Streams()
            self._apply_redirections(redirects, streams)
            return self._evaluate_words(["cat", *streams.reads], node)
        text = self._text(node)
        if text[:1] == "`" and _ADJACENT_BACKTICKS.search(text[1:-1]):
            # The grammar takes the blank between two substitutions for a part of one.
            call = Call("", [], self._span(node), self._via)
            for piece in _ADJACENT_BACKTICKS.split(text[1:-1]):
                self.follow_text(re.sub(r"\\([`$\\])", r"\1", piece), call, "backticks")
            return UNKNOWN
        if text[:1] == "`" and "\\" in text:
            # Within backticks, a backslash is one more level of quoting.
            call = Call("", [], self._span(node), self._via)
            self.follow_text(re.sub(r"\\([`$\\])", r"\1", text[1:-1]), call, "backticks")
            return UNKNOWN
        is_written_to = node.type == "process_substitution" and text[:1] == ">"
        return self._statements(node, UNKNOWN if is_written_to else None)


_STATEMENTS = {
    "program": Traversal._statements,
    "list": Traversal._list,
    "pipeline": Traversal._pipeline,
    "command": Traversal._command,
    "redirected_statement": Traversal._redirected,
    "compound_statement": Traversal._statements,
    "do_group": Traversal._statements,
    "negated_command": Traversal._statements,
    "subshell": Traversal._conditional,
    "if_statement": Traversal._conditional,
    "elif_clause": Traversal._statements,
    "else_clause": Traversal._statements,
    "while_statement": Traversal._while,
    "for_statement": Traversal._for,
    "c_style_for_statement": Traversal._c_style_for,
    "case_statement": Traversal._case,
    "function_definition": Traversal._function,
    "variable_assignment": Traversal._assignment,
    "variable_assignments": Traversal._assignments,
    "declaration_command": Traversal._declaration,
    "unset_command": Traversal._declaration,
    "comment": Traversal._nothing,
}
