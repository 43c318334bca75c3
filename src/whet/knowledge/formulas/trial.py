"""Try a declared formula in a tree: find it, call it with the samples, judge the answers."""

from whet.kit import Kit
from whet.knowledge.formulas.answers import answers_of
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.judgement import Judgement, judge
from whet.knowledge.formulas.sampling import Samples


def try_formula(formula: Formula, samples: Samples, tree: str, kit: Kit) -> Judgement:
    """Return the judgement of a formula in a tree by these samples."""
    return judge(formula, samples, answers_of(formula, samples, tree, kit), kit.policy.formulas.units)
