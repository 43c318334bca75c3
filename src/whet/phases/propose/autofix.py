"""Proposes ruff's safe fixes, one proposal per rule and file."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import LintViolation
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.kit import Kit
from whet.store.codec import decode
from whet.target.linters.ruff import Ruff

_FILES_AT_A_TIME = 50
_MOST_ROUNDS = 3
_RULE = re.compile(r"[A-Z]+\d+")  # a syntax error is a violation without such a code


class Autofix:
    """The proposer of lint fixes. A fix that would leave another violation behind is completed or not proposed."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self._ruff = Ruff(kit.suite, kit.policy.propose.lint_rules)

    def can_help(self, finding: Finding) -> bool:
        return finding.kind == FindingKind.LINT and any(violation.fixable for violation in _violations(finding))

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        rule = finding.subjects[0]
        violations = _violations(finding)
        counts = Counter(violation.path for violation in violations if violation.fixable)
        for path, rules in self._clean_fixes(self._git.tree_of(base), rule, list(counts)):
            count = counts[path]
            yield Proposal(
                id=f"p-{digest([cycle, 'autofix', rule, path])[:8]}",
                engine="autofix",
                kind=ProposalKind.BEHAVIOR_FIX,
                category=finding.category,
                target=(path,),
                title=f"Fix {count} {rule} violation{'' if count == 1 else 's'} in {path}",
                rationale=f"{violations[0].message}. ruff calls the fix of {rule} safe.",
                risk=Risk.LOW,
                expected_gain=count / len(finding.signals),
                plan=ValidationPlan(targets={"lint": (f"{rule} {path}",), "tests": ()}),
                diagnosis=diagnosis,
                base=base,
                created_at=now(),
                recipe={"rules": list(rules), "path": path},
            )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        rules, path = [str(rule) for rule in proposal.recipe["rules"]], str(proposal.recipe["path"])
        base_tree = self._git.tree_of(proposal.base)
        fix = self._ruff.fix(base_tree, rules, [path])
        if path not in fix.files:
            return Build(patch=None, note=f"ruff changes nothing for {rules[0]} in {path}")
        if left := fix.new_rules(path):
            return Build(patch=None, note=f"ruff's fix of {rules[0]} in {path} leaves {', '.join(sorted(left))}")
        patch = self._git.patch(proposal.base, self._git.with_files(base_tree, fix.files), proposal.title)
        if patch.digest in avoid:
            return Build(patch=None, note="ruff's only fix was rejected before")
        return Build(patch=patch, note=f"ruff's safe fix of {' and '.join(rules)}", tried=1)

    def _clean_fixes(self, tree: str, rule: str, paths: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Yield each path with the rules to fix together, so that the fix of `rule` leaves no new violation."""
        for start in range(0, len(paths), _FILES_AT_A_TIME):
            batch = paths[start : start + _FILES_AT_A_TIME]
            fix = self._ruff.fix(tree, [rule], batch)
            for path in batch:
                if path not in fix.files:
                    continue
                rules = self._rules_to_fix(tree, path, rule, fix.new_rules(path))
                if rules:
                    yield path, rules

    def _rules_to_fix(self, tree: str, path: str, rule: str, new: frozenset[str]) -> Sequence[str]:
        """Return `rule` and the rules whose violations its fix adds (`new`), to be fixed together; empty if some violations stay."""
        rules = [rule]
        for _ in range(_MOST_ROUNDS):
            if not new:
                return rules
            if new <= set(rules) or not all(map(_RULE.fullmatch, new)):
                break
            rules += sorted(new - set(rules))
            new = self._ruff.fix(tree, rules, [path]).new_rules(path)
        self._kit.progress.note(f"autofix does not propose {rule} in {path}: its fix leaves {', '.join(sorted(new))}")
        return []


def _violations(finding: Finding) -> list[LintViolation]:
    return [decode(LintViolation, signal.payload) for signal in finding.signals]
