"""Follows a command text through its tree, in the order in which a shell would run it.

Every statement is met, whether it would run or not. A statement gives back what it prints, as far as that is known:
that is what a pipe feeds to the next command and what a substitution stands for.
"""

import re

from tree_sitter import Node

from whet.guard.shell.evaluate.evaluate_command import evaluate_command
from whet.guard.shell.evaluate.simple_commands import SimpleCommands
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import UNKNOWN
from whet.guard.shell.model.state import MAX_VALUES
from whet.guard.shell.parse.grammar import parse

_MAX_TREE_DEPTH = 150
_ENDLESS = frozenset({"true", ":", "[ 1 ]", "[[ 1 ]]", "((1))", "(( 1 ))", "[ true ]", "/bin/true"})
_NEVER = frozenset({"false", "/bin/false", "! true", "! :", "((0))", "(( 0 ))"})
_MAKES = frozenset({"mkdir", "touch", "cp", "mktemp", "fallocate", "dd"})
_QUICK = _MAKES | {"echo", "printf", "cat", "cd", "pushd", ":", "true", "head", "date"}
_MANY = re.compile(r"(?:seq [\d ]*|\.\.|<=?\s*)\d{5,}")  # rounds of a loop
_WAITS = frozenset({"sleep", "wait", "read", "inotifywait"})


class Traversal(SimpleCommands):
    def run(self, feed: str | None = None) -> str:
        root = parse(self._bytes)
        if (root.has_error and not self._only_here_strings(root)) or self._skips_text(root):
            self.state.add_unresolved("part of it cannot be read as shell", self._span(root))
        return self._statements(root, feed)

    def _only_here_strings(self, root: Node) -> bool:
        """Whether the grammar stumbled over nothing but `<<<` after another redirection, which `_directions` reads."""
        pending = [root]
        while pending:
            node = pending.pop()
            after = node.next_sibling
            if node.is_missing or (node.is_error and (after is None or not self._is_here_string(after))):
                return False
            if not node.is_error:
                pending.extend(child for child in node.children if child.has_error)
        return True

    def _run(self, node: Node, feed: str | None) -> str:
        if self.state.given_up:
            return UNKNOWN
        handler = _STATEMENTS.get(node.type)
        if handler is None:
            return self._parts(node, feed)
        self._tree_depth += 1
        if self._tree_depth > _MAX_TREE_DEPTH:
            self.state.give_up("it is nested too deeply to be followed")
            printed = UNKNOWN
        else:
            printed = handler(self, node, feed)
        self._tree_depth -= 1
        return printed

    def _statements(self, node: Node, feed: str | None) -> str:
        printed = []
        children = node.children
        last = len(children) - 1
        for place, child in enumerate(children):
            if not child.is_named:
                continue
            if place < last and children[place + 1].type == "&":
                self.state.parallel_depth += 1
                printed.append(self._run(child, feed))
                self.state.parallel_depth -= 1
            else:
                printed.append(self._run(child, feed))
        return "".join(printed) if len(printed) != 1 else printed[0]

    def _in_doubt(self, node: Node, feed: str | None) -> str:
        self.state.conditional_depth += 1
        printed = self._statements(node, feed)
        self.state.conditional_depth -= 1
        return printed

    def _list(self, node: Node, feed: str | None) -> str:
        """`a && b || c` leans to the left as deep as it is long, so it is taken apart in a loop."""
        parts: list[Node] = []
        while node.type == "list":
            children = node.children
            parts.extend(reversed(children[1:]))
            node = children[0]
        printed = [self._run(node, feed)]
        joint = ""
        for part in reversed(parts):
            if not part.is_named:
                joint = part.type
                continue
            self.state.conditional_depth += joint == "||"
            printed.append(self._run(part, feed))
            self.state.conditional_depth -= joint == "||"
        return "".join(printed)

    def _pipeline(self, node: Node, feed: str | None) -> str:
        first = len(self.state.found_commands)
        self.state.conditional_depth += 1
        self.state.parallel_depth += 1
        outer, last = self.state.output_used, node.children[-1]
        for child in node.children:
            if child.is_named:
                self.state.output_used = outer or child is not last
                feed = self._run(child, feed)
        self.state.output_used = outer
        self.state.conditional_depth -= 1
        self.state.parallel_depth -= 1
        names = {found.name.rpartition("/")[2] for found in self.state.found_commands[first:]}
        if names & _SHELL_NAMES and names & _CONNECTIONS:
            self.state.add_danger(
                Harm.REVERSE_SHELL, "joins a shell and a connection in one pipeline", self._span(node)
            )
        return feed or ""

    def _for(self, node: Node, feed: str | None) -> str:
        self.state.conditional_depth += 1
        name, values, first = "", [], len(self.state.found_commands)
        for place, child in enumerate(node.children):
            field = node.field_name_for_child(place)
            if field == "variable":
                name = self._text(child)
            elif field == "value":
                values.extend(self._words.fields(child))
        if name:
            distinct = list(dict.fromkeys(values)) or [UNKNOWN]
            self.state.variables[name] = (
                distinct if len(distinct) <= MAX_VALUES else [*distinct[: MAX_VALUES - 1], UNKNOWN]
            )
        printed = [self._run(child, feed) for child in node.children if child.type == "do_group"]
        self.state.conditional_depth -= 1
        if _MANY.search(self._text(node)):
            self._endless(node, "many times at once")
            if any(found.name == "kill" for found in self.state.found_commands[first:]):
                self.state.add_danger(Harm.PROCESSES, "ends every process", self._span(node))
        return "".join(printed)

    def _while(self, node: Node, feed: str | None) -> str:
        printed = self._in_doubt(node, feed)
        condition = node.child(1)
        until = node.children[0].type == "until"
        if condition is not None and self._text(condition).rstrip("; ") in (_NEVER if until else _ENDLESS):
            self._endless(node)
        return printed

    def _c_style_for(self, node: Node, feed: str | None) -> str:
        printed = self._in_doubt(node, feed)
        if node.child_by_field_name("condition") is None:
            self._endless(node)
        return printed

    def _endless(self, node: Node, label: str = "without end") -> None:
        """A loop without an end that waits for nothing, and starts or makes something in every round."""
        body = node.child_by_field_name("body")
        beside, adds = False, False
        commands: set[str] = set()
        pending = [body] if body is not None else []
        while pending:
            current = pending.pop()
            for child in current.children:
                left = child.next_sibling
                if left is not None and left.type == "&":
                    beside = True
                elif child.type == "command":
                    commands.add(self._text(child).partition(" ")[0])
                elif child.type == "file_redirect":
                    adds = adds or (">>" in self._text(child) and "/dev/" not in self._text(child))
                elif child.child_count:
                    pending.append(child)
        if not commands.isdisjoint(_WAITS):
            return
        if beside:
            self.state.add_danger(Harm.EXHAUSTION, f"starts processes {label}", self._span(node))
        elif commands <= _QUICK and (adds or not commands.isdisjoint(_MAKES)):
            self.state.add_danger(Harm.EXHAUSTION, "fills the disk without end", self._span(node))

    def _function(self, node: Node, _: str | None) -> str:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return ""
        name = self._text(name_node)

        def called(arguments: list[str] | None, via: tuple[str, ...], fed: str | None) -> str:
            outer, kept = self._via, self.state.positional
            self._via, self.state.positional = via, arguments
            self.state.conditional_depth += 1
            printed = self._run(body, fed)
            self.state.conditional_depth -= 1
            self._via, self.state.positional = outer, kept
            return printed

        self.state.functions[name] = called
        self.state.uncalled_functions[name] = called
        return ""

    def _case(self, node: Node, feed: str | None) -> str:
        value = node.child_by_field_name("value")
        if value is not None:
            self._words.fields(value)
        self.state.conditional_depth += 1
        printed = [self._statements_of_case(child, feed) for child in node.children if child.type == "case_item"]
        self.state.conditional_depth -= 1
        return "".join(printed)

    def _statements_of_case(self, node: Node, feed: str | None) -> str:
        printed = []
        for place, child in enumerate(node.children):
            if child.is_named and node.field_name_for_child(place) == "value":
                self._words.fields(child)
            elif child.is_named:
                printed.append(self._run(child, feed))
        return "".join(printed)

    def _parts(self, node: Node, _: str | None) -> str:
        """A test, an arithmetic, an error: whatever it holds is followed."""
        pending = list(reversed(node.children))
        brace = False
        while pending and not self.state.given_up:
            current = pending.pop()
            if current.type in _STATEMENTS and not (brace and current.type == "command"):
                self._run(current, None)
            elif brace and current.type == "command":
                self._command(current, None, prefix="{")
            elif brace and current.type == "command_name":
                words = self._with_prefix("{", current)
                evaluate_command(
                    Call(words[0], words[1:], self._span(node), self._via, cwd=self.state.cwd, links=self.state.links),
                    self,
                )
            elif current.type == "command_substitution" or current.type == "process_substitution":
                self._substitution_output(current)
            elif current.type in ("expansion", "string", "concatenation", "arithmetic_expansion"):
                self._words.fields(current)
            elif current.child_count:
                pending.extend(reversed(current.children))
            brace = current.type == "{" and bool(pending) and pending[-1].start_byte == current.end_byte
        return ""

    def _nothing(self, _: Node, __: str | None) -> str:
        return ""

    def _substitution_output(self, node: Node) -> str:
        self._tree_depth += 1
        if self._tree_depth > _MAX_TREE_DEPTH:
            self.state.give_up("it is nested too deeply to be followed")
        outer, self._via = self._via, (*self._via, "substitution")
        piped, self.state.output_used = self.state.output_used, True
        fed = UNKNOWN if node.type == "process_substitution" and self._text(node)[:1] == ">" else None
        self.state.conditional_depth += 1
        reads = [child for child in node.children if child.type == "file_redirect"]
        if reads:
            found: list[str] = []
            self._apply_redirections(reads, None, found, [])
            printed = evaluate_command(
                Call("cat", found, self._span(node), self._via, cwd=self.state.cwd, links=self.state.links), self
            )
        else:
            text = self._text(node)
            printed = (
                self._in_backticks(text, node) if text[:1] == "`" and "\\" in text else self._statements(node, fed)
            )
        self.state.conditional_depth -= 1
        self.state.output_used = piped
        self._via = outer
        self._tree_depth -= 1
        return printed

    def _in_backticks(self, text: str, node: Node) -> str:
        """Between backticks a backslash is one level of quoting more."""
        call = Call("", [], self._span(node), self._via)
        self.follow_text(re.sub(r"\\([`$\\])", r"\1", text[1:-1]), call, "backticks")
        return UNKNOWN


_SHELL_NAMES = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "powershell", "pwsh", "busybox"})
_CONNECTIONS = frozenset({"nc", "ncat", "netcat", "telnet", "socat", "nc.traditional", "nc.openbsd", "cryptcat"})
_STATEMENTS = {
    "program": Traversal._statements,
    "list": Traversal._list,
    "pipeline": Traversal._pipeline,
    "command": Traversal._command,
    "redirected_statement": Traversal._redirected,
    "compound_statement": Traversal._statements,
    "do_group": Traversal._statements,
    "negated_command": Traversal._statements,
    "subshell": Traversal._in_doubt,
    "if_statement": Traversal._in_doubt,
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
