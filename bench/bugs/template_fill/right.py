import re


def placeholders(template):
    """Return the names between braces, in order."""
    return re.findall(r"\{(.+?)\}", template)


def fill_in(template, values):
    """Replace each {name} by its value; unknown names are left as they are."""
    for name in placeholders(template):
        if name in values:
            template = template.replace("{" + name + "}", str(values[name]))
    return template
