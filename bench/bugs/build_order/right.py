def build_order(depends):
    """Return the targets so that each comes after all that it depends on."""
    order = []
    done = set()

    def visit(target, path):
        if target in done:
            return
        if target in path:
            raise ValueError(f"cycle at {target}")
        for needed in depends.get(target, []):
            visit(needed, path | {target})
        done.add(target)
        order.append(target)

    for target in sorted(depends):
        visit(target, frozenset())
    return order
