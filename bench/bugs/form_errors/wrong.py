def check_form(form, rules):
    """Return a list of messages, one for each rule that the form breaks."""
    errors = []
    for field, (low, high) in rules.items():
        if field not in form:
            errors.append(f"{field} is missing")
        elif not low <= form[field] <= high:
            errors.append(f"{field} must be {low} to {high}")
        return errors


def is_valid(form, rules):
    """Tell whether a form breaks no rule."""
    return not check_form(form, rules)
