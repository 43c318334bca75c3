def missing_fields(record, required):
    """Return the required fields that the record lacks, sorted."""
    return sorted(set(required).difference(record))


def check_record(record, required):
    """Raise ValueError naming the missing fields, else return the record."""
    missing = missing_fields(record, required)
    if missing:
        raise ValueError("missing: " + ", ".join(missing))
    return record
