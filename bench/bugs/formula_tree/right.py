OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def evaluate(formula, variables=None):
    """Work out a nested (operator, left, right) formula."""
    if isinstance(formula, (int, float)):
        return formula
    if isinstance(formula, str):
        return variables[formula]
    symbol, left, right = formula
    return OPERATIONS[symbol](evaluate(left, variables), evaluate(right, variables))
