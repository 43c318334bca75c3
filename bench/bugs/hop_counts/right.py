from collections import deque


def hops(graph, start):
    """Return the least number of edges from start to each reachable node."""
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for neighbour in graph.get(node, ()):
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                waiting.append(neighbour)
    return distance


def is_reachable(graph, start, goal):
    """Tell whether goal can be reached from start."""
    return goal in hops(graph, start)
