"""Functions of Python, `math` and numpy by what they do to dimensions."""

LIBRARIES = frozenset({"math", "np", "numpy"})
PLAIN_CONSTANTS = frozenset({"pi", "e", "tau", "inf"})
ZERO_LIKE = frozenset({"inf"})
"""Constants that go together with every dimension."""
ROOTS = {"sqrt": 2, "cbrt": 3}
FIRST = frozenset({"abs", "fabs", "float", "int", "round", "floor", "ceil", "trunc", "absolute"})
"""The result has the dimension of the first argument."""
SAME = frozenset({"min", "max", "hypot", "fmod", "minimum", "maximum"})
"""All arguments have the same dimension, and so has the result."""
SAME_TO_NUMBER = frozenset({"atan2", "arctan2", "isclose", "isnan", "isinf", "isfinite", "bool"})
"""All arguments have the same dimension, and the result is a number."""
PURE_NUMBERS = frozenset(
    {
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
        "cosh", "tanh", "asinh", "acosh", "atanh", "arcsin", "arccos", "arctan", "erf", "erfc", "gamma", "lgamma",
        "factorial", "comb", "degrees", "radians",
    }
)  # fmt: skip
"""All arguments are numbers without a unit, and so is the result."""
