def apply_patch(profile, patch):
    """Return the profile with the patch applied; None removes a field."""
    result = profile
    for field, value in patch.items():
        if value is None:
            result.pop(field, None)
        else:
            result[field] = value
    return result


def changed_fields(before, after):
    """Return the names of the fields that differ, sorted."""
    names = set(before) | set(after)
    return sorted(n for n in names if before.get(n) != after.get(n))
