class Node:
    """One link of the queue."""

    def __init__(self, value):
        self.value = value
        self.next = None


class LinkedQueue:
    """A first-in first-out queue of linked nodes."""

    def __init__(self):
        self.head = None
        self.tail = None

    def push(self, value):
        """Add a value at the end."""
        node = Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node

    def pop(self):
        """Remove and return the oldest value."""
        if self.head is None:
            raise IndexError("queue is empty")
        node = self.head
        self.head = node.next
        if self.head is None:
            self.tail = None
        return node.value
