def split_fields(line, separator=","):
    """Split a line at separators that are not inside double quotes."""
    fields = []
    current = ""
    quoted = False
    for char in line:
        if char == '"':
            quoted = not quoted
        elif char == separator and not quoted:
            fields.append(current)
            current = ""
        else:
            current += char
    if quoted:
        raise ValueError("unclosed quote")
    fields.append(current)
    return fields
