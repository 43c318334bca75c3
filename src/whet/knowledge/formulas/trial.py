"""Try a declared formula in a tree: find it, call it with the samples, judge the answers."""

from whet.kit import Kit
from whet.knowledge.formulas.answers import answers_of
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.judgement import Judgement, judge
from whet.knowledge.formulas.sampling import SampledInputs


def try_formula(formula: Formula, samples: SampledInputs, tree: str, kit: Kit, *, elsewhere: bool = False) -> Judgement:
    """Return the judgement of a formula in a tree by these samples; `elsewhere` calls it in another environment."""
    answers = answers_of(formula, samples, tree, kit, elsewhere=elsewhere)
    return judge(formula, samples, answers, kit.policy.formulas.units)
