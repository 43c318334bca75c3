def outline(node, indent="  ", depth=0):
    """Render a (title, children) tree as indented lines."""
    title, children = node
    lines = [indent * depth + title]
    for child in children:
        lines += outline(child, depth=depth + 1)
    return lines


def outline_text(node, indent="  "):
    """Render a tree as one text."""
    return "\n".join(outline(node, indent))
